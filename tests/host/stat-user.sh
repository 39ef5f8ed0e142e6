# SPDX-License-Identifier: GPL-2.0-or-later
# as: nobody
# sonde stat for an ordinary user: user space of one's own programs, and hints for the rest.
p=$(cat /proc/sys/kernel/perf_event_paranoid)
[ "$p" -ge 2 ] || skip "perf_event_paranoid is $p"
run "$SONDE" stat true; ok; err_has 'task-clock:u'; err_has 'page-faults:u'
run "$SONDE" stat -a -e cs true; exits 255; err_has 'no permission'; err_has "^hint: perf_event_paranoid is $p and this needs 0 or less"
run "$SONDE" stat -p 1 -e faults true; exits 255; err_has 'process 1 belongs to another user'
if [ ! -r /sys/kernel/tracing/events ]; then
	run "$SONDE" stat -e sched:sched_switch true; exits 255; err_has 'no permission to read tracefs'; err_has '^hint: '
fi
run "$SONDE" stat -u root true; exits 255; err_has 'only root'
# a name that is no tracepoint's is wrong whether tracefs can be read or not
run "$SONDE" stat -e nosuch true; exits 129; err_has "there is no event 'nosuch'"; err_has '^hint: '
run "$SONDE" stat -e cyclse true; exits 129; err_has "did you mean 'cycles'"
