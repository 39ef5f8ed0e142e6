# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gdb python3 llvm-symbolizer valgrind
# timeout: 200
# Numbers that probes fetch at generated functions and lines of python3, while it runs a script, against gdb's.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
cp -L /usr/bin/python3 python # nobody else's
id=$(readelf -n python | sed -n 's/.*Build ID: \(..\)/\1\//p')
[ -e "/usr/lib/debug/.build-id/$id.debug" ] || skip "no debug information of python3 (python3.11-dbg)"
export g=spp$$ inst=/sys/kernel/tracing/instances/spp$$ XDG_CACHE_HOME=$T/cache
own_instance
cat >script <<'S'
def f(a, *b, **k): return a * len(b) + sum(k.values())
class A:
    def __init__(self): self.x = [1, 2, 3]
    def g(self): return {str(i): i ** 30 for i in self.x}
print(f(2, 3, 4, z=5), A().g(), 'abc'.upper() % (), b'x' * 3, [1.5, 2e10, 1 << 70], {1, 2} | {3})
try: int('q')
except ValueError as e: print(e, '%d %s %.3f' % (1, 'z', 2.5), sorted(['b', 'a'], key=lambda s: s[0]))
S
run python3 "$TOP/tests/interop/values.py" 30 python "$PWD/python" -S -s "$PWD/script"; cat "$T/out"; ok
