# SPDX-License-Identifier: GPL-2.0-or-later
# perf reads what sonde records and sonde reads what perf records; both tools print the same of the same file.
# needs: perf
# timeout: 300
perf612
[ "$(id -u)" -eq 0 ] || skip "needs root"
unset DEBUGINFOD_URLS
work=(dd if=/dev/zero of=/dev/null bs=1 count=80k)
fields=comm,pid,tid,time,event,ip
# the samples of a file, by each tool, without what depends on symbol tables
# and without BPF programs in the chains: another tracer on this machine may be on the way of dd's calls, and perf
# does not know them when it reads a pipe
plain() { sed -E 's/ *$//; s/bpf_(prog|trampoline)_[0-9A-Za-z_.]+$/[unknown]/'; }
by_perf() { "$PERF612" script -i "$1" -F "$fields" 2>/dev/null | plain; }
by_sonde() { "$SONDE" script -i "$1" -F "$fields" 2>/dev/null | plain; }
agree() { # FILE LEAST: both see the same samples, and so many
	by_perf "$1" >p.txt; by_sonde "$1" >s.txt
	[ "$(wc -l <p.txt)" -ge "$2" ] || fail "$1: perf sees only $(wc -l <p.txt) lines"
	ended_alike p.txt s.txt
	cmp p.txt s.txt || { diff p.txt s.txt | head -n 10; fail "$1: perf and sonde differ"; }
	"$PERF612" report -i "$1" --stdio --sort comm >report.txt 2>/dev/null || fail "$1: perf report fails"
	grep -q '^ *[0-9.]*%.* dd ' report.txt || { head -n 30 report.txt; fail "$1: perf report shows no dd"; }
}
agree_lines() { # FILE: the same, of one that has no dd in it
	by_perf "$1" >p.txt; by_sonde "$1" >s.txt; ended_alike p.txt s.txt
	same "$(cat s.txt)" "$(cat p.txt)" "$1: $fields"
	[ -n "$(by_perf "$1")" ] || fail "$1: perf sees nothing"
}
# Of a recording without a table of build-ids both go through its samples: perf lists the files in which a sample's own address is,
# sonde those in which a caller's is as well, since their names are needed too. Nothing else differs; a vdso has no build-id, and perf
# calls it by a copy that it makes.
ids() { # FILE
	"$SONDE" buildid-list -i "$1" | grep -v '^ ' | sort >ours.ids; perf buildid-list -i "$1" 2>/dev/null | grep -v '^ ' | sort >their.ids
	perf script -i "$1" -F ip,sym,dso 2>/dev/null | sed -n 's/^.*(\(.*\))$/\1/p' | sort -u >in-chains
	perf script -i "$1" --show-mmap-events -F ip,sym,dso 2>/dev/null | sed -nE 's/^.* <([0-9a-f]{40})>\]: [^ ]+ (.*)$/\1 \2/p' | sort -u |
		awk 'NR == FNR { chain[$0] = 1; next } { file = $0; sub(/^[0-9a-f]* /, "", file); if (chain[file]) print }' in-chains - >callers.ids
	sort -u their.ids callers.ids | diff - ours.ids >differ || fail "$1: build-ids: $(cat differ)"
	[ -s their.ids ] || fail "$1: no build-ids"
}

# --- sonde records
"$SONDE" record -q -e cpu-clock -F 999 -g -o fp.data "${work[@]}" 2>/dev/null; agree fp.data 30; ids fp.data
"$SONDE" record -q -e cpu-clock -F 999 -g dwarf,2048 -o dwarf.data "${work[@]}" 2>/dev/null
"$PERF612" script -i dwarf.data -F comm,ip,sym 2>/dev/null >d.txt; grep -q 'read\|write' d.txt || fail "perf unwinds nothing of sonde's DWARF recording"
"$SONDE" record -q -e 'raw_syscalls:*' -o tp.data "${work[@]}" 2>/dev/null; agree tp.data 160000; ids tp.data
same "$("$PERF612" script -i tp.data 2>/dev/null | head -n 2000)" "$("$SONDE" script -i tp.data | head -n 2000)" "tracepoint text"
# what is asked for besides goes into the samples of system calls too, or the file is nobody's to read
for o in --intr-regs=ax,ip --user-regs=ip,sp '--intr-regs=ip --user-regs=ax' --phys-data '-g --user-regs=ip'; do
	# shellcheck disable=SC2086
	run "$SONDE" record -q -e 'raw_syscalls:*' $o -o more.data dd if=/dev/zero of=/dev/null bs=1 count=1k; ok
	run "$SONDE" script -i more.data; ok; agree more.data 4000
done
"$SONDE" record -q -e raw_syscalls:sys_enter --intr-regs=ax,ip -o r.data true
fields=comm,pid,tid,time,event,iregs agree_lines r.data
"$SONDE" record -q -e raw_syscalls:sys_enter --user-regs=ax,ip -o r.data true
fields=comm,pid,tid,time,event,uregs agree_lines r.data
"$SONDE" record -q -z -e cpu-clock -F 999 -g -o z.data "${work[@]}" 2>/dev/null; agree z.data 30
"$SONDE" record -q -a -e cpu-clock -F 199 -g -o all.data "${work[@]}" 2>/dev/null; agree all.data 10; ids all.data
"$SONDE" record -q -e cpu-clock -F 999 -g -o - "${work[@]}" 2>/dev/null >pipe.data; fields=$fields,sym agree pipe.data 30 # perf prints names for pipes, asked or not
"$SONDE" record -q -e 'raw_syscalls:sys_enter' -o - dd if=/dev/zero of=/dev/null bs=1 count=20k 2>/dev/null | "$PERF612" script -i - 2>/dev/null | grep -c 'NR 1 (' >n.txt || true
[ "$(cat n.txt)" -ge 20000 ] || fail "perf sees $(cat n.txt) writes in the pipe"
"$SONDE" record -q -e cpu-clock -F 999 -g -o - "${work[@]}" 2>/dev/null | "$PERF612" report -i - --stdio >report.txt 2>/dev/null
grep -q '^ *[0-9.]*%.* dd ' report.txt || fail "perf report reads nothing from sonde's pipe"
"$PERF612" report -i fp.data --header-only >h.txt 2>/dev/null
for w in hostname 'os release' 'perf version : sonde' 'nrcpus online' cpudesc 'total memory' 'cmdline : sonde record' \
	'event : name = cpu-clock' 'time of first sample' 'clockid: monotonic' 'reference time'; do
	grep -q "^# $w" h.txt || { cat h.txt; fail "perf's view of the header lacks: $w"; }
done

# --- perf records
perf record -q --buildid-mmap -e cpu-clock -F 999 -g -o pfp.data "${work[@]}" 2>/dev/null; agree pfp.data 30; ids pfp.data
perf record -q --buildid-mmap -e 'raw_syscalls:*' -m 16M -o ptp.data "${work[@]}" >/dev/null 2>&1; agree ptp.data 30000; ids ptp.data
perf record -q --buildid-mmap -z -e cpu-clock -F 999 -g -o pz.data "${work[@]}" >/dev/null 2>&1; agree pz.data 30
perf record -q --buildid-mmap -a -e cpu-clock -F 199 -g -o pall.data "${work[@]}" >/dev/null 2>&1; agree pall.data 10
perf record -q --buildid-mmap -e cpu-clock -F 999 -g -o - "${work[@]}" 2>/dev/null >ppipe.data; fields=$fields,sym agree ppipe.data 30
n=$(perf record -q --buildid-mmap -e cpu-clock -F 999 -g -o - "${work[@]}" 2>/dev/null | "$SONDE" script -i - | grep -c cpu-clock:)
[ "$n" -gt 20 ] || fail "sonde reads $n samples from perf's pipe"
perf record -q --buildid-mmap -e cpu-clock -F 999 --call-graph dwarf -o pdwarf.data "${work[@]}" >/dev/null 2>&1
"$SONDE" script -i pdwarf.data >d.txt; grep -q ' read\| __GI___libc_write' d.txt || fail "sonde unwinds nothing of perf's DWARF recording"
for f in pfp ptp pz; do
	same "$("$SONDE" script -i $f.data --header | grep '^#' | grep -v 'TOPOLOGY\|CACHE\|bpf_prog\|btf')" \
	     "$("$PERF612" script -i $f.data --header 2>/dev/null | grep '^#' | grep -v 'TOPOLOGY\|CACHE\|bpf_prog\|btf')" "$f: headers"
done
