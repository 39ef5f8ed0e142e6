#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# stacks.py [--whole] PERF SONDE: an output of perf 6.1's script and one of sonde script -F +dsoff, sample by sample the same
# lines. The addresses in perf 6.1's are those in the file, as dsoff has them. But for four things:
# perf calls the function itself inlined where DWARF has another name for it than the symbol table (interop/cpp-stacks
# compares with gdb), and not inlined what was inlined into a function of its name. It looks for the name of the signal
# trampoline one byte before it.
# perf has no name for BPF programs and for some slots of a procedure linkage table. And in an
# epilogue the registers that the function saved are popped already, and the unwind tables still name their old places,
# now below the stack pointer and not in the copy: perf's libunwind gives up there, sonde takes the registers.
# So where the sampled instruction is such a one, perf's stack may be the beginning of sonde's.
# Exit 1: they differ. Exit 3 with --whole: they agree, but for at least one sample that perf could not follow.
import re, sys

def samples(path):
    text = open(path, encoding="utf-8", errors="surrogateescape").read().strip("\n")
    return [as_61(s.split("\n")) for s in text.split("\n\n")]

def as_61(lines):
    """With addresses in the file; an inlined function has no file: it is in that of the line nearest to it"""
    at = re.compile(r"\t *([0-9a-f]+)( .*) \((.*)\+0x([0-9a-f]+)\)$")
    known = [(int(m.group(1), 16), int(m.group(4), 16)) for m in map(at.match, lines) if m]
    out = [" ".join(lines[0].split())]
    for line in lines[1:]:
        m = at.match(line)
        if m:
            line = "\t%16x%s (%s)" % (int(m.group(4), 16), m.group(2), m.group(3))
        elif line.endswith(" (inlined)") and known:
            ip = int(line.split()[0], 16)
            near = min(known, key=lambda k: abs(k[0] - ip))
            line = "\t%16x%s" % (near[1] + ip - near[0], line[17:])
        out.append(line)
    return out

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
    if want == got:
        return True
    a, b = int(want.split()[0], 16), int(got.split()[0], 16)
    if a != b:
        return a + 1 == b and "[unknown]" in want and "__restore_rt" in got
    if want.endswith("(inlined)") != got.endswith("(inlined)"):
        return want.endswith("(inlined)") or want.split()[1] == got.split()[1]
    return "@plt" in want + got or "_init" in want or "[unknown]" in want and "bpf_prog_" in got

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
