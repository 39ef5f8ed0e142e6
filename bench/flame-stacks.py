#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""flame-stacks.py N [EXPONENT]: N different folded stacks, the same ones each time: a made-up program of 3,000 functions, of which
each calls a few others, some much more often than the rest; 8 to 40 deep; weights by Zipf."""
import random, sys

n, exponent = int(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 1.5
rng = random.Random(16)
names = ["%s_%s_%d" % (rng.choice(("read", "write", "parse", "hash", "alloc", "lock", "find", "sort")),
                       rng.choice(("node", "page", "list", "key", "row", "block", "item", "name")), i) for i in range(3000)]
calls = [[rng.randrange(3000) for _ in range(rng.randint(2, 9))] for _ in names]
seen, out = set(), []
while len(seen) < n:
    at, stack = 0, ["main"]
    for _ in range(rng.randint(7, 39)):
        to = calls[at]
        at = to[int(len(to) * rng.random() ** 3)]
        stack.append(names[at])
    text = ";".join(stack)
    if text in seen:
        continue
    seen.add(text)
    out.append("%s %d\n" % (text, max(1, int(1e9 / len(seen) ** exponent))))
rng.shuffle(out)
sys.stdout.writelines(out)
