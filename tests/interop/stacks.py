#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# stacks.py [--whole] PERF SONDE: two outputs of `script`, sample by sample the same lines, but for two things.
# perf has no name for BPF programs and for some slots of a procedure linkage table. And in an
# epilogue the registers that the function saved are popped already, and the unwind tables still name their old places,
# now below the stack pointer and not in the copy: perf's libunwind gives up there, sonde takes the registers.
# So where the sampled instruction is such a one, perf's stack may be the beginning of sonde's.
# Exit 1: they differ. Exit 3 with --whole: they agree, but for at least one sample that perf could not follow.
import sys

def samples(path):
    text = open(path, encoding="utf-8", errors="surrogateescape").read().strip("\n")
    return [s.split("\n") for s in text.split("\n\n")]

def user_leaf(lines):
    """The first frame in user space: its address in the file, and the file (an inlined frame has that of its caller)."""
    ip = None
    for line in lines[1:]:
        words = line.split()
        if ip is None and int(words[0], 16) < 1 << 47:
            ip = int(words[0], 16)
        if ip is not None and words[-1].startswith("(/"):
            return ip, line[line.rindex("(") + 1:-1]
    return None

def leaves(lines):
    """Whether the sampled instruction is in an epilogue: a ret, or what stands behind a pop."""
    leaf = user_leaf(lines)
    if not leaf:
        return False
    try:
        with open(leaf[1], "rb") as f: # text lies in these files at its address
            f.seek(leaf[0] - 1)
            before, now, then = f.read(3)
    except (OSError, ValueError):
        return False
    return now == 0xC3 or now in (0xF2, 0xF3) and then == 0xC3 or 0x58 <= before <= 0x5F

def alike(want, got):
    return want == got or want.split()[0] == got.split()[0] and (
        "@plt" in want + got or "_init" in want or "[unknown]" in want and "bpf_prog_" in got)

def begins(want, got):
    return len(want) <= len(got) and all(map(alike, want, got))

whole = "--whole" in sys.argv
perf, sonde = (samples(p) for p in sys.argv[1:] if p != "--whole")
if len(perf) != len(sonde):
    sys.exit(f"{len(perf)} samples in perf's, {len(sonde)} in sonde's")
early = 0
for want, got in zip(perf, sonde):
    if len(want) == len(got) and begins(want, got):
        continue
    if begins(want, got) and leaves(got):
        early += 1
        continue
    print("--- perf", *want, "--- sonde", *got, sep="\n")
    sys.exit(1)
print(f"{len(perf)} samples agree, {early} of them in an epilogue, where perf's ends early")
sys.exit(3 if whole and early else 0)
