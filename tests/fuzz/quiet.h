/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For targets whose code has much to say of wrong input: reports go to where standard error was, the code's own sentences nowhere. */
#ifndef TESTS_FUZZ_QUIET_H
#define TESTS_FUZZ_QUIET_H
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

void __sanitizer_set_report_fd(void *fd);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* libtraceevent leaks a few bytes when a format is not well-formed. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\n";
}

static int null_fd, err_fd; /* err_fd: where standard error was */

static void quiet_init(void)
{
	null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	err_fd = fcntl(2, F_DUPFD_CLOEXEC, 100);
	__sanitizer_set_report_fd((void *)(long)err_fd);
}

static inline void quiet(bool on)
{
	dup2(on ? null_fd : err_fd, 2);
}
#endif
