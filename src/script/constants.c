// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/constants.h"
#include <stddef.h>
#include <string.h>
#include "base/str.h"
#include "syscall/decode.h"
#include "syscall/xlat.h"

static const struct xval own[] = {
	/* linux/sched.h: states; as of 5.14 */
	{ "TASK_RUNNING", 0 }, { "TASK_INTERRUPTIBLE", 1 }, { "TASK_UNINTERRUPTIBLE", 2 }, { "__TASK_STOPPED", 4 }, { "__TASK_TRACED", 8 },
	{ "EXIT_DEAD", 0x10 }, { "EXIT_ZOMBIE", 0x20 }, { "EXIT_TRACE", 0x30 }, { "TASK_PARKED", 0x40 }, { "TASK_DEAD", 0x80 },
	{ "TASK_WAKEKILL", 0x100 }, { "TASK_WAKING", 0x200 }, { "TASK_NOLOAD", 0x400 }, { "TASK_NEW", 0x800 }, { "TASK_KILLABLE", 0x102 },
	{ "TASK_STOPPED", 0x104 }, { "TASK_TRACED", 8 }, { "TASK_IDLE", 0x402 }, { "TASK_NORMAL", 3 }, { "TASK_COMM_LEN", 16 },
	/* linux/sched.h: flags of a task */
	{ "PF_IDLE", 2 }, { "PF_EXITING", 4 }, { "PF_WQ_WORKER", 0x20 }, { "PF_FORKNOEXEC", 0x40 }, { "PF_SUPERPRIV", 0x100 },
	{ "PF_DUMPCORE", 0x200 }, { "PF_SIGNALED", 0x400 }, { "PF_MEMALLOC", 0x800 }, { "PF_KSWAPD", 0x20000 }, { "PF_KTHREAD", 0x200000 },
	{ "PF_RANDOMIZE", 0x400000 },
	/* sys/stat.h */
	{ "S_IFMT", 0170000 }, { "S_IRWXU", 0700 }, { "S_IRUSR", 0400 }, { "S_IWUSR", 0200 }, { "S_IXUSR", 0100 }, { "S_IRWXG", 070 },
	{ "S_IRGRP", 040 }, { "S_IWGRP", 020 }, { "S_IXGRP", 010 }, { "S_IRWXO", 07 }, { "S_IROTH", 04 }, { "S_IWOTH", 02 }, { "S_IXOTH", 01 },
	{ "MAP_ANON", 0x20 }, { "AT_FDCWD", (uint64_t)-100 }, { "NSIG", 65 }, { "PATH_MAX", 4096 }, { "NAME_MAX", 255 }, { "IFNAMSIZ", 16 },
	{ "NULL", 0 },
	{ "INT_MAX", INT32_MAX }, { "UINT_MAX", UINT32_MAX }, { "LONG_MAX", INT64_MAX }, { "ULONG_MAX", UINT64_MAX },
	{ "UINT8_MAX", UINT8_MAX }, { "UINT16_MAX", UINT16_MAX }, { "UINT32_MAX", UINT32_MAX }, { "UINT64_MAX", UINT64_MAX },
	{ "INT8_MAX", INT8_MAX }, { "INT16_MAX", INT16_MAX }, { "INT32_MAX", INT32_MAX }, { "INT64_MAX", INT64_MAX },
	{ "true", 1 }, { "false", 0 },
};

/* __NR_read, SYS_read */
static bool call_number(const char *name, uint64_t *v)
{
	int nr;
	size_t skip = str_starts(name, "__NR_") ? 5 : str_starts(name, "SYS_") ? 4 : 0;
	if (!skip || !syscall_named(ABI_NATIVE, name + skip, &nr))
		return false;
	*v = (uint64_t)nr;
	return true;
}

bool constant_value(const char *name, uint64_t *v)
{
	char family[40];
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (!strcmp(own[i].name, name)) {
			*v = own[i].value;
			return true;
		}
	if (xlat_value(name, v) || call_number(name, v))
		return true;
	size_t n = strlen(name);
	if (strncmp(name, "PF_", 3) || n >= sizeof(family)) /* PF_INET is AF_INET */
		return false;
	memcpy(family, name, n + 1);
	family[0] = 'A';
	return xlat_value(family, v);
}
