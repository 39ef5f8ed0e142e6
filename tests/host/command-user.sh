# SPDX-License-Identifier: GPL-2.0-or-later
# -u USER runs the command as that user; it inherits no descriptor of ours and starts only when all is armed.
[ "$(id -u)" = 0 ] || skip "only root can run a command as another user"
for c in stat trace record; do
	run "$SONDE" "$c" -o "$T/o" -u nobody -- id -un; ok; same "$out" nobody "$c -u"
	run "$SONDE" "$c" -o "$T/o" -u no-such-user -- id; exits 255; err_has "there is no user 'no-such-user'"; err_has '^hint: '
	run "$SONDE" "$c" -o "$T/o" -u 4294967296 -- id; exits 255; err_has "there is no user '4294967296'" # not root, its low 32 bits
	# ls has 0, 1, 2, whatever this shell was given, and the folder itself: 3
	ls /proc/self/fd >"$T/plain"
	run "$SONDE" "$c" -o "$T/o" -- ls /proc/self/fd; ok; same "$out" "$(cat "$T/plain")" "$c: descriptors of the command"
done
# a number without a name is a user still, if one without processes
for c in stat record; do run "$SONDE" "$c" -o "$T/o" -u 4294967000; exits 255; err_has "no process of user '4294967000' is running"; done
engines=(ptrace); "$SONDE" trace --engine bpf -o "$T/o" true 2>/dev/null && engines+=(bpf)
for engine in "${engines[@]}"; do
	run "$SONDE" trace --engine $engine -e getuid -o "$T/o" -u nobody -- id -un; ok; same "$out" nobody "$engine"
done
as_nobody "$SONDE" stat -u root -o /dev/null id >"$T/out" 2>"$T/err" && fail "nobody ran it as root"
err_has 'only root may run it as another user'
# With -a, -u narrows the machine to that user and the command runs as we do.
runuser -u nobody -- sleep 1000.$$ & sleeper=$!
await 'pgrep -u nobody -f "^sleep 1000.$$" >/dev/null'
for c in stat trace record; do
	run "$SONDE" "$c" -a -o "$T/o" -u nobody -- id -un; ok; same "$out" "$(id -un)" "$c -a -u"; err_hasnt 'win over'
done
kill $sleeper
# A call without arguments, alone: its own tracepoint is shorter than those of others.
if "$SONDE" trace --engine bpf -o "$T/o" true 2>/dev/null; then
	run "$SONDE" trace --engine bpf -e geteuid -u nobody -- id -un; ok; err_has 'geteuid\(\) += 65534$'
fi
