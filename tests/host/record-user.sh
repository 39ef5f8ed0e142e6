# SPDX-License-Identifier: GPL-2.0-or-later
# as: nobody
# What an ordinary user gets: his own programs in user space, and for the rest the reason and the remedy.
level=$(cat /proc/sys/kernel/perf_event_paranoid)
run "$SONDE" record -e cpu-clock -F 999 -o u.data dd if=/dev/zero of=/dev/null bs=1 count=300k
if [ "$level" -gt 2 ]; then exits 255; err_has paranoid; exit 0; fi
ok; err_has 'wrote .* u.data'
if [ "$level" -eq 2 ]; then
	err_has 'no permission to see the kernel: recording cpu-clock:u'
	run "$SONDE" record -a -o a.data sleep 0.1; exits 255; err_has 'perf_event_paranoid is 2 and this needs 0'
	run "$SONDE" record -e raw_syscalls:sys_enter -o a.data true; [ "$code" -ne 0 ] || fail "tracepoints without rights"; err_has '^hint: '
fi
# rings as large as the limit on locked memory allows, and the limit named
run bash -c 'ulimit -l 64; exec "$SONDE" record -e cpu-clock:u -F 99 -o u.data true'; ok
err_hasnt 'rings'
run "$SONDE" record -v -e cpu-clock:u -o u.data true; ok; err_has 'the rings are [0-9]+ KiB each'
run "$SONDE" record -e cpu-clock:u -m 512M -o u.data true; exits 255; err_has 'hint: .*locked memory'
run "$SONDE" record -e cpu-clock:u -p 1 -o u.data sleep 0.1; exits 255; err_has '^hint: '
run "$SONDE" record -e cpu-clock:u -o /root/u.data true; exits 255; err_has 'cannot write to /root/u.data'
run "$SONDE" script -i u.data; ok
