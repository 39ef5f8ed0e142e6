#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Are two reports the same but for the order of call-graph branches of equal weight?

perf puts branches of equal weight that lie in different files in the order of its own heap addresses,
which differs from run to run; branches in one file, and all of different weight, have one order.

usage: ties.py WANT GOT     exit code 0 when they are
"""
import re
import sys

BRANCH = re.compile(r'^([ |]*)--([\d.]+%?)--(.*)$')
FOLDED = re.compile(r'^()([\d.]+%?) (.*;.*)$')
CHAIN = re.compile(r'^([ |]{9,})([^\s|].*)$')


def tree(lines):
    """Nested tuples: (weight, text, what is below it), siblings of equal weight sorted."""
    out, i = [], 0
    while i < len(lines):
        column, weight, text = lines[i]
        i += 1
        below = i
        while weight is not None and i < len(lines) and lines[i][0] > column:
            i += 1
        out.append((weight, text, tree(lines[below:i]) if weight is not None else ()))
    at = 0
    while at < len(out):
        end = at + 1
        while out[at][0] is not None and end < len(out) and out[end][0] == out[at][0]:
            end += 1
        out[at:end] = sorted(out[at:end], key=repr)
        at = end
    return tuple(out)


def read(path):
    entries, graph = [], []
    for line in open(path, errors='replace').read().splitlines():
        m = BRANCH.match(line) or FOLDED.match(line)
        chain = None if m else CHAIN.match(line)
        if m:
            graph.append((len(m.group(1)), m.group(2), m.group(3)))
        elif chain and not line.startswith('#'):
            graph.append((len(chain.group(1)), None, chain.group(2)))
        elif line.strip(' |'):
            entries.append((line, tree(graph)))
            graph = []
    return entries + [tree(graph)]


if __name__ == '__main__':
    sys.exit(read(sys.argv[1]) != read(sys.argv[2]))
