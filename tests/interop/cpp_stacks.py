#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# cpp_stacks.py stacks SCRIPT GDB | places SCRIPT GDB FILE: frames of `sonde script -F ip,sym,dso,dsoff` against gdb's (cpp_gdb.py).
# stacks: whole stacks, one after the other, up to main. places: each address of FILE with what is inlined there.
# Prints "EQUAL TOTAL", and every difference once.
#
# Names are compared as text without blanks, parameters, return types and clone suffixes (gdb prints some of them always or
# never). The function that has the code may be called what gdb's symbol for it is called, or what its debug information
# says. gdb does not tell whose operator() a lambda's is; sonde does, in front of it.
import re, sys

OPERATORS = ["operator()", "operator<<", "operator>>", "operator<=", "operator>=", "operator->", "operator<", "operator>"]

def normal(name):
    name = re.sub(r"( \[clone [^]]*\])+$", "", name)
    name = re.sub(r"(\.(isra|constprop|part|cold|lto_priv)(\.\d+)?)+$", "", name)
    name = re.sub(r"@@?GLIBC.*", "", name)
    for i, o in enumerate(OPERATORS):
        name = name.replace(o, "operator" + chr(1 + i))
    name = re.sub(r"\)( const| volatile| &+)+$", ")", name)
    if name.endswith(")"): # parameters
        depth = 0
        for at in range(len(name) - 1, -1, -1):
            depth += (name[at] == ")") - (name[at] == "(")
            if depth == 0:
                break
        if at and not name[:at].endswith(":"):
            name = name[:at]
    depth, start = 0, 0
    for at, c in enumerate(name): # a template's return type
        depth += (c in "<({") - (c in ">)}")
        if c == " " and depth == 0 and "operator" not in name[:at]:
            start = at + 1
    return name[start:].replace(" ", "")

def frames(path):
    """Of each sample: (address, inlined, name, file)."""
    out, stack = [], []
    for line in open(path, errors="replace"):
        m = re.match(r"\s+([0-9a-f]+) (.*) \((.*?)(?:\+0x([0-9a-f]+))?\)$", line.rstrip("\n"))
        if m:
            stack.append((int(m[4] or m[1], 16), m[3] == "inlined", m[2], m[3]))
        elif not line.strip() and stack:
            out.append(stack)
            stack = []
    return out + ([stack] if stack else [])

def said(path):
    out, stack = [], []
    for line in open(path, errors="replace"):
        words = line.rstrip("\n").split("\t")
        if len(words) == 4:
            stack.append((int(words[0], 16), *words[1:]))
        elif not line.strip() and stack:
            out.append(stack)
            stack = []
    return out + ([stack] if stack else [])

def same(ours, gdb):
    _, inlined, name, _ = ours
    _, kind, debug, symbol = gdb
    if kind == "s":
        return not inlined and name in ("__restore_rt", "<signal handler called>")
    if inlined != (kind == "i"):
        return False
    name = normal(name)
    if inlined:
        return normal(debug) in (name, re.sub(r".*\{lambda\}::", "", name))
    return name in (normal(symbol), normal(debug))

equal = total = 0
told = set()
def compare(ours, gdb):
    global equal, total
    pairs = max(len(ours), len(gdb))
    total += pairs
    good = sum(same(a, b) for a, b in zip(ours, gdb))
    equal += good
    if good < pairs:
        text = "sonde:\n" + "".join("\t%x %s%s\n" % (a, n, " (inlined)" if i else "") for a, i, n, _ in ours)
        text += "gdb:\n" + "".join("\t%x %s %s | %s\n" % g for g in gdb)
        if text not in told and len(told) < 20:
            print(text)
        told.add(text)

def to_main(stack, name):
    for i, frame in enumerate(stack):
        if normal(frame[name]) == "main" and frame[1] not in (True, "i"):
            return stack[:i + 1]
    return stack

ours, gdb = frames(sys.argv[2]), said(sys.argv[3])
if sys.argv[1] == "stacks":
    if len(ours) != len(gdb) or not ours:
        sys.exit(f"{len(ours)} stacks of sonde's, {len(gdb)} of gdb's")
    for a, b in zip(ours, gdb):
        compare(to_main(a, 2), to_main(b, 2))
else:
    places = {}
    for f in [f for s in gdb for f in s]:
        places.setdefault(f[0], []).append(f)
    for stack in ours:
        at = 0
        for i, frame in enumerate(stack):
            if not frame[1]: # the function that has the code: what is before it, at the same address, is inlined into it
                if frame[3] == sys.argv[4] and frame[0] in places:
                    compare(stack[at:i + 1], places[frame[0]])
                at = i + 1
print(equal, total)
