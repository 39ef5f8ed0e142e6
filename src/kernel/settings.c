// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/settings.h"
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <zlib.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "kernel/root.h"

static int sysctl_read(const char *name)
{
	int64_t v;
	return file_read_s64(root_path(ROOT_PROC, "sys/kernel/%s", name), &v) ? SETTING_ABSENT : (int)v;
}

static int64_t limit_of(int which)
{
	struct rlimit l;
	if (getrlimit(which, &l))
		return 0;
	return l.rlim_cur == RLIM_INFINITY ? -1 : (int64_t)l.rlim_cur;
}

/* "none [integrity] confidentiality": the word in brackets is in force. */
static void read_lockdown(char *out, size_t size)
{
	struct str s = STR_INIT;
	*out = 0;
	if (!file_read(root_path(ROOT_SYS, "kernel/security/lockdown"), &s, 4096)) {
		const char *open = strchr(s.buf, '['), *close = open ? strchr(open, ']') : NULL;
		if (close)
			snprintf(out, size, "%.*s", (int)(close - open - 1), open + 1);
	}
	str_release(&s);
}

const struct settings *settings(void)
{
	static struct settings s;
	static bool done;
	if (done)
		return &s;
	s = (struct settings){
		.paranoid = sysctl_read("perf_event_paranoid"),
		.kptr_restrict = sysctl_read("kptr_restrict"),
		.perf_mlock_kb = sysctl_read("perf_event_mlock_kb"),
		.perf_max_rate = sysctl_read("perf_event_max_sample_rate"),
		.ptrace_scope = sysctl_read("yama/ptrace_scope"),
		.unprivileged_bpf_disabled = sysctl_read("unprivileged_bpf_disabled"),
		.memlock = limit_of(RLIMIT_MEMLOCK),
		.nofile = limit_of(RLIMIT_NOFILE),
	};
	read_lockdown(s.lockdown, sizeof(s.lockdown));
	done = true;
	return &s;
}

bool files_limit_raise(void)
{
	struct rlimit r;
	int64_t most = 1 << 20;
	if (getrlimit(RLIMIT_NOFILE, &r))
		return false;
	if (r.rlim_cur < r.rlim_max) {
		r.rlim_cur = r.rlim_max;
		return !setrlimit(RLIMIT_NOFILE, &r);
	}
	file_read_s64(root_path(ROOT_PROC, "sys/fs/nr_open"), &most);
	if (most <= 0 || r.rlim_max >= (rlim_t)most)
		return false;
	r.rlim_cur = r.rlim_max = (rlim_t)most;
	return !setrlimit(RLIMIT_NOFILE, &r);
}

int files_limit_hint(void)
{
	int64_t limit = limit_of(RLIMIT_NOFILE);
	return error_hint("at most %lld files may be open here; raise it: ulimit -n %lld", (long long)limit,
			  (long long)(limit * 8 > 256 ? limit * 8 : 256));
}

const char *kernel_release(void)
{
	static char text[128];
	if (!*text) {
		struct str s = STR_INIT;
		struct utsname u;
		if (root_is_fake() && !file_read(root_path(ROOT_PROC, "sys/kernel/osrelease"), &s, 4096))
			snprintf(text, sizeof(text), "%.*s", (int)strcspn(s.buf, "\n"), s.buf);
		else if (!uname(&u))
			snprintf(text, sizeof(text), "%s", u.release);
		str_release(&s);
	}
	return text;
}

/* The whole configuration: gzopen reads plain files as well. */
static const struct str *config_text(void)
{
	static struct str text = STR_INIT;
	static bool done;
	enum { MAX = 4 << 20 };
	char boot[256];
	if (done)
		return &text;
	done = true;
	snprintf(boot, sizeof(boot), "%s/boot/config-%s", root_is_fake() ? root_fake_dir() : "", kernel_release());
	gzFile f = gzopen(root_path(ROOT_PROC, "config.gz"), "re");
	if (!f)
		f = gzopen(boot, "re");
	if (!f)
		return &text;
	char piece[16384];
	int n;
	while (text.len < MAX && (n = gzread(f, piece, sizeof(piece))) > 0)
		str_addn(&text, piece, n);
	gzclose(f);
	return &text;
}

char kernel_config(const char *name)
{
	const struct str *text = config_text();
	char line[128];
	if (!text->len)
		return 0;
	snprintf(line, sizeof(line), "\nCONFIG_%s=", name);
	const char *at = strstr(text->buf, line);
	return at ? at[strlen(line)] : 'n';
}
