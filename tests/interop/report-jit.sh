# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf gcc
# Code without a file is called as perf calls it, with a map of its names and without.
perf612
cat >jit.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	static const unsigned char code[] = { 0xb9, 0, 0, 0, 8, 0xff, 0xc9, 0x75, 0xfc, 0xc3 }; /* mov ecx, N; dec; jnz; ret */
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	(void)argv;
	memcpy(p, code, sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	if (argc > 1) {
		FILE *f = fopen(path, "w");
		fprintf(f, "%lx 20 made_at_run_time\n", (unsigned long)p);
		fclose(f);
	}
	((void (*)(void))p)();
	return 0;
}
C
gcc -O1 -o jit jit.c
for with in '' map; do
	"$SONDE" record -q -F 999 -e cpu-clock:u -o j.data ./jit $with
	pid=$("$SONDE" script -i j.data -F pid | awk 'NR == 1 { print $1 }')
	for how in '' '-s dso' '-s comm,dso -v' '-s dso,sym'; do
		# shellcheck disable=SC2086
		"$PERF612" report --stdio -i j.data $how 2>/dev/null | grep '^ .*%' >by-perf
		# shellcheck disable=SC2086
		"$SONDE" report --stdio -i j.data $how 2>/dev/null | grep '^ .*%' >by-sonde
		diff by-perf by-sonde || { rm -f "/tmp/perf-$pid.map"; fail "they differ: $how"; }
	done
	rm -f "/tmp/perf-$pid.map"
done
grep -q made_at_run_time by-sonde
