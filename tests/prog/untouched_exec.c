// SPDX-License-Identifier: GPL-2.0-or-later
/* Execs /bin/true (or its second argument) with strings in pages that the program itself never touched: see
 * untouched.c. "vector": the vectors of arguments and environment lie there, too; "at": by execveat; "same":
 * the path is the first argument; "twice": the second one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { APART = 1 << 19, WORDS = 5 };

/* A file with each text in the middle of half a megabyte, mapped afresh: a fault brings in its neighbours as well. */
static char *untouched(const char *path)
{
	const char *words[WORDS] = { path, "first word", "", "the last" };
	int fd = open(".", O_TMPFILE | O_RDWR, 0600);
	for (int i = 0; i < 4; i++)
		if (pwrite(fd, words[i], strlen(words[i]) + 1, i * APART) < 0)
			return MAP_FAILED;
	if (ftruncate(fd, WORDS * APART))
		return MAP_FAILED;
	char *at = mmap(NULL, WORDS * APART, PROT_READ, MAP_PRIVATE, fd, 0);
	uintptr_t vector[] = { (uintptr_t)at + APART, (uintptr_t)at + 2 * APART, (uintptr_t)at + 3 * APART, 0 };
	return pwrite(fd, vector, sizeof(vector), 4 * APART) < 0 ? MAP_FAILED : at;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "", *path = argc > 2 ? argv[2] : "/bin/true";
	char *at = untouched(path), *list[] = { at + APART, at + 2 * APART, at + 3 * APART, NULL };
	char **vector = strcmp(how, "vector") ? list : (char **)(at + 4 * APART);
	int status = 1, dir = strcmp(how, "at") ? 0 : open("/bin", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (!strcmp(how, "same"))
		list[0] = at;
	if (!strcmp(how, "twice"))
		list[1] = at;
	if (at == MAP_FAILED || dir < 0)
		return 2;
	pid_t pid = fork();
	if (!pid && dir)
		_exit(syscall(SYS_execveat, dir, at, vector, NULL, 0) ? 3 : 0);
	if (!pid)
		_exit(execve(at, vector, vector == list ? environ : vector + 1) ? 3 : 0);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
