# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3
# A trace.dat of a megabyte or two that tells the same over and over, so that whoever reads it runs out of memory: refused early.
cat >bomb.py <<'P'
import struct, zlib
q, d, h = (lambda n: struct.pack('<Q', n)), (lambda n: struct.pack('<I', n)), (lambda n: struct.pack('<H', n))
magic = b"\x17\x08\x44tracing"
start = b"\0\x08" + d(4096)
page = b"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n"
def section(id, data, flags=0): return h(id) + h(flags) + d(0) + q(len(data)) + data

def table(cpus, buffers, size):  # many buffers with one and the same table of CPUs
	f = magic + b"6\0" + start + b"header_page\0" + q(len(page)) + page + b"header_event\0" + q(0) + d(0) * 4 + q(0) + d(cpus) + b"options  \0"
	at = len(f) + buffers * 16 + 2
	f += (h(3) + d(10) + q(at) + b"a\0") * buffers + h(0)
	return f + b"flyrecord\0" + (q(4096) + q(size)) * cpus + q(0)

def formats(times, size):  # one section of formats, told of again and again
	f = magic + b"7\0" + start + b"none\0\0"
	f += q(len(f) + 8)
	at = len(f) + 16 + times * 14 + 14
	return f + section(0, (h(18) + d(8) + q(at)) * times + h(0) + d(8) + q(0)) + section(18, d(1) + b"sys\0" + d(1) + q(size) + b"x" * size)

def options(times, size):  # options that are small only as long as they are packed
	f = magic + b"7\0" + start + b"zlib\0\0"
	f += q(len(f) + 8)
	for i in range(times):
		for pack in 0, 1:
			body = h(2) + d(size) + b"y" * size + h(0) + d(8) + q(len(f) + 16 + room if pack and i + 1 < times else 0)
			c = zlib.compress(body, 1)
			room = len(c) + 100
		f += section(0, (d(len(c)) + d(len(body)) + c).ljust(room, b"\0"), 1)
	return f

for name, data in ("empty", table(65536, 4000, 0)), ("pages", table(65536, 4000, 4096)), ("formats", formats(20000, 1 << 20)), ("options", options(8, 48 << 20)):
	open(name + ".dat", "wb").write(data)
with open("sparse.dat", "wb") as f:
	f.write(magic + b"6\0" + start + b"header_page\0" + q(30 << 30))
	f.truncate(40 << 30)
P
python3 bomb.py

# a graph whose exits do not say when
cat >graph.py <<'P'
import struct
q, d = (lambda n: struct.pack('<Q', n)), (lambda n: struct.pack('<I', n))
exec(open("bomb.py").read().split("def section")[0].split("import struct, zlib")[1])
common = "format:\n" + "".join(f"\tfield:{t};\toffset:{o};\tsize:{s};\tsigned:{g};\n" for t, o, s, g in (
	("unsigned short common_type", 0, 2, 0), ("unsigned char common_flags", 2, 1, 0),
	("unsigned char common_preempt_count", 3, 1, 0), ("int common_pid", 4, 4, 1))) + "\n\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
depth = "\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n"
formats = ["name: funcgraph_entry\nID: 11\n" + common + depth + '\nprint fmt: "--> %lx (%d)", REC->func, REC->depth\n',
	"name: funcgraph_exit\nID: 10\n" + common + '\nprint fmt: "<-- %lx", REC->func\n']
record = lambda type, data: d(len(data) // 4 | 100 << 5) + data
events = record(5, struct.pack('<HBBIQI', 11, 0, 0, 42, 4096, 0)) + record(4, struct.pack('<HBBIQ', 10, 0, 0, 42, 4096))
f = magic + b"6\0" + start + b"header_page\0" + q(len(page)) + page + b"header_event\0" + q(0) + d(2)
for z in formats:
	f += q(len(z)) + z.encode()
f += d(0) + d(0) + d(0) + q(0) + d(1) + b"flyrecord\0" + q(4096) + q(4096) + q(0)
open("graph.dat", "wb").write(f.ljust(4096, b"\0") + (q(1000) + q(len(events)) + events).ljust(4096, b"\0"))
P
python3 graph.py
run "$SONDE" ftrace report -i graph.dat; ok; has 'funcgraph_entry: .*\| +1000\(\) \{'; has 'funcgraph_exit: +<-- 1000'
for f in empty pages formats options sparse; do
	run bash -c "ulimit -v 2500000; exec \"\$1\" ftrace report -i $f.dat" - "$SONDE"; exits 255; err_has "$f.dat is damaged at offset"
done
