#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""grow.py IN OUT MEGABYTES: a recording of that size from a small one, its records repeated, each round later in time.

For files of one event, without compression, whose samples begin with ip, pid and tid, time (sample_type has IP, TID,
TIME and none of IDENTIFIER, ADDR before them), as `record -g -e cpu-clock` makes them. The header's features are left
out: build-ids must be in the MMAP2 records."""
import struct
import sys

IP, TID, TIME, CPU, ID, STREAM, IDENTIFIER = 1, 2, 4, 1 << 7, 1 << 6, 1 << 9, 1 << 16
SAMPLE, USER_FIRST = 9, 64


def times(data, sample_type):
    """Offsets of the time in every record that has one."""
    behind = sum(8 for bit in (CPU, ID, STREAM, IDENTIFIER) if sample_type & bit)  # of the trailer, after the time
    at, out = 0, []
    while at + 8 <= len(data):
        kind, _, size = struct.unpack_from('<IHH', data, at)
        if size < 8 or at + size > len(data):
            break
        if kind == SAMPLE:
            out.append(at + 24)
        elif kind < USER_FIRST and struct.unpack_from('<Q', data, at + size - behind - 8)[0]:
            out.append(at + size - behind - 8)
        at += size
    return at, out


def main():
    source, target, want = sys.argv[1], sys.argv[2], int(sys.argv[3]) * 1000000
    whole = bytearray(open(source, 'rb').read())
    magic, header, attr_size, attrs, attrs_len, start, length = struct.unpack_from('<8s6Q', whole, 0)
    assert magic == b'PERFILE2' and attrs_len == attr_size, 'one event, little-endian'
    sample_type = struct.unpack_from('<Q', whole, attrs + 24)[0]
    assert sample_type & (IP | TID | TIME) == IP | TID | TIME and not sample_type & IDENTIFIER, hex(sample_type)
    data = bytearray(whole[start:start + length])
    end, where = times(data, sample_type)
    data = data[:end]
    at_first = [struct.unpack_from('<Q', data, w)[0] for w in where]
    span = max(at_first) - min(at_first) + 1000000
    rounds = max(1, round(want / len(data)))
    head = whole[:start]
    struct.pack_into('<Q', head, 48, rounds * len(data))
    head[72:104] = bytes(32)  # no features
    pack = struct.Struct('<Q').pack_into
    with open(target, 'wb') as out:
        out.write(head)
        for k in range(rounds):
            shift = k * span
            for w, t in zip(where, at_first):
                pack(data, w, t + shift)
            out.write(data)


main()
