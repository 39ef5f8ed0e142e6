# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc objcopy strip python3
# A frame without a name says why; a file that was replaced after the recording names nothing and is told; a debug
# server over HTTP brings what the machine lacks.
export HOME=$T
unset DEBUGINFOD_URLS
cat >busy.c <<'C'
volatile long n;
__attribute__((noinline)) static void hot_function(void) { for (int i = 0; i < 1000000; i++) n += i; }
int main(void) { for (int i = 0; i < 60; i++) hot_function(); return 0; }
C
gcc -O1 -g -o prog busy.c
objcopy --only-keep-debug prog prog.debug
strip prog
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
"$SONDE" record -q -F 999 -e cpu-clock:u -o s.data ./prog 2>"$T/err" || skip "cannot record here: $(head -n 1 "$T/err")"
for c in script report; do
	run "$SONDE" $c -i s.data; ok; hasnt hot_function; err_hasnt 'no symbols'
	run "$SONDE" $c -v -i s.data; ok; hasnt hot_function
	err_has "prog: \[no symbols: build-id $id; looked in .*/prog, .*/usr/lib/debug/\.build-id/${id:0:2}/${id:2}\.debug"
done

# the server: debuginfod's paths
mkdir -p server/buildid/"$id"; mv prog.debug server/buildid/"$id"/debuginfo
if ldconfig -p 2>/dev/null | grep -c libdebuginfod.so.1 >/dev/null; then
	cat >serve.py <<'P'
import functools, http.server
s = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(http.server.SimpleHTTPRequestHandler, directory='server'))
open('port', 'w').write('%d\n' % s.server_port)
s.serve_forever()
P
	timeout 600 python3 serve.py 2>requests & server=$!
	await '[ -s port ]'
	for c in script report; do
		DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) run "$SONDE" $c -i s.data; ok; has 'hot_function'
	done
	grep -q "GET /buildid/$id/debuginfo .* 200" requests || fail "the server was not asked"
	[ "$(grep -c 'debuginfo .* 200' requests)" -eq 1 ] || fail "it was asked twice"
	kill $server; wait $server || true
	rm -rf "$T/.cache"
	DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) run "$SONDE" script -v -i s.data; ok; hasnt hot_function; err_has ', debuginfod http://127'
	err_hasnt 'not at debuginfod|no server was asked'
fi

# replaced: the names of the new file would be wrong ones
gcc -O1 -g -o changed busy.c
"$SONDE" record -q -F 999 -e cpu-clock:u -o r.data ./changed
then=$(readelf -n changed | sed -n 's/.*Build ID: //p')
{ echo 'int pad[100]; int a(void) { return pad[1]; } int b(void) { return pad[2]; }'; sed 's/hot_function/new_function/' busy.c; } >new.c
gcc -O1 -g -o changed new.c
now=$(readelf -n changed | sed -n 's/.*Build ID: //p')
for c in script report; do
	run "$SONDE" $c -i r.data; ok; hasnt 'new_function|hot_function'
	err_has "changed is another file now \(build-id $now\) than was recorded \($then\)"
	run "$SONDE" $c -q -i r.data; ok; err_hasnt 'another file'
done
run "$SONDE" script -v -i r.data; ok; err_has "changed \(build-id $now\)"

# the kernel's names are hidden from ordinary users: told without being asked, with the remedy that would help
if [ "$(id -u)" -eq 0 ] && "$SONDE" record -q -a -F 999 -e cpu-clock -o k.data dd if=/dev/zero of=/dev/null bs=1 count=200k 2>/dev/null &&
	as_nobody grep -q '^0\{16\} ' /proc/kallsyms; then
	chmod 755 "$T/.."; chmod 644 k.data
	HOME=/nonexistent run as_nobody "$SONDE" report -f -i k.data; ok
	err_has '\[kernel.kallsyms\]: kernel addresses are hidden \(kernel.kptr_restrict is [0-9], kernel.perf_event_paranoid -?[0-9]\); .*sudo sysctl kernel'
	HOME=/nonexistent run as_nobody "$SONDE" report -q -f -i k.data; ok; err_hasnt 'hidden'
	for file in /dev/null /nonexistent; do # root too: nothing is hidden, the list that was named is of no use
		run "$SONDE" report --kallsyms $file -i k.data; ok; err_has "\[kernel.kallsyms\]: --kallsyms $file (has no addresses in it|cannot be read: No such file)"; err_hasnt 'hidden'
	done
fi

# Above the lines of a report: how much has no name, why, and what would give it one. Not in what is parsed: standard error.
run "$SONDE" report --stdio -i s.data; ok
err_has '^sonde: [0-9.]+% of [0-9]+ samples have no name:'; err_has '^sonde: +[0-9.]+%  .*/prog: stripped, and its debug file is not found; build with -g'
hasnt 'have no name'
run "$SONDE" report -q -i s.data; ok; err_hasnt 'have no name'
run "$SONDE" report -U -i s.data; ok; err_hasnt 'have no name'
run "$SONDE" report --stdio -i r.data; ok; err_has '/changed: another file is there now than was recorded; `sonde archive`'
# on a terminal they are comments of the page
run script -qec "$SONDE --no-pager report --stdio -i s.data" /dev/null </dev/null; has '^# [0-9.]+% of [0-9]+ samples have no name:'
# a package's program: what to install, from where, and the server that needs no installing
if [ -x /usr/bin/ls ] && [ -e /var/lib/dpkg/info/coreutils.list ] && [ ! -e /usr/lib/debug/.build-id/"$(readelf -n /usr/bin/ls | sed -nE 's/.*Build ID: (..)(.*)/\1\/\2/p')".debug ]; then
	for _ in {1..8}; do # until a sample fell into it
		"$SONDE" record -q -F 4999 -e cpu-clock:u -o ls.data ls -lR /usr/lib >/dev/null
		run "$SONDE" report -v --stdio -i ls.data; ok
		! grep -q 'coreutils-dbgsym' "$T/err" || break
	done
	err_has '/ls: stripped; apt install coreutils-dbgsym'
	if grep -q '^ID=debian' /etc/os-release; then
		err_has 'export DEBUGINFOD_URLS=https://debuginfod.debian.net'
		compgen -G '/var/lib/apt/lists/*-debug_main*_Packages*' >/dev/null ||
			err_has "deb http://deb.debian.org/debian-debug $(. /etc/os-release; echo "$VERSION_CODENAME")-debug main"
	fi
fi
# code that a JIT made and left no map of
cat >jit.c <<'C'
#include <string.h>
#include <sys/mman.h>
int main(void)
{
	static const unsigned char code[] = { 0xb9, 0, 0, 0, 0x10, 0xff, 0xc9, 0x75, 0xfc, 0xc3 }; /* mov ecx; dec; jnz; ret */
	void *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(p, code, sizeof(code));
	((void (*)(void))p)();
	return 0;
}
C
gcc -O1 -o jit jit.c
"$SONDE" record -q -F 999 -e cpu-clock:u -o j.data ./jit
run "$SONDE" report --stdio -i j.data; ok; err_has '/tmp/perf-[0-9]+\.map: made by a JIT that left no map; java: jcmd PID Compiler.perfmap'
