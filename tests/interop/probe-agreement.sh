# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3 llvm-symbolizer gdb nm
# timeout: 400
# 200 generated questions about libc, python3, the guest's vmlinux, and a library of C with -O2 -g (bash itself has no
# debug package in Debian main): the definition is perf's, or a better one. What differs must be explained by a witness:
#   - a place that only one has: llvm-symbolizer's chain of inlined functions there has the function asked for, at the
#     line asked for (then sonde must have the place), or has it not (then perf alone may);
#   - an argument that only perf has: it is an inlined callee's, or gdb says that it is computed (DW_OP_stack_value), which
#     no probe can fetch (perf reads memory there);
#   - different values: perf's is no value (it reads what a computed address means as memory).
libc=$(ldconfig -p | sed -n 's/.*libc\.so\.6 (libc6,x86-64.*=> //p' | head -n 1)
vmlinux=$(ls /var/cache/sonde/*/vmlinux 2>/dev/null | head -n 1 || :)
export XDG_CACHE_HOME=$T/cache
cat >agree.py <<'P'
import concurrent.futures as cf, json, os, random, re, subprocess, sys
sonde = os.environ['SONDE']
n, opts = int(sys.argv[1]), sys.argv[2:]
kernel, file = opts[0] == '-k', os.path.realpath(opts[1])
def out(*cmd, **k): return subprocess.run(cmd, capture_output=True, text=True, **k)
def ask(tool, d):
    p = out(tool, 'probe', *opts, '-D', d)
    return [l.replace('\\0xdeade12d', '\\deade12d') for l in p.stdout.splitlines() if re.match('[pr]:', l)], p.stderr
def questions():
    fs = sorted(f for f in out(sonde, 'probe', '-F', *opts).stdout.split() if re.match('^[a-zA-Z][a-zA-Z0-9_]*$', f))
    r = random.Random(int(os.environ.get('SEED', 20)))
    for _ in range(n):
        f, line = r.choice(fs), r.randrange(1, 25)
        yield (f, None, f), (f, None, f + ' $params'), (f, line, f'{f}:{line}'), (f, line, f'{f}:{line} $vars'), \
              (f, None, f + '%return $retval'), (f, None, f + '+0 $params')
def debug_file():
    b = re.search('Build ID: (..)(.*)', out('readelf', '-n', file).stdout)
    d = f'/usr/lib/debug/.build-id/{b[1]}/{b[2]}.debug' if b else ''
    return d if os.path.exists(d) else file
def segments():
    return [[int(x, 16) for x in m] for m in re.findall(r'LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)', out('readelf', '-lW', file).stdout)]
symbols = {}
for l in (out('nm', file).stdout if kernel else '').splitlines():
    w = l.split()
    if len(w) == 3 and w[1] in 'tT': symbols.setdefault(w[2], int(w[0], 16))
loads = segments()
def addr(place):
    if kernel:
        s, _, o = place.partition('+')
        return symbols.get(s.split(':')[-1], 0) + int(o or '0', 0)
    off = int(place.split(':')[-1], 16)
    return next((off - o + v for o, v, size in loads if o <= off < o + size), 0)
def place(l): return l.split()[1]
def args(l): return dict(w.split('=', 1) for w in l.split()[2:] if '=' in w)
def plain(name): return re.sub(r'^_+(libc_|IO_|new_|GI_)?|[.@].*', '', name)
def chains(addrs):
    """address -> [(function, line from its first), ...] from the innermost inlined one outward"""
    p = out('llvm-symbolizer', '--obj=' + debug_file(), '--inlines', '--output-style=JSON', *[hex(a) for a in addrs])
    return {int(r['Address'], 16): [(plain(s['FunctionName']), s['Line'] - s['StartLine']) for s in r['Symbol']]
            for r in json.loads(p.stdout)} if addrs else {}
with cf.ThreadPoolExecutor(2) as ex:
    r = random.Random(7)
    asked = [r.choice(q) for q in questions()]
    answers = list(zip(asked, ex.map(lambda q: ask('perf', q[2]), asked), ex.map(lambda q: ask(sonde, q[2]), asked)))
todo, computed = set(), []
for (f, line, d), (a, _), (b, _) in answers:
    todo |= {addr(place(l)) for l in a + b} if [place(l) for l in a] != [place(l) for l in b] or [*map(args, a)] != [*map(args, b)] else set()
known = chains(sorted(todo))
extent = {}
for l in out('nm', '-S', '--defined-only', debug_file()).stdout.splitlines():
    w = l.split()
    if len(w) == 4 and w[2] in 'tTwWi': extent.setdefault(w[3].split('@')[0], []).append((int(w[0], 16), int(w[1], 16)))
def within(f, a): return any(s <= a < s + k for s, k in extent.get(f, []))
def complaints(f, line, a, b, ea):
    pa, pb = {place(l): args(l) for l in a}, {place(l): args(l) for l in b}
    for p in pa.keys() - pb.keys():
        if (plain(f) in [c[0] for c in known[addr(p)]] or within(f, addr(p))) and (line is None or (plain(f), line) in known[addr(p)]):
            yield f'only perf has {p}, which is {known[addr(p)]}'
    for p in pb.keys() - pa.keys():
        c, own = known[addr(p)], within(f, addr(p))
        if plain(f) not in [x[0] for x in c] and not own: yield f'only sonde has {p}, which is {c}'
        elif line is not None and 'sharing the address' not in ea and (plain(f), line) not in c and not own: yield f'only sonde has {p}, which is {c}'
    for p in pa.keys() & pb.keys():
        for x, v in pa[p].items():
            if v == pb[p].get(x) or v.startswith('@') or 'deade12d' in v: continue
            if known[addr(p)] and known[addr(p)][0][0] != plain(f) and x not in pb[p]: continue
            computed.append((f, p, x, v, pb[p].get(x)))
count, bad = {}, []
for (f, line, d), (a, ea), (b, eb) in answers:
    same = {place(l): args(l) for l in a} == {place(l): args(l) for l in b}
    why = [] if same else [*complaints(f, line, a, b, ea)]
    k = ('same' if a else 'neither') if same else 'WRONG' if why else 'only sonde' if not a else 'differs, explained'
    count[k] = count.get(k, 0) + 1
    if why: bad += [d, ' perf:', *a, ' sonde:', *b, eb, *why]
if computed:
    cmds = [x for f, p, v, _, _ in computed for x in ('-ex', f'echo @@{p} {v}\\n', '-ex', f'info scope *{addr(p):#x}')]
    parts = out('gdb', '-nx', '-batch', *cmds, file).stdout.split('@@')[1:]
    for (f, p, v, perf, ours), text in zip(computed, parts):
        m = re.search(rf'^Symbol {v} is (.*?)(?=^Symbol|\Z)', text, re.M | re.S)
        if m and 'DW_OP_' not in m[1]: bad.append(f'{f} at {p}: {v} is {perf} for perf, {ours} for sonde, and gdb says: {m[1][:300]}')
print(file, count, len(computed), 'arguments put to gdb')
print(*bad, sep='\n')
sys.exit(len(bad) > 0)
P
gcc -O2 -g -shared -fPIC -I "$SOURCE/src" -o libo2.so "$SOURCE"/src/base/{str,json,map,options}.c
run python3 agree.py 85 -x "$libc"; cat "$T/out"; ok
run python3 agree.py 25 -x "$PWD/libo2.so"; cat "$T/out"; ok
py=$(readlink -f /usr/bin/python3 || :)
id=$(readelf -n "$py" 2>/dev/null | sed -n 's/.*Build ID: \(..\)/\1\//p')
if [ -e "/usr/lib/debug/.build-id/$id.debug" ]; then run python3 agree.py 60 -x "$py"; cat "$T/out"; ok; else echo "no python3.11-dbg here"; fi
[ -n "$vmlinux" ] || { echo "no guest kernel here"; exit 0; }
run python3 agree.py 30 -k "$vmlinux"; cat "$T/out"; ok
