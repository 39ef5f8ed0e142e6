# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf
# The forms of stat's output beside perf's, field by field: numbers apart they are the same.
# Rates take their unit from the number (K/sec), and under load an interval more or less may pass: neither is compared.
blank() { sed -E 's/[0-9]+/9/g; s/^ +//; s/9\.9([,; ]+)[KMG]?\/sec/9.9\1\/sec/; s/ +/ /g; s/ +$//' | if [ "${1-}" = -I ]; then sort -u; else uniq; fi; }
# The kernel's clock of a cgroup may stand still for all of the time (all tasks in one), when perf says <not counted>
# and sonde the count, or for some of it, which both show as a share.
form() { # OPTIONS...
	perf stat "$@" >/dev/null 2>"$T/perf" </dev/null || fail "perf stat $*"
	run "$SONDE" stat "$@"; ok
	if [[ $* == *cgroup* ]]; then
		! grep -q '<not counted>' "$T/perf" || return 0
		sed -i -E 's/ +\([0-9.]+%\)$//' "$T/perf" "$T/err"
	fi
	same "$(grep -v '[ ,;]minor-faults\|[ ,;]major-faults' "$T/err" | blank "${intervals-}")" "$(blank "${intervals-}" <"$T/perf")" "stat $*"
}
for x in '-x,' '-e dummy'; do # the second: the page for people
	# shellcheck disable=SC2086
	for a in '-e task-clock,page-faults true' '-e cycles,instructions,task-clock -a sleep 0.05' '-A -a -e cs,cpu-clock sleep 0.1' \
		'--per-core -a -e cs,cpu-clock sleep 0.1' '--per-socket -a -e cs sleep 0.1' '--per-die -a -e cs sleep 0.1' \
		'--per-node -a -e cs sleep 0.1' '-I 50 -a -e cs,cpu-clock sleep 0.12' '-I 50 -A -a -e cpu-clock sleep 0.12' \
		'-I 50 --per-core -a -e cpu-clock sleep 0.12' '-e {page-faults,dummy} true' '-d -d -d true' '-C 0,1 -e cpu-clock sleep 0.1' \
		'-e page-faults:u,page-faults:k,page-faults:D,page-faults:ukh true' '-a -e cpu-clock --for-each-cgroup / sleep 0.1' \
		'-e page-faults/name=mine/ true' '-e syscalls:sys_enter_execve,sched:sched_process_exec true'; do
		intervals=; case $a in -I*) intervals=-I ;; esac
		form $x $a
	done
done
intervals=
form -n true
form '-x;' -e task-clock,page-faults true
# JSON has perf's keys and values of the same kind, and the schema in front
json() { python3 -c 'import json, sys
for line in sys.stdin:
    r = json.loads(line); r.pop("schema", None)
    print([(k, "rate" if str(v).endswith("/sec") else "text" if k in ("unit", "event", "cpu", "core", "cgroup", "metric-unit") and v != "(null)" and v or "") for k, v in r.items()])' | uniq; }
for a in '-e task-clock,page-faults true' '-A -a -e cpu-clock sleep 0.1' '--per-core -a -e cpu-clock sleep 0.1' '-I 50 -a -e cpu-clock sleep 0.12' \
	'-r 3 -e page-faults true' '-a -e cpu-clock --for-each-cgroup / sleep 0.1' '-e cycles true'; do
	# shellcheck disable=SC2086
	perf stat -j $a >/dev/null 2>"$T/perf" </dev/null
	[[ $a != *cgroup* ]] || ! grep -q '<not counted>' "$T/perf" || continue
	# shellcheck disable=SC2086
	run "$SONDE" stat -j $a; ok; same "$(json <"$T/err")" "$(json <"$T/perf")" "stat -j $a"
done
# threads: a row for each, whether it did something or not
sleep 1000 & pid=$!
kill -STOP $pid
form -x, --per-thread -p $pid -e cpu-migrations sleep 0.1
form --per-thread -p $pid -e cs,task-clock sleep 0.1
kill -KILL $pid
# -r: the deviation is there, and perf's columns
perf stat -x, -r 3 -e task-clock,page-faults sh -c 'exit 0' 2>"$T/perf"
run "$SONDE" stat -x, -r 3 -e task-clock,page-faults sh -c 'exit 0'; ok; same "$(blank <"$T/err")" "$(blank <"$T/perf")"
