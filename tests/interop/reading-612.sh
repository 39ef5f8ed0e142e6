# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3 objdump
# timeout: 200
# Fields, keys and options that came with perf 6.12: on one recording both print the same.
perf612
. "$TOP/tests/recordings.sh"
"$PERF612" record -q -N -F 1999 -e cpu-clock:u --sample-cpu --namespaces --code-page-size -o r.data "$PROG/profiled" 200 2>/dev/null || skip "perf cannot record here"
# (Where a file has its debug information elsewhere, as libc has, perf shows bytes of that file: --dsos profiled.)
for fields in +insn +insnlen +insn,+insnlen +flags +srccode +dsoff +machine_pid,+vcpu ip,sym,dso,dsoff,insn comm,ip,srccode +callindent,+ipc; do
	compare r -F $fields --dsos profiled
done
for how in --insn-trace --insn-trace=raw --call-trace --call-ret-trace "-F comm,ip,sym --insn-trace"; do
	# shellcheck disable=SC2086
	compare r $how --dsos profiled
done
MAYBE=1 compare r --graph-function leaf_a; [ ! -s got ] || fail "perf shows samples that are no calls"
err_has 'leaves out all [1-9][0-9]* samples: none tells'
run "$SONDE" script --insn-trace=disasm -i r.data; exits 129; err_has 'not disassembled'; err_has '^hint: '
python3 - r.data aux.data <<'P' # an AUXTRACE_INFO at the end of the data
import struct, sys
d = bytearray(open(sys.argv[1], "rb").read())
at, size = struct.unpack_from("<QQ", d, 40)
record = struct.pack("<IHHIIQ", 70, 0, 24, 1, 0, 0)
n = bin(int.from_bytes(d[72:104], "little")).count("1")
for i in range(n):
    where = at + size + 16 * i
    struct.pack_into("<Q", d, where, struct.unpack_from("<Q", d, where)[0] + 24)
struct.pack_into("<Q", d, 48, size + 24)
open(sys.argv[2], "wb").write(d[:at + size] + record + d[at + size:])
P
run "$SONDE" script -i aux.data; ok
for how in --insn-trace --call-trace --call-ret-trace "--graph-function x"; do
	# shellcheck disable=SC2086
	run "$SONDE" script $how -i aux.data; exits 255; err_has 'has an AUX area trace'; err_has '^hint: perf inject --itrace'
done
has() { grep -Eq -- "$1" got || fail "no $1 in what both print"; }
compare r -F ip,sym,insn,insnlen,srccode --dsos profiled; has 'ilen: [1-9][0-9]? insn:( [0-9a-f]{2})+$'; has '^\|[0-9]+ +'
# of libc what objdump shows
read -r at bytes < <("$SONDE" script -i r.data -F ip,dso,dsoff,insn --dsos libc.so.6 2>/dev/null | sed -n 's/.*libc.so.6+0x\([0-9a-f]*\)) insn: \(.*\)/\1 \2/p' | head -n 1) || :
[ -z "$at" ] || same "$bytes" "$(objdump -d -w --start-address="0x$at" --stop-address=$((0x$at + 16)) /lib/x86_64-linux-gnu/libc.so.6 | awk -F'\t' 'NF > 2 { sub(/ *$/, "", $2); print $2; exit }')" "libc at $at"
address=$("$SONDE" script -i r.data -F ip | awk 'NR == 5 { print $1 }')
for how in "-S 0x$address" "-S 0x$address --addr-range 16" "-S $address --addr-range 200" "-S leaf_a,0x$address"; do
	# shellcheck disable=SC2086
	compare r $how
done
[ "$(wc -l <got)" -lt "$("$SONDE" script -i r.data | wc -l)" ] || fail "-S ADDRESS leaves everything"
"$PERF612" record -q -N -g -F 999 -e cpu-clock:u -o c.data "$PROG/profiled" 100 2>/dev/null
compare c
compare c -F +dsoff
has '^[[:space:]]+[0-9a-f]{12} [a-z_]+\+0x[0-9a-f]+ \(/.*\+0x[0-9a-f]+\)$' # addresses in memory, places in the file

table() { # OPTION...: report of r.data, as perf has it
	"$PERF612" report --stdio --no-inline "$@" -i r.data 2>/dev/null | grep -v '^# (Tip' >want
	"$SONDE" report --stdio --no-inline "$@" -i r.data 2>"$T/err" | grep -v '^# (Tip' >got
	diff want got >differ || { : >"$T/out"; fail "report $* differs from perf's: $(head -c 600 differ)"; }
}
table --showcpuutilization
table --showcpuutilization -s comm,dso
table -s socket,comm
table -s dso,dso_size
table -s cgroup_id
table -s code_page_size,dso
table --socket-filter 0 -s comm,socket; has '^# Processor Socket: 0$'; has '%  profiled'
table --socket-filter 7 -s comm,socket; grep -q '%' got && fail "socket 7 has samples"
table -v -s pid,sym --no-children -d profiled; table -v -d profiled; has '0x[0-9a-f]+ +d \[\.\]'
table -w 0,3,4 -c profiled; table -w 20,20,20,20 -c profiled; table -F +overhead_children,pid --no-children
table -q --header; grep -q '^# hostname' got && fail "-q and a header"
for how in '' -I; do
	"$PERF612" report --header-only $how -i r.data 2>/dev/null | grep -Ev "bpf_prog|^# btf info" >want
	"$SONDE" report --header-only $how -i r.data | grep -Ev "bpf_prog|^# btf info" >got
	diff want got || fail "--header-only $how"
done
has '^# CPU cache info:$'; grep -q 'use -I' got && fail "-I was given"
# times that --reltime prints are times that it takes
read -r from to < <("$SONDE" script -i r.data --reltime -F time | awk '{ t[NR] = $1 + 0 } END { print t[int(NR / 4) + 1], t[int(NR / 2) + 1] }')
compare r --reltime --time "$from,$to"; [ -s got ]; compare r --reltime --time "$to,"; compare r -F ip,dsoff; compare r -F dsoff,ip,sym
# what leaves nothing leaves an empty table
table -c nosuch; has '^# Overhead'
table -S nosuch -s sym; table --tid 1; table -d nosuch -s comm,dso,weight
grep -q '^ *[0-9.]*%' got && fail "there is something left"
run "$SONDE" report -i r.data -c nosuch; ok; err_has 'nothing is left of [0-9]+ samples after -c'
run "$SONDE" report -i r.data -s simd; exits 129; err_has "'simd' is a key of perf's that sonde does not have: "; err_has '^hint: '
run "$SONDE" script -i r.data -g perl; exits 129; err_has "written in python, not in 'perl'"; err_has '^hint: sonde script -g python'
# samples without a CPU: both say so
"$PERF612" report --stdio -C 0 -i c.data 2>&1 | grep 'does not contain CPU' >/dev/null || fail "perf takes -C"
run "$SONDE" report -C 0 -i c.data; exits 255; err_has 'do not tell their CPU'; err_has '^hint: '
