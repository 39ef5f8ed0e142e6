# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3 llvm-symbolizer gdb nm
# timeout: 900
# guest-kernel: debug
# 200 generated questions about libc, python3, bash and the guest's vmlinux: the definition is perf's, or a better one.
# What differs must be explained by a third party: see agree.py. SEED=N asks other questions; every seed must pass.
libc=$(ldconfig -p | sed -n 's/.*libc\.so\.6 (libc6,x86-64.*=> //p' | head -n 1)
export XDG_CACHE_HOME=$T/cache
gcc -O2 -g -shared -fPIC -I "$SOURCE/src" -o libo2.so "$SOURCE"/src/base/{str,json,map,options}.c
run python3 "$TOP/tests/interop/agree.py" 70 -x "$libc"; cat "$T/out"; ok
run python3 "$TOP/tests/interop/agree.py" 15 -x "$PWD/libo2.so"; cat "$T/out"; ok
py=$(readlink -f /usr/bin/python3 || :)
id=$(readelf -n "$py" 2>/dev/null | sed -n 's/.*Build ID: \(..\)/\1\//p')
if [ -e "/usr/lib/debug/.build-id/$id.debug" ]; then run python3 "$TOP/tests/interop/agree.py" 50 -x "$py"; cat "$T/out"; ok; else echo "no python3.11-dbg here"; fi
bash=$("$SOURCE/tests/interop/fetch-bash" 2>"$T/err") || { [ $? -eq 77 ] || fail "bash does not build"; cat "$T/err"; }
[ -z "$bash" ] || { run python3 "$TOP/tests/interop/agree.py" 40 -x "$bash"; cat "$T/out"; ok; }
run python3 "$TOP/tests/interop/agree.py" 25 -k "$GUEST/vmlinux"; cat "$T/out"; ok
