#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers that probes fetch from a program, at generated functions and lines, against gdb's at the same address.

usage: values.py N PROGRAM [ARG...]; SEED, SONDE, and g, inst: the group and the trace instance to use.

The first hit of each place is compared, and only what two probed runs agree on: a variable that is not set yet holds
anything. Only places in a function's own code count: in an inlined copy gdb chooses
which of the functions it shows.
"""
import json
import os
import random
import re
import subprocess
import sys

SONDE, GROUP, INST = os.environ['SONDE'], os.environ['g'], os.environ['inst']
NUMBER = re.compile(r'^[su](8|16|32|64)$')


def out(*cmd):
    return subprocess.run(cmd, capture_output=True, text=True, errors='replace')


def chains(program, addrs):
    p = out('llvm-symbolizer', '--obj=' + program, '--inlines', '--output-style=JSON', *[hex(a) for a in addrs])
    return {int(r['Address'], 16): [s['FunctionName'] for s in r['Symbol']] for r in json.loads(p.stdout)}


def used_functions(program, argv):
    """Those that the run calls: gdb's temporary breakpoints on all would be slow, callgrind tells it at once."""
    out('valgrind', '--tool=callgrind', '--callgrind-out-file=called', '--trace-children=no', program, *argv)
    return sorted(set(re.findall(r'^c?fn=\(\d+\) (\w+)$', open('called', errors='replace').read(), re.M)))


def segments(program):
    load = r'LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)'
    return [[int(x, 16) for x in m] for m in re.findall(load, out('readelf', '-lW', program).stdout)]


def choose(program, functions, n):
    """address -> numbers to fetch there, for n places that sonde finds variables at"""
    r, chosen, loads = random.Random(int(os.environ.get('SEED', 4))), {}, segments(program)
    for _ in range(n * 6):
        if len(chosen) >= n:
            break
        f, line = r.choice(functions), r.choice([0, 0, *range(1, 20)])
        for d in out(SONDE, 'probe', '-x', program, '-D', f'{f}:{line} $vars').stdout.splitlines():
            w = d.split()
            off = int(w[1].split(':')[-1], 16)
            addr = next((off - o + v for o, v, size in loads if o <= off < o + size), 0)
            args = [re.match(r'(\w+)=(.*):(\w+)$', x) for x in w[2:]]
            good = [m.group(0) for m in args if m and NUMBER.match(m[3]) and not m[2].startswith('\\')]
            if good and addr not in chosen:
                chosen[addr] = (f, off, good)
    known = chains(program, sorted(chosen))
    return {a: c for a, c in chosen.items() if known.get(a) == [c[0]]}


def write(path, text, how=os.O_TRUNC | os.O_CREAT):
    fd = os.open(path, os.O_WRONLY | how, 0o644)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def probed(program, argv, chosen):
    """address -> {name: value} as the kernel fetched them"""
    for a, (_, off, args) in chosen.items():
        line = f'p:{GROUP}/e{a:x} {program}:{off:#x} {" ".join(args)}'
        try:
            write('/sys/kernel/tracing/uprobe_events', line + '\n', os.O_APPEND)
        except OSError as e:
            sys.exit(f'the kernel refuses {line}: {e}')
    first, second = one_run(program, argv), one_run(program, argv)
    return {a: {k: v for k, v in args.items() if second.get(a, {}).get(k) == v} for a, args in first.items()}


def one_run(program, argv):
    write(f'{INST}/events/{GROUP}/enable', '1')
    subprocess.run([program, *argv], stdout=subprocess.DEVNULL)
    write(f'{INST}/events/{GROUP}/enable', '0')
    got = {}
    for line in open(INST + '/trace', errors='replace'):
        m = re.search(r' e([0-9a-f]+): \(0x\w+\) (.*)$', line)
        if m:
            got.setdefault(int(m[1], 16), {k: int(v) for k, v in re.findall(r'(\w+)=(-?\d+)', m[2])})
    write(INST + '/trace', '')
    return got


def by_gdb(program, argv, chosen, base):
    script = ['set pagination off', 'set confirm off', 'unset environment LINES', 'unset environment COLUMNS', 'starti']
    for a, (_, _, args) in chosen.items():
        script += [f'tbreak *{base + a:#x}', 'commands', 'silent', f'printf "HIT {a:x}\\n"']
        for x in args:
            name = x.split('=')[0]
            script += [f'python\ntry: print("VAL {a:x} {name}", int(gdb.selected_frame().read_var("{name}")))\nexcept Exception: pass\nend']
        script += ['cont', 'end']
    script += ['cont']
    write('script.gdb', '\n'.join(script) + '\n')
    text = out('gdb', '-q', '-batch', '-nx', '-x', 'script.gdb', '--args', program, *argv).stdout
    got = {}
    for a, name, v in re.findall(r'^VAL ([0-9a-f]+) (\w+) (-?\d+)$', text, re.M):
        got.setdefault(int(a, 16), {})[name] = int(v)
    return got


def main():
    n, program, argv = int(sys.argv[1]), os.path.realpath(sys.argv[2]), sys.argv[3:]
    pie = 'DYN (' in out('readelf', '-h', program).stdout
    chosen = choose(program, used_functions(program, argv), n)
    ours, gdb = probed(program, argv, chosen), by_gdb(program, argv, chosen, 0x555555554000 if pie else 0)
    same, bad = 0, []
    for a in ours.keys() & gdb.keys():
        for name, v in ours[a].items():
            if name in gdb[a] and v == gdb[a][name]:
                same += 1
            elif name in gdb[a]:
                bad.append(f'{chosen[a][0]} at {a:#x}: {name} is {v} for the probe, {gdb[a][name]} for gdb ({chosen[a][2]})')
    print(f'{program}: {len(chosen)} places, {len(ours)} hit by probes, {len(gdb)} by gdb; {same} values the same, {len(bad)} not')
    print(*bad, sep='\n')
    sys.exit(bool(bad) or same < 10)


main()
