#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Generated questions to sonde and perf: is sonde's probe definition perf's, or a better one?

usage: agree.py N (-x FILE | -k VMLINUX); SEED chooses the questions, SONDE is the program.

What differs must be explained by a witness that is neither of the two:
  - a place that only one has: llvm-symbolizer's chain of inlined functions there has the function asked for, at the
    line asked for (then sonde must have the place), or has it not (then perf alone may);
  - a place that only sonde has: a row of the line table that begins a statement says so (two lines may share an
    address, and symbolizers tell only the last), or a copy of the function whose code is all gone has its entry there;
  - an argument that only perf has: it is an inlined callee's, or gdb says that it is computed (DW_OP_stack_value), which
    no probe can fetch (perf reads memory there);
  - different values: perf's is no value (it reads what a computed address means as memory);
  - a $retval that sonde refuses: gdb says that the function returns nothing, or a floating-point number.
"""
import concurrent.futures as cf
import json
import os
import random
import re
import subprocess
import sys

SONDE = os.environ['SONDE']


def out(*cmd):
    return subprocess.run(cmd, capture_output=True, text=True, errors='replace')


class Binary:
    """The file that is asked about, and what the witnesses say of it."""

    def __init__(self, opts):
        self.kernel, self.file = opts[0] == '-k', os.path.realpath(opts[1])
        self.opts = [opts[0], self.file]
        self.debug = self.debug_file()
        load = r'LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)'
        self.loads = [[int(x, 16) for x in m] for m in re.findall(load, out('readelf', '-lW', self.file).stdout)]
        self.extent = {}
        for line in out('nm', '-S', '--defined-only', self.debug).stdout.splitlines():
            w = line.split()
            if len(w) == 4 and w[2] in 'tTwWi':
                self.extent.setdefault(w[3].split('@')[0], []).append((int(w[0], 16), int(w[1], 16)))
            elif len(w) == 3 and w[1] in 'tT':
                self.extent.setdefault(w[2], []).append((int(w[0], 16), 0))
        self.at = {}
        for name, places in self.extent.items():
            for start, _ in places:
                self.at.setdefault(start, set()).add(name)
        self.chain, self.row, self.entry = {}, {}, {}

    def exact_names(self, f):
        """The function's names: several symbols may be on one address."""
        return {f}.union(*[self.at[start] for start, _ in self.extent.get(f, [])])

    def names(self, f):
        return {plain(x) for x in self.exact_names(f)}

    def debug_file(self):
        b = re.search('Build ID: (..)(.*)', out('readelf', '-n', self.file).stdout)
        d = f'/usr/lib/debug/.build-id/{b[1]}/{b[2]}.debug' if b else ''
        return d if os.path.exists(d) else self.file

    def functions(self):
        names = out(SONDE, 'probe', '-F', *self.opts).stdout.split()
        return sorted(f for f in names if re.match('^[a-zA-Z][a-zA-Z0-9_]*$', f))

    def addr(self, place):
        if self.kernel:
            s, _, o = place.partition('+')
            return self.extent.get(s.split(':')[-1], [(0, 0)])[0][0] + int(o or '0', 0)
        off = int(place.split(':')[-1], 16)
        return next((off - o + v for o, v, size in self.loads if o <= off < o + size), 0)

    def within(self, f, a):
        return any(s <= a < s + k for s, k in self.extent.get(f, []))

    def learn_chains(self, addrs):
        """address -> [(function, line from its first, its first, its name as it is), ...] from the innermost inlined one outward"""
        if not addrs:
            return
        p = out('llvm-symbolizer', '--obj=' + self.debug, '--inlines', '--output-style=JSON', *[hex(a) for a in addrs])
        for r in json.loads(p.stdout):
            self.chain[int(r['Address'], 16)] = [
                (plain(s['FunctionName']), s['Line'] - s['StartLine'], s['StartLine'], s['FunctionName']) for s in r.get('Symbol', [])]

    def start_line(self, f):
        """Of a function whose declaration is not told (assembler): the line of its first instruction."""
        self.learn_chains([a for a, _ in self.extent.get(f, [])[:1] if a not in self.chain])
        c = self.chain.get(self.extent[f][0][0]) if f in self.extent else None
        return c[-1][1] + c[-1][2] if c else 0

    def has_row(self, a, line):
        """Does a statement of this line (of its file) begin at the address?"""
        cu = re.search(r'DW_AT_stmt_list\s*\((0x\w+)\)', out('llvm-dwarfdump', f'--lookup={a:#x}', self.debug).stdout)
        if not cu:
            return False
        if cu[1] not in self.row:
            rows = re.findall(r'^(0x\w+) +(\d+) .* is_stmt', out('llvm-dwarfdump', f'--debug-line={cu[1]}', self.debug).stdout, re.M)
            self.row[cu[1]] = {(int(x, 16), int(n)) for x, n in rows}
        return (a, line) in self.row[cu[1]]

    def is_entry(self, f, a):
        """Does a copy of the function begin there, be it without a byte of code?"""
        if f not in self.entry:
            text = out('llvm-dwarfdump', '--name=' + f, self.debug).stdout
            self.entry[f] = {int(x, 16) for x in re.findall(r'(?:DW_AT_(?:entry|low)_pc\s*\(|^\s*\[)(0x\w+)', text, re.M)}
        return a in self.entry[f]


def plain(name):
    return re.sub(r'^_+(libc_|IO_|new_|GI_)?|[.@].*', '', name)


def place(definition):
    return definition.split()[1]


def args(definition):
    return dict(w.split('=', 1) for w in definition.split()[2:] if '=' in w)


def questions(binary, n):
    """(function, line or None, definition) n times"""
    functions = binary.functions()
    r, pick = random.Random(int(os.environ.get('SEED', 20))), random.Random(7)
    for _ in range(n):
        f, line = r.choice(functions), r.randrange(1, 25)
        yield pick.choice(((f, None, f), (f, None, f + ' $params'), (f, line, f'{f}:{line}'), (f, line, f'{f}:{line} $vars'),
                           (f, None, f + '%return $retval'), (f, None, f + '+0 $params')))


def ask(tool, binary, definition):
    p = out(tool, 'probe', '--max-probes=10000', *binary.opts, '-D', definition)
    lines = [x.replace('\\0xdeade12d', '\\deade12d') for x in p.stdout.splitlines() if re.match('[pr]:', x)]
    return lines, p.stderr


def of_function(b, f, line, a):
    """Is the address code of the function, at that line of it?"""
    return any(c[0] in b.names(f) and c[1] == line for c in b.chain[a])


def complaints(b, question, ours, perfs, perf_says, computed):
    f, line, _ = question
    names = b.names(f)
    pp, po = {place(x): args(x) for x in perfs}, {place(x): args(x) for x in ours}
    ours_at = {b.addr(p) for p in po}  # perf names places by symbols that several functions may have
    for p in pp.keys() - po.keys():
        a = b.addr(p)
        if a in ours_at:
            continue
        mine = any(c[0] in names for c in b.chain[a]) or b.within(f, a)
        if mine and (line is None or of_function(b, f, line, a)):
            yield f'only perf has {p}, which is {b.chain[a]}'
    for p in po.keys() - pp.keys():
        a = b.addr(p)
        mine = [c for c in b.chain[a] if c[0] in names]
        if not mine and not b.within(f, a):
            if not any(b.is_entry(x, a) for x in b.exact_names(f)):
                yield f'only sonde has {p}, which is {b.chain[a]}'
        elif line is not None and 'sharing the address' not in perf_says and not of_function(b, f, line, a):
            if not any(b.has_row(a, (c[2] or b.start_line(f)) + line) for c in mine):
                yield f'only sonde has {p}, which is {b.chain[a]}'
    for p in pp.keys() & po.keys():
        for x, v in pp[p].items():
            if v == po[p].get(x) or v.startswith('@') or 'deade12d' in v:
                continue
            chain = b.chain[b.addr(p)]
            callee = len(chain) > 1 and chain[0][3] not in b.exact_names(f)  # _PyUnicode_X may be in PyUnicode_X
            if x not in po[p] and (callee or chain and chain[0][0] not in names):
                continue
            computed.append((f, p, x, v, po[p].get(x)))


def no_retval(b, f):
    """Does gdb say that no integer register has what the function returns?"""
    said = out('gdb', '-nx', '-batch', '-ex', f"whatis '{f}'", b.debug).stdout
    return re.match(r'type = (void|float|double|long double|_Float\d+x?) \(', said)


def ask_gdb(b, computed):
    """Arguments that differ, and that gdb does not say to be computed."""
    cmds = [x for f, p, v, _, _ in computed for x in ('-ex', f'echo @@{p} {v}\\n', '-ex', f'info scope *{b.addr(p):#x}')]
    parts = out('gdb', '-nx', '-batch', *cmds, b.file).stdout.split('@@')[1:] if computed else []
    for (f, p, v, perfs, ours), text in zip(computed, parts):
        m = re.search(rf'^Symbol {v} is (.*?)(?=^Symbol|\Z)', text, re.M | re.S)
        if m and 'DW_OP_' not in m[1]:
            yield f'{f} at {p}: {v} is {perfs} for perf, {ours} for sonde, and gdb says: {m[1][:300]}'


def main():
    b = Binary(sys.argv[2:])
    asked = list(questions(b, int(sys.argv[1])))
    with cf.ThreadPoolExecutor(2) as ex:
        perf = ex.map(lambda q: ask('perf', b, q[2]), asked)
        sonde = ex.map(lambda q: ask(SONDE, b, q[2]), asked)
        answers = list(zip(asked, perf, sonde))

    def same(x, y):
        return {place(d): args(d) for d in x} == {place(d): args(d) for d in y}
    b.learn_chains(sorted({b.addr(place(d)) for _, (x, _), (y, _) in answers if not same(x, y) for d in x + y}))
    count, bad, computed = {}, [], []
    for q, (perfs, perf_says), (ours, we_say) in answers:
        equal = same(perfs, ours)
        refused = not ours and '$retval cannot be fetched' in we_say and no_retval(b, q[0])
        why = [] if equal or refused else [*complaints(b, q, ours, perfs, perf_says, computed)]
        k = ('same' if perfs else 'neither') if equal else 'WRONG' if why else 'only sonde' if not perfs else 'differs, explained'
        count[k] = count.get(k, 0) + 1
        if why:
            bad += [q[2], ' perf:', *perfs, ' sonde:', *ours, we_say, *why]
    bad += ask_gdb(b, computed)
    print(b.file, count, len(computed), 'arguments put to gdb')
    print(*bad, sep='\n')
    sys.exit(len(bad) > 0)


main()
