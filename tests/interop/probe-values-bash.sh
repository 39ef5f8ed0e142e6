# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gdb python3 llvm-symbolizer valgrind
# timeout: 200
# Numbers that probes fetch at generated functions and lines of bash, while it runs a script, against gdb's.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
bash=$("$SOURCE/tests/interop/fetch-bash" 2>"$T/err") || { [ $? -eq 77 ] && skip "$(sed -n 's/^SKIP: //p' "$T/err")"; fail "bash does not build"; }
export g=spb$$ inst=/sys/kernel/tracing/instances/spb$$ XDG_CACHE_HOME=$T/cache
own_instance
cat >script <<'S'
x=1; f() { local z=$1; echo $((z * 3 + x)); }; for i in 1 2 3; do f $i; done
[[ abc == a* ]] && y=${x/1/22}; printf "%d %s\n" $y "${BASH_VERSION%%.*}"
case $y in 2*) echo two;; esac; a=(1 2 3); echo ${a[@]:1} {1..3}; set -- q r; shift; echo $1
S
run python3 "$TOP/tests/interop/values.py" 40 "$bash" "$bash" --norc "$PWD/script"; cat "$T/out"; ok
