# SPDX-License-Identifier: GPL-2.0-or-later
"""branches.py OUT PROGRAM: a perf.data with branch stacks, which no virtual machine records. The samples lie in functions of
PROGRAM (its ELF symbols give the addresses, nm -n), and every flag of a branch occurs."""
import struct, subprocess, sys

out, program = sys.argv[1:3]
IP, TID, TIME, CPU, PERIOD, BRANCH = 1, 2, 4, 128, 256, 2048
PID, BASE = 4242, 0x400000
ATTR = 128  # bytes of a perf_event_attr that perf 6.1 knows

functions = []
for line in subprocess.check_output(["nm", "-n", "--defined-only", program], text=True).splitlines():
    addr, kind, name = line.split()
    if kind in "tT" and name in ("main", "one", "two", "three"):
        functions.append(int(addr, 16))
assert len(functions) >= 3, functions
load = [line.split() for line in subprocess.check_output(["readelf", "-lW", program], text=True).splitlines()
        if line.split()[:1] == ["LOAD"] and " E " in line.replace("R E", "R E ")]
offset, vaddr, size = (int(load[0][i], 16) for i in (1, 2, 4))
start = BASE + vaddr

def record(kind, body, misc=0):
    assert len(body) % 8 == 0
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body

def trailer(time):  # sample_id: tid, time, cpu
    return struct.pack("<IIQII", PID, PID, time, 0, 0)

def text(z):
    z = z.encode() + b"\0"
    return z + bytes(-len(z) % 8)

def branch(source, target, mispred=0, predicted=0, in_tx=0, abort=0, cycles=0, kind=0):
    flags = mispred | predicted << 1 | in_tx << 2 | abort << 3 | cycles << 4 | kind << 20
    return struct.pack("<QQQ", BASE + source, BASE + target, flags)

data = record(3, struct.pack("<II", PID, PID) + text("branchy") + trailer(1000))
data += record(1, struct.pack("<IIQQQ", PID, PID, start, size, offset) + text(program) + trailer(1001), misc=2)
time = 10_000_000_000
for i in range(60):
    a, b, c = functions[0], functions[1], functions[2]
    stack = [branch(a + 4 + i % 3, b, predicted=1, cycles=i % 7, kind=i % 12),
             branch(b + 6, c, mispred=i % 5 == 0, predicted=i % 5 != 0, cycles=3),
             branch(c + 2, a + 9, in_tx=i % 11 == 0, abort=i % 13 == 0),
             branch(0x7fff0000, b + 1)][:1 + i % 4]
    time += 1_000_000 + i
    body = struct.pack("<QIIQIIQQ", BASE + functions[i % 3] + 1, PID, PID, time, i % 2, 0, 1000 + i, len(stack)) + b"".join(stack)
    data += record(9, body, misc=2)
    if i % 20 == 19:
        data += record(68, b"")

attr = bytearray(ATTR)
struct.pack_into("<IIQQQQQ", attr, 0, 0, ATTR, 0, 1000, IP | TID | TIME | CPU | PERIOD | BRANCH, 4, 1 << 18)
struct.pack_into("<Q", attr, 72, 1 << 3)  # branch_sample_type: any
header = 104
ids_at = header
attrs_at = ids_at + 8
data_at = attrs_at + ATTR + 16
names = {3: "here", 4: "6.1.0", 6: "x86_64", 12: "cycles", 15: None}  # HOSTNAME, OSRELEASE, ARCH, EVENT_DESC, BRANCH_STACK
def string(z):
    return struct.pack("<I", 64) + z.encode() + bytes(64 - len(z))

def section(feature, z):
    if feature == 12:
        return struct.pack("<II", 1, ATTR) + bytes(attr) + struct.pack("<I", 1) + string(z) + struct.pack("<Q", 7)
    return b"\0" * 4 if z is None else string(z)

bits, table, body = 0, b"", b""
at = data_at + len(data) + 16 * len(names)
for f in sorted(names):
    s = section(f, names[f])
    bits |= 1 << f
    table += struct.pack("<QQ", at + len(body), len(s))
    body += s
with open(out, "wb") as o:
    o.write(b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, ATTR + 16, attrs_at, ATTR + 16, data_at, len(data), 0, 0))
    o.write(struct.pack("<QQQQ", bits, 0, 0, 0))
    o.write(struct.pack("<Q", 7) + bytes(attr) + struct.pack("<QQ", ids_at, 8) + data + table + body)
