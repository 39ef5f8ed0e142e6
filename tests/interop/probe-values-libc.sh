# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gdb python3 llvm-symbolizer valgrind
# timeout: 200
# Numbers that probes fetch at generated functions and lines of libc, while bash runs a script, against gdb's.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
mkdir lib; cp -L "$(ldconfig -p | sed -n 's/.*libc\.so\.6 (libc6,x86-64.*=> //p' | head -n 1)" lib/libc.so.6 # nobody else's
id=$(readelf -n lib/libc.so.6 | sed -n 's/.*Build ID: \(..\)/\1\//p')
[ -e "/usr/lib/debug/.build-id/$id.debug" ] || skip "no libc6-dbg"
export g=spc$$ inst=/sys/kernel/tracing/instances/spc$$ XDG_CACHE_HOME=$T/cache
own_instance
cat >script <<'S'
x=1; f() { local z=$1; echo $((z * 3 + x)); }; for i in 1 2 3; do f $i; done
printf '%5.2f %e %(%F %T)T %q %s\n' 3.25 1e10 86400000 'a b' ~root; echo /etc/pass* /usr/lib/x86_64*/libc.so*
[[ abc123 =~ ^([a-c]+)([0-9]{2,3})$ ]] && echo "${BASH_REMATCH[2]}"; read -r a b </etc/passwd; echo "${a^^}" "${#b}"
LC_ALL=C.UTF-8; echo ${a/r/é}; umask; cd /; pwd -P
S
run python3 "$TOP/tests/interop/values.py" 50 lib/libc.so.6 /bin/bash --norc "$PWD/script"; cat "$T/out"; ok
