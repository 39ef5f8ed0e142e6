#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers that probes fetch from a program, at generated functions and lines, against gdb's at the same address.

usage: values.py N FILE PROGRAM [ARG...]: FILE is the program itself or a library of it, and is probed wherever it runs,
so that a copy of one's own is best; N of its functions are tried. SEED, SONDE, and g, inst: the group and the trace instance to use.

The first hit of each place is compared, and only what two probed runs agree on: a variable that is not set yet holds
anything, and so may two bytes of padding. Only places in a function's own code count: in an inlined copy gdb chooses
which of the functions it shows. Addresses are not randomised: those on the stack and in the heap are the same in each
run; of what is mapped they are not, since the kernel maps a page of its own into a probed program.
"""
import ctypes
import json
import os
import random
import re
import subprocess
import sys

SONDE, GROUP, INST = os.environ['SONDE'], os.environ['g'], os.environ['inst']
NUMBER = re.compile(r'^[sux](8|16|32|64)$')


MAPPED = 0x7f0000000000, 0x7ffff8000000
ENV = {'PATH': '/usr/bin:/bin', 'HOME': '/', 'LANG': 'C.UTF-8', 'PYTHONHASHSEED': '0'}  # of the program, in each run


def out(*cmd, env=None):
    return subprocess.run(cmd, capture_output=True, text=True, errors='replace', env=env)


class Binary:
    def __init__(self, path):
        self.path = os.path.realpath(path)
        b = re.search('Build ID: (..)(.*)', out('readelf', '-n', self.path).stdout)
        d = f'/usr/lib/debug/.build-id/{b[1]}/{b[2]}.debug' if b else ''
        self.debug = d if os.path.exists(d) else self.path
        load = r'LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)'
        self.loads = [[int(x, 16) for x in m] for m in re.findall(load, out('readelf', '-lW', self.path).stdout)]

    def addr(self, off):
        return next((off - o + v for o, v, size in self.loads if o <= off < o + size), 0)

    def chains(self, addrs):
        p = out('llvm-symbolizer', '--obj=' + self.debug, '--inlines', '--output-style=JSON', *[hex(a) for a in addrs])
        return {int(r['Address'], 16): [s['FunctionName'] for s in r.get('Symbol', [])] for r in json.loads(p.stdout)}


def used_functions(binary, program, argv):
    """Those that the run calls: gdb's temporary breakpoints on all would be slow, callgrind tells it at once."""
    out('valgrind', '--tool=callgrind', '--callgrind-out-file=called', '--trace-children=no', program, *argv, env=ENV)
    called = set(re.findall(r'^c?fn=\(\d+\) (\w+)$', open('called', errors='replace').read(), re.M))
    return sorted(called & set(out(SONDE, 'probe', '-x', binary.path, '-F').stdout.split()))


def definitions(binary, f, line):
    """At that line, or else at the nearest that has code."""
    p = out(SONDE, 'probe', '-x', binary.path, '-D', f'{f}:{line} $vars')
    near = re.search(r'nearest lines? that ha\w+ some: (\d+)', p.stderr)
    if near:
        p = out(SONDE, 'probe', '-x', binary.path, '-D', f'{f}:{near[1]} $vars')
    return p.stdout.splitlines()


def choose(binary, functions, n):
    """address -> numbers to fetch there, for n places that sonde finds variables at"""
    r, chosen = random.Random(int(os.environ.get('SEED', 4))), {}
    for f in r.sample(functions, min(n, len(functions))):
        for d in definitions(binary, f, r.randrange(20)):
            w = d.split()
            off = int(w[1].split(':')[-1], 16)
            args = [re.match(r'(\w+)=(.*):(\w+)$', x) for x in w[2:]]
            good = [m.group(0) for m in args if m and NUMBER.match(m[3]) and not m[2].startswith('\\')]
            if good and binary.addr(off) not in chosen:
                chosen[binary.addr(off)] = (f, off, good)
    known = binary.chains(sorted(chosen))
    return {a: c for a, c in chosen.items() if len(known.get(a, [])) == 1}


def write(path, text, how=os.O_TRUNC | os.O_CREAT):
    fd = os.open(path, os.O_WRONLY | how, 0o644)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def probed(binary, command, chosen):
    """address -> {name: value} as the kernel fetched them"""
    for a, (_, off, args) in chosen.items():
        line = f'p:{GROUP}/e{a:x} {binary.path}:{off:#x} {" ".join(args)}'
        try:
            write('/sys/kernel/tracing/uprobe_events', line + '\n', os.O_APPEND)
        except OSError as e:
            sys.exit(f'the kernel refuses {line}: {e}')
    first, second = one_run(command), one_run(command)
    return {a: {k: v for k, v in args.items() if second.get(a, {}).get(k) == v} for a, args in first.items()}


def one_run(command):
    write(f'{INST}/events/{GROUP}/enable', '1')
    not_random = 0x0040000
    p = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENV, preexec_fn=lambda: ctypes.CDLL(None).personality(not_random))
    p.wait()
    write(f'{INST}/events/{GROUP}/enable', '0')
    got = {}
    for line in open(INST + '/trace', errors='replace'):
        m = re.search(r'-(\d+) .* e([0-9a-f]+): \(0x\w+\) (.*)$', line)
        if m and int(m[1]) == p.pid:
            got.setdefault(int(m[2], 16), {k: int(v, 0) for k, v in re.findall(r'(\w+)=(-?\w+)', m[3])})
    write(INST + '/trace', '')
    return got


GDB = '''
import gdb, re
for x in ('pagination off', 'confirm off', 'startup-with-shell off'):
    gdb.execute('set ' + x)
gdb.execute('unset environment')
for name, value in ENV.items():
    gdb.execute(f'set environment {name} {value}')
gdb.execute('starti', to_string=True)

def base():
    m = re.search(r'^ *(0x\\w+) .* 0x0 .*' + re.escape(FILE) + '$', gdb.execute('info proc mappings', to_string=True), re.M)
    return int(m[1], 16) - FIRST if m else None

gdb.execute('catch syscall close', to_string=True)  # the loader closes a library when it has mapped it
while base() is None:
    gdb.execute('continue', to_string=True)
gdb.execute('delete')

class Place(gdb.Breakpoint):
    def stop(self):
        frame = gdb.selected_frame()
        for name in self.names:
            try:
                v = frame.read_var(name)
                if v.type.strip_typedefs().code != gdb.TYPE_CODE_FLT:  # a probe fetches its bits
                    print('%x %s %d' % (self.addr, name, int(v)), file=values, flush=True)
            except Exception:
                pass
        self.enabled = False
        return False

where, values = base(), open('values', 'w')
for addr, names in PLACES.items():
    p = Place('*%#x' % (where + addr), internal=True)
    p.addr, p.names = addr, names
gdb.execute('continue', to_string=True)
'''


def by_gdb(binary, command, chosen):
    first = min(v - o for o, v, _ in binary.loads if o == 0)
    places = {a: [x.split('=')[0] for x in args] for a, (_, _, args) in chosen.items()}
    write('script.py', f'ENV, FILE, FIRST, PLACES = {ENV}, {binary.path!r}, {first}, {places}\n' + GDB)
    out('gdb', '-q', '-batch', '-nx', '-x', 'script.py', '--args', *command)
    got = {}
    for a, name, v in re.findall(r'^([0-9a-f]+) (\w+) (-?\d+)$', open('values').read(), re.M):
        got.setdefault(int(a, 16), {})[name] = int(v)
    return got


def main():
    n, binary, command = int(sys.argv[1]), Binary(sys.argv[2]), [os.path.realpath(sys.argv[3]), *sys.argv[4:]]
    if binary.path != command[0]:
        ENV['LD_LIBRARY_PATH'] = os.path.dirname(binary.path)
    functions = used_functions(binary, command[0], command[1:])
    chosen = choose(binary, functions, n)
    ours, gdb = probed(binary, command, chosen), by_gdb(binary, command, chosen)
    same, bad = 0, []
    for a in ours.keys() & gdb.keys():
        bits = {m[1]: int(m[2]) for x in chosen[a][2] if (m := re.match(r'(\w+)=.*:[sux](\d+)$', x))}
        for name, v in ours[a].items():
            if v == os.getpid() or MAPPED[0] <= v < MAPPED[1]:  # its parent is another in gdb
                continue
            if name in gdb[a] and (v - gdb[a][name]) % (1 << bits[name]) == 0:
                same += 1
            elif name in gdb[a]:
                bad.append(f'{chosen[a][0]} at {a:#x}: {name} is {v} for the probe, {gdb[a][name]} for gdb ({chosen[a][2]})')
    print(f'{binary.path}: {len(functions)} functions, {len(chosen)} places, {len(ours)} hit by probes, {len(gdb)} by gdb; {same} values the same, {len(bad)} not')
    print(*bad, sep='\n')
    sys.exit(bool(bad) or same < 10)


main()
