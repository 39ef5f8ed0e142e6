/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of perf report, perf script and perf buildid-cache that need not be said here, or that are not to be had. */
#ifndef CMD_READING_PERF_H
#define CMD_READING_PERF_H
#include "base/options.h"

#define PERF_NO_TOOL "source lines are read from the debug information itself"
#define PERF_NO_AUX "AUX area traces (Intel PT, ARM SPE) are not decoded here"
#define PERF_USE_PERF "perf reads the same file"
#define PERF_NO_GUEST "addresses of virtual machines' guests are not named here"
#define PERF_NO_FILTER "compiled filters, which perf loads into itself, are not run here"
#define PERF_IN_PYTHON "a Python script does it: sonde script -g python, then sonde script -s perf-script.py"
#define REPORT_PERF_ROWS \
	OPT_NEEDLESS(0, "addr2line", "FILE", PERF_NO_TOOL), \
	OPT_NEEDLESS(0, "samples", "N", "single samples are shown by sonde script"), \
	OPT_NEEDLESS('m', "modules", NULL, "symbols of modules are always read"), \
	OPT_NEEDLESS(0, "demangle-kernel", NULL, "the kernel's Rust names are always readable"), \
	OPT_NEEDLESS(0, "show-ref-call-graph", NULL, "call graphs are shown of the events that have them"), \
	OPT_NEEDLESS(0, "stdio-color", "[WORD]", "the text has no colours"), \
	OPT_REFUSED(0, "itrace", "[WHAT]", PERF_NO_AUX, PERF_USE_PERF), \
	OPT_REFUSED(0, "stitch-lbr", NULL, "call chains of branch records are not joined over samples", "record with --call-graph dwarf for whole stacks"), \
	OPT_REFUSED(0, "disable-order", NULL, "records are always read in the order of time", "-D has each one's place in the file"), \
	OPT_REFUSED(0, "pretty", "KEY", "the counts of threads have one form", "-T prints it"), \
	OPT_REFUSED(0, "group-sort-idx", "N", "the events of a group are sorted by the first", "--no-group sorts each event by itself"), \
	OPT_IGNORED(0, "gtk", NULL, "the browser is one for terminals")
#define SCRIPT_PERF_ROWS \
	OPT_NEEDLESS(0, "addr2line", "FILE", PERF_NO_TOOL), \
	OPT_NEEDLESS('a', "all-cpus", NULL, "a recording has the CPUs it was made on"), \
	OPT_NEEDLESS(0, "demangle-kernel", NULL, "the kernel's Rust names are always readable"), \
	OPT_NEEDLESS(0, "max-blocks", "N", "no instructions are shown"), \
	OPT_NEEDLESS(0, "show-kernel-path", NULL, "the kernel's symbols come from kallsyms, which is no file of its own"), \
	OPT_REFUSED(0, "itrace", "[WHAT]", PERF_NO_AUX, PERF_USE_PERF), \
	OPT_REFUSED(0, "xed", NULL, "no disassembler is started here", "sonde script --insn-trace | xed -F insn: -A -64"), \
	OPT_REFUSED(0, "stitch-lbr", NULL, "call chains of branch records are not joined over samples", "record with --call-graph dwarf for whole stacks"), \
	OPT_REFUSED(0, "dlfilter", "FILE", PERF_NO_FILTER, PERF_IN_PYTHON), \
	OPT_REFUSED(0, "dlarg", "ARG", PERF_NO_FILTER, PERF_IN_PYTHON), \
	OPT_REFUSED(0, "list-dlfilters", NULL, PERF_NO_FILTER, PERF_IN_PYTHON), \
	OPT_REFUSED('l', "list", NULL, "no scripts come with sonde", "-s runs any script that was written for perf: sonde script -s FILE.py"), \
	OPT_REFUSED(0, "dump-unsorted-raw-trace", NULL, "records are always read in the order of time", "-D has each one's place in the file"), \
	OPT_REFUSED(0, "guestmount", "DIR", PERF_NO_GUEST, PERF_USE_PERF), \
	OPT_REFUSED(0, "guestvmlinux", "FILE", PERF_NO_GUEST, PERF_USE_PERF), \
	OPT_REFUSED(0, "guestkallsyms", "FILE", PERF_NO_GUEST, PERF_USE_PERF), \
	OPT_REFUSED(0, "guestmodules", "FILE", PERF_NO_GUEST, PERF_USE_PERF), \
	OPT_REFUSED(0, "guest-code", NULL, PERF_NO_GUEST, PERF_USE_PERF)
#define CACHE_PERF_ROWS \
	OPT_NEEDLESS(0, "debuginfod", "[URLS]", "debuginfo is fetched when a recording is read, where DEBUGINFOD_URLS says"), \
	OPT_REFUSED('k', "kcore", "FILE", "the kernel's code is not copied", "its symbols are found by build-id, or given with sonde report -k FILE"), \
	OPT_REFUSED(0, "target-ns", "PID", "binaries are not looked up in another mount namespace", "name the file there: sonde buildid-cache -a /proc/PID/root/FILE")
#endif
