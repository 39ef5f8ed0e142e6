# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3 objdump
# timeout: 300
# annotate beside perf 6.12's on the same recordings, options drawn at random.
perf612
export LC_ALL=C HOME=$T PERF_BUILDID_DIR=$T/ids
unset DEBUGINFOD_URLS
cp "$PROG/annotated" .
run "$PERF612" record -q -e cpu-clock -F 4000 -o one.data ./annotated 200; ok
run "$PERF612" record -q -e cpu-clock,task-clock -F 2000 -o two.data ./annotated 200; ok
run "$SONDE" record -q -e '{cpu-clock,task-clock}' -F 2000 -o group.data ./annotated 200; ok
run python3 "$TOP/tests/interop/annotate.py" --seed "${SEED:-1}" -n "${COMBINATIONS:-30}" "$SONDE" "$PERF612" one.data two.data group.data
cat "$T/out"
ok
