# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace: where no CPU has time to spare, the reader goes to the traced program's: who is not traced is left alone.
# needs: taskset
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"
mapfile -t cpus < <(python3 -c 'import os; print(*sorted(os.sched_getaffinity(0)), sep="\n")')
[ ${#cpus[@]} -ge 2 ] || skip "needs two CPUs"
here=${cpus[0]} there=${cpus[1]}

# two hogs beside the traced program leave no time on the other CPU (loops, so that they cost no system call)
for _ in 1 2; do taskset -c "$there" sh -c 'while :; do :; done' & hogs+=($!); done
taskset -c "$here,$there" "$SONDE" trace -o t.txt taskset -c "$here" sh -c 'while :; do : <&0; kill -0 $$; done' 2>err & tracer=$!
trap 'kill "${hogs[@]}" $tracer 2>/dev/null' EXIT
at() { sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$tracer/status"; }
await '[ "$(at)" = "$here" ]' # the reader's CPUs, with hogs on the other
[ "$(ps -o cls= -p $tracer | tr -d ' ')" = RR ] || fail "the reader is not prompt"
