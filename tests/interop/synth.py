# SPDX-License-Identifier: GPL-2.0-or-later
"""synth.py KIND OUT PROGRAM: a perf.data of what no virtual machine records, with samples in functions and variables of
PROGRAM (its ELF symbols give the addresses).

 memory   loads and stores: address, where the data was found, what it cost (record -d -W --phys-data --data-page-size)
 history  branch stacks (record -b), loops among them
 called   the same with call chains (record -b -g)
 blocks   branch stacks with cycles, some of them following each other in straight lines"""
import random, struct, subprocess, sys

IP, TID, TIME, ADDR, CALLCHAIN, CPU, PERIOD, BRANCH, WEIGHT = 1, 2, 4, 8, 1 << 5, 1 << 7, 1 << 8, 1 << 11, 1 << 14
DATA_SRC, PHYS, DATA_PAGE, WEIGHT_STRUCT = 1 << 15, 1 << 19, 1 << 22, 1 << 24
PID, BASE, ATTR = 4242, 0x400000, 128
USER = 2
NUMBERS = [1, 3, 10, 11, 13]
kind, out, program = sys.argv[1:4]
draw = random.Random(7)

symbols = {}
for line in subprocess.check_output(["nm", "-n", "-S", "--defined-only", program], text=True).splitlines():
    words = line.split()
    if len(words) == 4 and words[2] in "tTdDbB":
        symbols[words[3]] = (int(words[0], 16), int(words[1], 16))
loads = []
for line in subprocess.check_output(["readelf", "-lW", program], text=True).splitlines():
    w = line.split()
    if w[:1] == ["LOAD"]:
        flags = "".join(w[6:-1])
        loads.append((int(w[1], 16), int(w[2], 16), int(w[5], 16), flags))


def record(kind, body, misc=0):
    assert len(body) % 8 == 0
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer(time):
    return struct.pack("<IIQII", PID, PID, time, 0, 0)


def text(z):
    z = z.encode() + b"\0"
    return z + bytes(-len(z) % 8)


def mmap2(offset, vaddr, size, flags, time):
    first = vaddr & ~0xfff
    length = (vaddr + size + 0xfff & ~0xfff) - first
    prot = ("R" in flags) | ("W" in flags) << 1 | ("E" in flags) << 2
    body = struct.pack("<IIQQQIIQQII", PID, PID, BASE + first, length, offset & ~0xfff, 0, 0, 0, 0, prot, 2)
    return record(10, body + text(program) + trailer(time), misc=USER | (0 if "E" in flags else 1 << 13))


def branch(source, target, mispred=0, predicted=1, abort=0, cycles=0):
    return struct.pack("<QQQ", BASE + source, BASE + target, mispred | predicted << 1 | abort << 3 | cycles << 4)


def place(name, offset=0):
    return symbols[name][0] + offset


def memory_samples():
    op = {"load": 2, "store": 4}
    level = {"L1": 8, "LFB": 16, "L2": 32, "L3": 64, "RAM": 128, "none": 0}
    for i in range(80):
        what = draw.choice(["load", "store"])
        src = op[what] | (draw.choice([2, 4]) | level[draw.choice(list(level))]) << 5
        src |= draw.choice([1, 2, 4, 8, 16, 6]) << 19 | draw.choice([1, 2, 0]) << 24 | draw.choice([1, 2 | 8, 4 | 8 | 16, 2 | 32, 0]) << 26
        if i % 5 == 0:  # level by number, perhaps remote; its bit elsewhere unset, so that perf tells it apart
            src = src & ~(0x3fff << 5) | 4 << 5 | NUMBERS[i // 5 % 5] << 33 | (i // 5 % 5 > 2) << 37 | 1 << 5 + 8 + i // 5 % 5
        if i % 7 == 0:  # forwarded, from a peer
            src = src & ~(0x3fff << 19) | 1 << 24 | (10, 12)[i // 7 % 2] << 19 | (1 + i // 7 % 2) << 38
        src |= draw.choice([0, 1, 2, 4, 6]) << 40
        name = draw.choice(DATA)
        addr = BASE + place(name, draw.choice([0, 4, 8, 24])) if i % 9 else draw.choice([0, 0x7fff12345678, 0x10])
        weight = draw.choice([1, 7, 30, 200]) | draw.choice([0, 3, 40]) << 32 | draw.choice([0, 2]) << 48
        yield BASE + place(draw.choice(CODE), draw.choice([1, 4, 9])), addr, src, weight, addr and 0x1000000 + addr, draw.choice([0, 4096, 2 << 20])


def straight_stack(r):
    """A branch stack, latest first, each branch from what the one before it (in time) went to: runs of code that lie in one function"""
    at, stack = place(r.choice(CODE)), []
    for _ in range(r.randint(3, 9)):
        name = r.choice(CODE)
        end = at + r.choice([0, 4, 8, 12])
        target = place(name, r.choice([0, 0, 4]))
        stack.insert(0, branch(end, target, mispred=r.random() < 0.2, predicted=1, cycles=r.choice([1, 2, 5, 30, 400])))
        at = target
    return stack


def looped_stack(r):
    a, b, c = (place(n) for n in CODE[:3])
    ring = [branch(a + 4, b, cycles=2), branch(b + 6, a, cycles=3)]
    odd = [branch(c + 2, a + 1, cycles=4), branch(a + 9, c, mispred=1, predicted=0), branch(c + 7, b + 2, abort=1)]
    return r.sample(odd, r.randint(0, 2)) + ring * r.randint(0, 4) + r.sample(odd, r.randint(1, 3))


def sample_bodies():
    time = 10_000_000_000
    if kind == "memory":
        for ip, addr, src, weight, phys, page in memory_samples():
            time += 1000
            yield struct.pack("<QIIQQIIQQQQQ", ip, PID, PID, time, addr, 0, 0, 100, weight, src, phys, page)
        return
    for i in range(60):
        time += 1_000_000 + i
        leaf = draw.choice(CODE)
        ip = BASE + place(leaf, 1 if kind != "blocks" else draw.choice([1, 5]))
        stack = straight_stack(draw) if kind == "blocks" else looped_stack(draw)
        head = struct.pack("<QIIQ", ip, PID, PID, time)
        chain = [0xfffffffffffffe00, ip, BASE + place(CODE[0], 6), BASE + place("main", 9)]
        calls = struct.pack("<Q%dQ" % len(chain), len(chain), *chain) if kind == "called" else b""
        yield head + struct.pack("<IIQ", i % 2, 0, 1000 + i) + calls + struct.pack("<Q", len(stack)) + b"".join(stack)


CODE = [n for n in ("one", "two", "three", "main") if n in symbols]
DATA = [n for n in symbols if any(vaddr <= symbols[n][0] < vaddr + size and "E" not in f and "W" in f for _, vaddr, size, f in loads) and symbols[n][1] >= 32]
types = {"memory": IP | TID | TIME | ADDR | CPU | PERIOD | DATA_SRC | WEIGHT_STRUCT | PHYS | DATA_PAGE,
         "history": IP | TID | TIME | CPU | PERIOD | BRANCH, "called": IP | TID | TIME | CPU | PERIOD | CALLCHAIN | BRANCH, "blocks": IP | TID | TIME | CPU | PERIOD | BRANCH}[kind]
assert CODE and (DATA or kind != "memory"), symbols

data = record(3, struct.pack("<II", PID, PID) + text("made-up") + trailer(1000))
for i, load in enumerate(loads):
    data += mmap2(*load, 1001 + i)
for body in sample_bodies():
    data += record(9, body, misc=USER)

attr = bytearray(ATTR)
struct.pack_into("<IIQQQQQ", attr, 0, 0, ATTR, 0, 1000, types, 4, 1 << 18 | 1 << 23 | 1 << 8 | 1 << 17)
struct.pack_into("<Q", attr, 72, 1 << 3)  # branch_sample_type: any
ids_at = 104
attrs_at = ids_at + 8
data_at = attrs_at + ATTR + 16


def string(z):
    return struct.pack("<I", 64) + z.encode() + bytes(64 - len(z))


names = {3: "here", 4: "6.12.0", 6: "x86_64", 12: "cycles"}  # HOSTNAME, OSRELEASE, ARCH, EVENT_DESC
if types & BRANCH:
    names[15] = None
bits, table, features = 0, b"", b""
at = data_at + len(data) + 16 * len(names)
for f in sorted(names):
    if f == 12:
        s = struct.pack("<II", 1, ATTR) + bytes(attr) + struct.pack("<I", 1) + string(names[f]) + struct.pack("<Q", 7)
    else:
        s = bytes(4) if names[f] is None else string(names[f])
    bits |= 1 << f
    table += struct.pack("<QQ", at + len(features), len(s))
    features += s
with open(out, "wb") as o:
    o.write(b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, ATTR + 16, attrs_at, ATTR + 16, data_at, len(data), 0, 0))
    o.write(struct.pack("<QQQQ", bits, 0, 0, 0))
    o.write(struct.pack("<Q", 7) + bytes(attr) + struct.pack("<QQ", ids_at, 8) + data + table + features)
