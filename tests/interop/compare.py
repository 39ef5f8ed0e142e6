#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares traces of one program: two by strace, one by sonde, each in strace -f -o form.

What differs between strace's own two runs (times, random bytes) cannot be expected to be the same in
sonde's; there it only counts whether the value is shown decoded. Prints the share of arguments that
strace decodes and sonde does too, the share that is equal, and every difference.

usage: compare.py STRACE1 STRACE2 SONDE [--min PERCENT] [--quiet]
"""
import difflib
import re
import sys

RAW = re.compile(r'^(0x[0-9a-f]+|PTR|-?\d+|NULL)$')
POINTER = re.compile(r'0x[0-9a-f]{5,}')


def read(path):
    """tid -> list of lines, calls that were cut in two joined again."""
    whole = open(path, errors='replace').read()
    m = re.search(r'^\[pid\s+(\d+)\s*\]', whole, re.M)  # lines of the first thread have no number until there are two
    first = re.search(r'^set_tid_address\(.*= (\d+)$', whole, re.M)
    alone = first.group(1) if first else m.group(1) if m else '0'
    threads, waiting = {}, {}
    for line in whole.splitlines():
        m = re.match(r'(?:\[pid\s+(\d+)\s*\] |\s*(\d+)\s+)?(.*)$', line.rstrip('\n'))
        tid, text = m.group(1) or m.group(2) or alone, m.group(3)
        if not text or text[0].isspace():
            continue
        if text.startswith(('---', '+++', '***')):
            continue
        if text.endswith('<unfinished ...>'):
            waiting[tid] = text[:-len('<unfinished ...>')].rstrip()
            threads.setdefault(tid, [])
            continue
        m = re.match(r'<\.\.\. (\w+) resumed>(.*)$', text)
        if m and tid in waiting:
            head = waiting.pop(tid)
            rest = m.group(2)
            text = head + (' ' + rest.lstrip() if head.endswith(',') or rest.startswith(' =>') else rest.lstrip())
        threads.setdefault(tid, []).append(text)
    for tid, head in waiting.items():  # died in the call
        threads[tid].append(head + ') = ?')
    return threads


def split_args(text):
    args, depth, cur, quoted, i = [], 0, '', False, 0
    while i < len(text):
        c = text[i]
        if quoted:
            cur += c
            if c == '\\' and i + 1 < len(text):
                i += 1
                cur += text[i]
            elif c == '"':
                quoted = False
        elif c == '"':
            quoted = True
            cur += c
        elif c in '([{':
            depth += 1
            cur += c
        elif c in ')]}':
            depth -= 1
            if depth < 0:
                return args + ([cur.strip()] if cur.strip() or args else []), text[i + 1:]
            cur += c
        elif c == ',' and depth == 0:
            args.append(cur.strip())
            cur = ''
        else:
            cur += c
        i += 1
    return args + ([cur.strip()] if cur.strip() else []), ''


def parse(line):
    m = re.match(r'(\w+)\((.*)$', line)
    if not m:
        return None
    args, rest = split_args(m.group(2))
    result = rest.split('=', 1)[1].strip() if '=' in rest else '?'
    return m.group(1), args, result


PIDS = re.compile(r'^(clone|fork|vfork|wait|kill|tgkill|getp?pid|gettid|set_tid|tkill|prlimit)')


def normal(text, tids):
    text = POINTER.sub('PTR', text)
    if len(tids) > 64 and not PIDS.match(text):  # with many threads any number is somebody's
        return text
    return re.sub(r'\b\d{2,}\b', lambda m: tids.get(m.group(0), m.group(0)), text)


def numbered(threads):
    return {tid: f'T{i}' for i, tid in enumerate(threads)}


def shapes(lines):
    return [re.sub(r'\d+', '#', line) for line in lines]


def names(lines):
    return [line.split('(', 1)[0] for line in lines]


def pair(a, b):
    """Threads of a with those of b: in order where the first calls agree, else by likeness."""
    left, out = list(b), []
    if len(a) == len(b) and len(a) > 64:
        return list(zip(a, b))
    for tid, lines in a.items():
        if not left:
            out.append((tid, None))
            continue
        want = shapes(lines)
        best = max(left, key=lambda t: (round(difflib.SequenceMatcher(None, want, shapes(b[t]), False).quick_ratio(), 2),
                                        -left.index(t)))
        left.remove(best)
        out.append((tid, best))
    return out


def aligned(x, y):
    """Indices of y for each line of x (None: no partner). What begins and ends alike needs no search."""
    a, b = names(x), names(y)
    same = 0
    while same < min(len(a), len(b)) and a[same] == b[same]:
        same += 1
    tail = 0
    while tail < min(len(a), len(b)) - same and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    to = list(range(same)) + [None] * (len(a) - same - tail) + list(range(len(b) - tail, len(b)))
    match = difflib.SequenceMatcher(None, a[same:len(a) - tail], b[same:len(b) - tail], False)
    for i, j, n in match.get_matching_blocks():
        for k in range(n):
            to[same + i + k] = same + j + k
    return to


class Count:
    def __init__(self):
        self.calls = self.missing = self.extra = self.args = self.decoded = self.comparable = self.equal = 0
        self.said = []

    def call(self, one, two, three):
        name, args, result = one
        self.calls += 1
        for i, want in enumerate(args + [result]):
            got = (three[1][i] if i < len(three[1]) else '(none)') if i < len(args) else three[2]
            again = want if not two else (two[1][i] if i < len(two[1]) else None) if i < len(args) else two[2]
            interesting = not RAW.match(want)
            bare = re.match(r'^(0x[0-9a-f]+|PTR)$', got)
            if interesting:
                self.args += 1
                if not bare and got != '(none)':
                    self.decoded += 1
                else:
                    self.said.append(f'{name}: argument {i + 1}: strace {want} sonde {got}')
                    continue
            if want == again:
                self.comparable += 1
                if want == got or (want == 'PTR' and got == 'PTR'):
                    self.equal += 1
                else:
                    self.said.append(f'{name}: argument {i + 1}: strace {want} sonde {got}')
        if len(args) != len(three[1]):
            self.said.append(f'{name}: strace has {len(args)} arguments, sonde {len(three[1])}: {three[1]}')


def main():
    files = [a for a in sys.argv[1:] if not a.startswith('--')][:3]
    least = float(sys.argv[sys.argv.index('--min') + 1]) if '--min' in sys.argv else 0
    one, two, three = map(read, files)
    first = numbered(one)
    again, there = dict(pair(one, two)), dict(pair(one, three))
    ids = [first, {again[t]: first[t] for t in one}, {there[t]: first[t] for t in one}]
    count = Count()
    for tid, other in there.items():
        if other is None:
            count.missing += len(one[tid])
            count.said.append(f'a thread of {len(one[tid])} calls is missing')
            continue
        x, y = one[tid], three[other]
        z = two.get(again.get(tid), [])
        to, to2 = aligned(x, y), aligned(x, z)
        stable = [i for i in range(len(x)) if to2[i] is not None]
        count.extra += len(y) - sum(1 for j in to if j is not None)
        for i, line in enumerate(x):
            if to[i] is None:
                if i in stable:
                    count.missing += 1
                    count.said.append(f'missing: {line[:120]}')
                continue
            a = parse(normal(line, ids[0]))
            b = parse(normal(z[to2[i]], ids[1])) if to2[i] is not None else None
            c = parse(normal(y[to[i]], ids[2]))
            if a and c:
                if b is None:
                    b = (a[0], [None] * len(a[1]), None)
                count.call(a, b, c)
    decoded = 100 * count.decoded / max(count.args, 1)
    equal = 100 * count.equal / max(count.comparable, 1)
    if '--quiet' not in sys.argv:
        for line in sorted(set(count.said)):
            print('  ', line[:400])
    print('counts', count.calls, count.missing, count.args, count.decoded, count.comparable, count.equal)
    print(f'calls {count.calls} missing {count.missing} extra {count.extra} arguments {count.args} '
          f'decoded {decoded:.2f} % equal {equal:.2f} % of {count.comparable}')
    sys.exit(0 if decoded >= least and equal >= least and count.missing == 0 else 1)


main()
