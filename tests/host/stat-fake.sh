# SPDX-License-Identifier: GPL-2.0-or-later
# sonde stat on made-up machines: a PMU, counters that share it, 128 CPUs on two sockets, hybrid cores.
mk() { mkdir -p "$(dirname "$1")"; printf '%b\n' "$2" >"$1"; }
dev=k/sys/bus/event_source/devices
mkdir -p k/proc
mk $dev/cpu/type 4
mk $dev/cpu/format/event config:0-7
mk $dev/uncore_imc_0/type 20
mk $dev/uncore_imc_0/cpumask 0,64
mk $dev/uncore_imc_0/format/event config:0-7
mk $dev/uncore_imc_0/events/data_reads event=0x1
mk $dev/uncore_imc_0/events/data_reads.scale 0.5
mk $dev/uncore_imc_0/events/data_reads.unit MiB
mk k/sys/devices/system/cpu/online 0-127
for c in $(seq 0 127); do
	t=k/sys/devices/system/cpu/cpu$c/topology
	mkdir -p "$t"; echo $((c / 64)) >"$t/physical_package_id"; echo 0 >"$t/die_id"; echo $((c % 64 / 2)) >"$t/core_id"
done
# type config result value enabled running
cat >k/perf_event_open <<'R'
0 0 ok 2000000000 1000000000 1000000000
0 1 ok 3000000000 1000000000 1000000000
0 4 ok 100000 1000000000 500000000
0 5 ok 5000 1000000000 500000000
0 6 ok 7 1000000000 0
0 2 EOPNOTSUPP
1 2 ok 9 0 0
1 3 ok 0 0 0
1 1 ok 1000000000 1000000000 1000000000
4 * ok 42 1000000 1000000
20 1 ok 100 1000000 1000000
* * ENOENT
R
export SONDE_KERNEL_ROOT=$PWD/k
run "$SONDE" stat -e task-clock,cycles,instructions,branches,branch-misses,bus-cycles,cache-references true; ok
err_has '^ +1000\.00 msec task-clock '
err_has '^ +2000000000      cycles +# +2\.000 GHz$'
err_has '^ +3000000000      instructions +# +1\.50  +insn per cycle$'
err_has '^ +200000      branches +# +200\.000 K/sec +\(50\.00%\)$'
err_has '^ +10000      branch-misses +# +5\.00% of all branches +\(50\.00%\)$'
err_has '^ +<not counted>      bus-cycles$'
err_has '^ +<not supported>      cache-references$'
# a value without times (a cgroup's clock that stood still) is a count; neither is none
run "$SONDE" stat -x, -e faults,cs true; ok; err_has '^9,,faults,0,100\.00,,$'; err_has '^<not counted>,,cs,0,100\.00,,$'
run "$SONDE" stat --no-scale -e branches true; ok; err_has '^ +100000      branches'
run "$SONDE" stat -x, -e branches,branch-misses true; ok; err_has '^10000,,branch-misses,500000000,50\.00,5\.00,of all branches$'
run "$SONDE" stat -e cpu/event=0x3c/u true; ok; err_has '^ +42      cpu/event=0x3c/u$'
# all CPUs, sockets, cores; an uncore event on its own CPUs, in its own unit
run "$SONDE" stat -a -e cycles true; ok; err_has '^ +256000000000      cycles$'
run "$SONDE" stat -a -A -e cycles true; ok; same "$(grep -c '^CPU' "$T/err")" 128; err_has '^CPU127 +2000000000      cycles$'
run "$SONDE" stat -a --per-socket -e cycles true; ok; err_has '^S1 +64 +128000000000      cycles$'
run "$SONDE" stat -a --per-core -e cycles true; ok; same "$(grep -c '^S' "$T/err")" 64; err_has '^S1-D0-C31 +2 +4000000000      cycles$'
run "$SONDE" stat -a -e uncore_imc/data_reads/ true; ok; err_has '^ +100\.00 MiB  uncore_imc/data_reads/$'
run "$SONDE" stat -C 128 -e cycles true; exits 255; err_has 'there is no CPU 128'
# a machine that refuses: the level is named
mk k/proc/sys/kernel/perf_event_paranoid 4
printf '* * EACCES\n' >k/perf_event_open
run "$SONDE" stat -a -e cycles true; exits 255; err_has 'no permission to open cycles'; err_has '^hint: '
if [ "$(id -u)" = 0 ]; then
	run as_nobody "$SONDE" stat -a -e cycles true; exits 255; err_has 'perf_event_paranoid is 4'
fi
# two kinds of cores: a generic event on each
rm -r $dev/cpu; mk $dev/cpu_core/type 4; mk $dev/cpu_core/cpus 0-63; mk $dev/cpu_atom/type 10; mk $dev/cpu_atom/cpus 64-127
printf '0 0x400000000 ok 5\n0 0xa00000000 ok 3\n' >k/perf_event_open
run "$SONDE" stat -a -e cycles true; ok; err_has '^ +320      cpu_core/cycles/$'; err_has '^ +192      cpu_atom/cycles/$'
