# SPDX-License-Identifier: GPL-2.0-or-later
# tests/run that is ended takes its tests along: they are in groups of their own, and nobody else would end them.
mkdir -p tree/tests/host tree/build
cp "$TOP/tests/run" "$TOP/tests/lib.sh" tree/tests/
# shellcheck disable=SC2016
printf '%s\n' 'trap "" TERM; echo $$ >"$SOURCE/pid"; sleep 1000 & echo $! >"$SOURCE/pids"; mv "$SOURCE/pids" "$SOURCE/ready"; wait' >tree/tests/host/slow.sh
printf '%s\n' '# alone' >tree/tests/host/lone.sh; cat tree/tests/host/slow.sh >>tree/tests/host/lone.sh
for signal in TERM HUP; do for test in slow lone; do
	rm -f tree/ready
	env -u SOURCE TOP= TEST=host/$test tree/tests/run >out 2>&1 & pid=$!
	await '[ -s tree/ready ]'
	kill -$signal $pid
	code=0; wait $pid || code=$?
	[ $code -gt 128 ] || fail "$signal: exit code $code"
	gone() { ! kill -0 "$1" 2>/dev/null; }
	await 'gone "$(cat tree/pid)" && gone "$(cat tree/ready)"'
done; done
