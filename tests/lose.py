# SPDX-License-Identifier: GPL-2.0-or-later
"""lose.py FILE COPY: in the copy of a recording of sched record a sample in the middle is a record LOST, of 7 events of CPU 0."""
import struct, sys
b = bytearray(open(sys.argv[1], "rb").read())
at, size = struct.unpack_from("<QQ", b, 40)
samples, p = [], at
while p < at + size:
    kind, _, length = struct.unpack_from("<IHH", b, p)
    if length < 8: break
    if kind == 9 and length >= 80: samples.append((p, length))
    p += length
p, length = samples[len(samples) // 2]
# a sample begins with identifier, ip, pid, tid, time; a LOST is followed by what sample_id_all says: pid, tid, time, cpu, identifier
ident, _, pid, tid, time = struct.unpack_from("<QQIIQ", b, p + 8)
trailer = struct.pack("<IIQIIQ", pid, tid, time, 0, 0, ident)
struct.pack_into("<IHH", b, p, 2, 0, length)
b[p + 8:p + length] = struct.pack("<QQ", ident, 7) + bytes(length - 24 - len(trailer)) + trailer
open(sys.argv[2], "wb").write(b)
