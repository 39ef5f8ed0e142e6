# SPDX-License-Identifier: GPL-2.0-or-later
# What sonde takes while its target does nothing: the bar is 0.5 % of a CPU (bench/trace.sh), which no machine's noise makes 2.5.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"
sleep 1000 & target=$!
ns() { cat "/proc/$1/task/"*/schedstat | awk '{ n += $1 } END { print n }'; } # CPU time
pids=() names=()
watch() { "$SONDE" "$@" >/dev/null 2>&1 & pids+=($!); names+=("$*"); }
watch trace -p $target -o /dev/null
watch trace -s -p $target -o /dev/null
watch trace -e accept -p $target -o /dev/null
watch trace --engine=perf -p $target -o /dev/null
watch trace --engine=ptrace -p $target -o /dev/null
watch record -p $target -o one.data
watch record -e raw_syscalls:sys_enter -p $target -o two.data
watch stat -I 200 -p $target
watch stat -I 500 -e 'syscalls:sys_enter_read,syscalls:sys_enter_write' -p $target
for pid in "${pids[@]}"; do await "ready $pid"; done
before=() from=${EPOCHREALTIME/[.,]/}
for pid in "${pids[@]}"; do before+=("$(ns "$pid")"); done
sleep 3
took=$((${EPOCHREALTIME/[.,]/} - from))
for i in "${!pids[@]}"; do
	used=$((($(ns "${pids[i]}") - before[i]) / 1000))
	echo "$(awk -v u=$used -v t=$took 'BEGIN { printf "%.2f %%", 100 * u / t }') of a CPU: ${names[i]}"
	[ $((used * 40)) -le $took ] || fail "${names[i]}: $used us of CPU in $took us"
done
kill "${pids[@]}"; wait "${pids[@]}" || true
kill $target
