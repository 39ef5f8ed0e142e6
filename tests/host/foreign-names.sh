# SPDX-License-Identifier: GPL-2.0-or-later
# Names of JIT code are believed from its process's user and root alone; another user's archive needs -f, as his recording does.
# needs: gcc setpriv
[ "$(id -u)" = 0 ] || skip "needs root"
cat >jit.c <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static const unsigned char code[] = { 0xb9, 0, 0, 0, 8, 0xff, 0xc9, 0x75, 0xfc, 0xc3 }; /* mov ecx, 0x8000000; 1: dec ecx; jnz 1b; ret */
int main(int argc, char **argv)
{
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	sprintf(path, "/tmp/perf-%d.map", getpid());
	FILE *f = fopen(path, "w");
	memcpy(p, code, sizeof(code));
	fprintf(f, "%lx %zx made_up_name\n", (long)p, sizeof(code));
	fclose(f);
	puts(path);
	fflush(stdout);
	do
		((void (*)(void))p)();
	while (argc > 1);
	return 0;
}
C
gcc -O1 -o jit jit.c; map=; pid=; trap 'rm -f $map; [ -z "$pid" ] || kill $pid || :' EXIT
"$SONDE" record -q -e cpu-clock:u -o r.data ./jit >name; map=$(cat name)
names() { run "$SONDE" script -F ip,sym -i "$@"; ok; }
names r.data; has made_up_name
chown nobody "$map"; names r.data; hasnt made_up_name; names r.data -f; has made_up_name
"$SONDE" archive -q -i r.data -o r.sonde; names r.sonde; hasnt made_up_name
chown root "$map"; "$SONDE" archive -q -i r.data -o r.sonde; names r.sonde; has made_up_name
chown nobody r.sonde; run "$SONDE" script -F ip,sym -i r.sonde; exits 255; err_has 'r.sonde is not owned by the current user or root'; err_has '^hint:.*-f'
names r.sonde -f; has made_up_name
rm "$map"
# the user of a process that lives has a say about it
chmod 755 . jit; cp jit /tmp/jit.$$; setpriv --reuid=65534 --regid=65534 --clear-groups /tmp/jit.$$ stay >stay & pid=$!
await '[ -s stay ]'; rm /tmp/jit.$$; map=$(cat stay)
await '"$SONDE" record -q -e cpu-clock:u -o r.data -p $pid -- sleep 0.1; "$SONDE" script -F ip -i r.data | grep -q .'
names r.data; has made_up_name
chown daemon "$map"; names r.data; hasnt made_up_name
# a trace.dat, too, for what draws it
run "$SONDE" ftrace record -q -e sched:sched_process_exec -o t.dat true
if [ "$code" = 0 ]; then
	chown nobody t.dat
	run "$SONDE" flame --format svg -o x.svg -i t.dat; exits 255; err_has 't.dat is not owned by the current user or root'; err_has '^hint:.*-f'
	run "$SONDE" flame --format svg -o x.svg -f -i t.dat; exits 255; err_has 'no calls of function_graph'
fi
