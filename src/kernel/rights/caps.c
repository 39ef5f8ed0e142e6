// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/rights/caps.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/file.h"
#include "kernel/rights/lent.h"
#include "kernel/root.h"

/* linux/capability.h, by number. */
static const char *const names[] = {
	"cap_chown", "cap_dac_override", "cap_dac_read_search", "cap_fowner", "cap_fsetid", "cap_kill",
	"cap_setgid", "cap_setuid", "cap_setpcap", "cap_linux_immutable", "cap_net_bind_service",
	"cap_net_broadcast", "cap_net_admin", "cap_net_raw", "cap_ipc_lock", "cap_ipc_owner",
	"cap_sys_module", "cap_sys_rawio", "cap_sys_chroot", "cap_sys_ptrace", "cap_sys_pacct",
	"cap_sys_admin", "cap_sys_boot", "cap_sys_nice", "cap_sys_resource", "cap_sys_time",
	"cap_sys_tty_config", "cap_mknod", "cap_lease", "cap_audit_write", "cap_audit_control",
	"cap_setfcap", "cap_mac_override", "cap_mac_admin", "cap_syslog", "cap_wake_alarm",
	"cap_block_suspend", "cap_audit_read", "cap_perfmon", "cap_bpf", "cap_checkpoint_restore",
};
enum { N_NAMES = sizeof(names) / sizeof(names[0]) };

/* A line of a made-up machine's /proc/self/status; false when it has none. */
static bool fake_status(const char *key, int base, uint64_t *v)
{
	struct str s = STR_INIT;
	bool found = false;
	if (root_is_fake() && !file_read(root_path(ROOT_PROC, "self/status"), &s, 1 << 16)) {
		const char *at = strstr(s.buf, key);
		if (at) {
			*v = strtoull(at + strlen(key), NULL, base);
			found = true;
		}
	}
	str_release(&s);
	return found;
}

static int get(struct __user_cap_data_struct data[2])
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	return syscall(SYS_capget, &h, data) ? -errno : 0;
}

uint64_t caps_effective(void)
{
	struct __user_cap_data_struct d[2] = { 0 };
	uint64_t v;
	if (fake_status("CapEff:", 16, &v))
		return v;
	if (get(d))
		return 0;
	if (lent()) /* in effect where they are needed */
		return d[0].permitted | (uint64_t)d[1].permitted << 32;
	return d[0].effective | (uint64_t)d[1].effective << 32;
}

uint64_t caps_all(void)
{
	int64_t last = 40;
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/cap_last_cap"), &last);
	return last < 0 || last >= 63 ? ~0ull : CAP_BIT(last + 1) - 1;
}

bool caps_has(int cap)
{
	return caps_effective() & CAP_BIT(cap);
}

bool caps_can_trace(void)
{
	return caps_effective() & (CAP_BIT(CAP_PERFMON) | CAP_BIT(CAP_SYS_ADMIN));
}

bool caps_can_bpf(void)
{
	return caps_effective() & (CAP_BIT(CAP_BPF) | CAP_BIT(CAP_SYS_ADMIN));
}

unsigned caps_uid(void)
{
	uint64_t v;
	return fake_status("Uid:", 10, &v) ? v : geteuid();
}

bool caps_in_user_namespace(void)
{
	struct str s = STR_INIT;
	unsigned inside = 0, outside = 0, count = 0;
	bool in = false;
	if (!file_read(root_path(ROOT_PROC, "self/uid_map"), &s, 1 << 16))
		in = sscanf(s.buf, "%u %u %u", &inside, &outside, &count) != 3 || inside || outside ||
		     count != ~0u;
	str_release(&s);
	return in;
}

const char *caps_name(int cap)
{
	return cap >= 0 && cap < N_NAMES ? names[cap] : NULL;
}

static void add_list(struct str *s, uint64_t set)
{
	bool first = true;
	for (int i = 0; i < 64; i++) {
		if (!(set & CAP_BIT(i)))
			continue;
		str_add(s, first ? "" : ", ");
		first = false;
		if (caps_name(i))
			str_add(s, caps_name(i));
		else
			str_addf(s, "cap_%d", i);
	}
}

void caps_add_names(struct str *s, uint64_t set)
{
	uint64_t all = caps_all(), lacks = all & ~set;
	if (!set) {
		str_add(s, "none");
	} else if (!lacks) {
		str_add(s, "all");
	} else if (__builtin_popcountll(lacks) <= 4) {
		str_add(s, "all but ");
		add_list(s, lacks);
	} else {
		add_list(s, set);
	}
}

int caps_drop_all_but(uint64_t keep)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = { 0 };
	int err = get(d);
	if (err)
		return err;
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	for (int i = 0; i < 2; i++) {
		d[i].permitted &= (uint32_t)(keep >> 32 * i);
		d[i].effective &= d[i].permitted;
		d[i].inheritable = 0;
	}
	return syscall(SYS_capset, &h, d) ? -errno : 0;
}
