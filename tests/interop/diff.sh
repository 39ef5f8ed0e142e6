# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3
# timeout: 300
# diff beside perf 6.12's on the same recordings, options drawn at random. User space alone: what the kernel does in a
# program's first milliseconds is a sample each of functions that have no name for everybody.
perf612
export LC_ALL=C HOME=$T PERF_BUILDID_DIR=$T/ids
unset DEBUGINFOD_URLS
cp "$PROG/annotated" .
run "$PERF612" record -q -e cpu-clock:u,task-clock:u -F 3000 -o a.data ./annotated 150; ok
run "$PERF612" record -q -e task-clock:u,cpu-clock:u -F 2000 -o b.data ./annotated 220; ok
run "$PERF612" record -q -e cpu-clock:u -F 3000 -o c.data sh -c './annotated 60; ls -lR /usr/share/doc >/dev/null; :'; ok
run python3 "$TOP/tests/interop/diff.py" --seed "${SEED:-1}" -n "${COMBINATIONS:-40}" "$SONDE" "$PERF612"
cat "$T/out"
ok
