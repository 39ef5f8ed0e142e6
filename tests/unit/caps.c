// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "kernel/rights/caps.h"
#include "kernel/features/features.h"

static void names_in_words(void **state)
{
	struct str s = STR_INIT;
	(void)state;
	assert_string_equal(caps_name(CAP_PERFMON), "cap_perfmon");
	assert_string_equal(caps_name(CAP_BPF), "cap_bpf");
	assert_string_equal(caps_name(CAP_SYS_PTRACE), "cap_sys_ptrace");
	assert_null(caps_name(-1));
	assert_null(caps_name(64));
	caps_add_names(&s, 0);
	assert_string_equal(s.buf, "none");
	str_clear(&s);
	caps_add_names(&s, caps_all());
	assert_string_equal(s.buf, "all");
	str_clear(&s);
	caps_add_names(&s, caps_all() & ~CAP_BIT(CAP_SYS_BOOT));
	assert_string_equal(s.buf, "all but cap_sys_boot");
	str_clear(&s);
	caps_add_names(&s, CAP_BIT(CAP_BPF) | CAP_BIT(CAP_KILL));
	assert_string_equal(s.buf, "cap_kill, cap_bpf");
	str_release(&s);
}

/* In a child, because it cannot be undone. */
static int drop_in_child(void)
{
	uint64_t keep = CAP_BIT(CAP_KILL) & caps_effective();
	if (caps_drop_all_but(keep))
		return 1;
	if (caps_effective() != keep)
		return 2;
	if (geteuid() == 0 && setuid(1) == 0)
		return 3; /* cap_setuid is gone, root or not */
	return caps_drop_all_but(0) || caps_effective() ? 4 : 0;
}

static void dropping_is_for_good(void **state)
{
	int status;
	pid_t pid = fork();
	(void)state;
	if (pid == 0)
		_exit(drop_in_child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void every_feature_is_named(void **state)
{
	(void)state;
	for (int f = 0; f < N_FEATURES; f++) {
		assert_non_null(feature_name(f));
		assert_non_null(feature_title(f));
		assert_true(strlen(feature_title(f)) <= 28); /* the page's column */
		for (int g = 0; g < f; g++)
			assert_string_not_equal(feature_name(f), feature_name(g));
	}
}

static void every_no_has_a_remedy(void **state)
{
	(void)state;
	for (int f = 0; f < N_FEATURES; f++) {
		const struct feature_state *s = feature_state(f);
		assert_non_null(s->detail);
		if (s->answer == FEATURE_NO) {
			assert_non_null(s->remedy);
			assert_true(s->err < 0);
			assert_true(*s->detail);
		}
		assert_ptr_equal(s, feature_state(f));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_in_words),
		cmocka_unit_test(dropping_is_for_good),
		cmocka_unit_test(every_feature_is_named),
		cmocka_unit_test(every_no_has_a_remedy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
