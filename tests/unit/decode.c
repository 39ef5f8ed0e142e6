// SPDX-License-Identifier: GPL-2.0-or-later
/* Feeds events to the decoder and reads what a user would see, in both forms. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/error.h"
#include "syscall/decode.h"
#include "syscall/fdstate.h"

static struct copied pieces[16];
static struct sysevent ev;

static void call(enum sys_abi abi, const char *name, int64_t ret)
{
	memset(&ev, 0, sizeof(ev));
	memset(pieces, 0, sizeof(pieces));
	ev.type = SYS_CALL;
	ev.abi = abi;
	ev.args_known = true;
	ev.ret = ret;
	ev.copied = pieces;
	assert_non_null(syscall_named(abi, name, &ev.nr));
}

static void args(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
	memcpy(ev.args, (uint64_t[]){ a, b, c, d, e, f }, sizeof(ev.args));
}

static void piece(uint64_t addr, bool at_exit, const void *p, size_t n)
{
	pieces[ev.n_copied++] = (struct copied){ .addr = addr, .at_exit = at_exit, .data = p, .len = n };
}

static const char *shown(bool strace)
{
	static char text[8192];
	struct decode_style style = { .strace = strace, .string_limit = 32 };
	struct decoder *d = decoder_new(&style, NULL);
	struct str s = STR_INIT;
	decode_call(d, &ev, &s);
	str_add(&s, " = ");
	decode_result(d, &ev, &s);
	snprintf(text, sizeof(text), "%s", s.buf);
	str_release(&s);
	decoder_free(d);
	return text;
}
#define strace_says(text) assert_string_equal(shown(true), text)
#define perf_says(text) assert_string_equal(shown(false), text)

static void test_open(void **state)
{
	(void)state;
	call(ABI_NATIVE, "openat", 3);
	args(-100, 0x1000, 02000000, 0, 0, 0);
	piece(0x1000, false, "/etc/passwd", 12);
	strace_says("openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY|O_CLOEXEC) = 3");
	perf_says("openat(dfd: CWD, filename: \"/etc/passwd\", flags: RDONLY|CLOEXEC) = 3");
	ev.args[2] = 0101;
	ev.args[3] = 0644;
	ev.ret = -ENOENT;
	strace_says("openat(AT_FDCWD, \"/etc/passwd\", O_WRONLY|O_CREAT, 0644) = -1 ENOENT (No such file or directory)");
	pieces[0].faulted = true;
	strace_says("openat(AT_FDCWD, 0x1000, O_WRONLY|O_CREAT, 0644) = -1 ENOENT (No such file or directory)");
}

static void test_buffers(void **state)
{
	(void)state;
	char data[40];
	memset(data, 'x', sizeof(data));
	call(ABI_NATIVE, "read", 40);
	args(0, 0x2000, 4096, 0, 0, 0);
	piece(0x2000, true, data, 32);
	strace_says("read(0, \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"..., 4096) = 40");
	perf_says("read(fd: 0, buf: \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"..., count: 4096) = 40");
	ev.ret = 0;
	strace_says("read(0, \"\", 4096) = 0");
	ev.ret = -EBADF;
	strace_says("read(0, 0x2000, 4096) = -1 EBADF (Bad file descriptor)");
	ev.ret = -512;
	strace_says("read(0, 0x2000, 4096) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)");
}

static void test_flags(void **state)
{
	(void)state;
	call(ABI_NATIVE, "mmap", 0x7f0000000000);
	args(0, 8192, 3, 0x22, -1, 0);
	strace_says("mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f0000000000");
	perf_says("mmap(len: 8192, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS, fd: -1) = 0x7f0000000000");
	call(ABI_NATIVE, "eventfd2", -EINVAL);
	args(1, 0x40000000, 0, 0, 0, 0);
	strace_says("eventfd2(1, 0x40000000 /* EFD_??? */) = -1 EINVAL (Invalid argument)");
}

static void test_unknown_call(void **state)
{
	(void)state;
	call(ABI_NATIVE, "read", -ENOSYS);
	ev.nr = 999;
	args(1, 2, 3, 4, 5, 6);
	strace_says("syscall_0x3e7(0x1, 0x2, 0x3, 0x4, 0x5, 0x6) = -1 ENOSYS (Function not implemented)");
}

static void test_structs(void **state)
{
	(void)state;
	struct { uint64_t sec, nsec; } ts = { 1, 500 };
	call(ABI_NATIVE, "nanosleep", 0);
	args(0x1000, 0, 0, 0, 0, 0);
	piece(0x1000, false, &ts, sizeof(ts));
	strace_says("nanosleep({tv_sec=1, tv_nsec=500}, NULL) = 0");
	perf_says("nanosleep(rqtp: { .tv_sec: 1, .tv_nsec: 500 }) = 0");
	pieces[0].len = 12; /* half of it: not shown as if it were whole */
	strace_says("nanosleep(0x1000, NULL) = 0");
	uint32_t narrow[2] = { 7, 8 };
	call(ABI_32, "nanosleep", 0);
	args(0x1000, 0, 0, 0, 0, 0);
	piece(0x1000, false, narrow, sizeof(narrow));
	strace_says("nanosleep({tv_sec=7, tv_nsec=8}, NULL) = 0");
}

static void test_sockets(void **state)
{
	(void)state;
	uint8_t in[16] = { 2, 0, 0, 80, 127, 0, 0, 1 };
	call(ABI_NATIVE, "connect", -ECONNREFUSED);
	args(3, 0x1000, 16, 0, 0, 0);
	piece(0x1000, false, in, sizeof(in));
	strace_says("connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr(\"127.0.0.1\")}, 16) = "
		"-1 ECONNREFUSED (Connection refused)");
	perf_says("connect(fd: 3, uservaddr: { .sa_family: INET, .sin_port: 80, .sin_addr: 127.0.0.1 }, addrlen: 16) = "
		"-1 ECONNREFUSED (Connection refused)");
	uint32_t before = 128, after = 16;
	call(ABI_NATIVE, "accept4", 4);
	args(3, 0x1000, 0x2000, 02000000, 0, 0);
	piece(0x1000, true, in, sizeof(in));
	piece(0x2000, false, &before, 4);
	piece(0x2000, true, &after, 4);
	strace_says("accept4(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr(\"127.0.0.1\")}, [128 => 16], "
		"SOCK_CLOEXEC) = 4");
}

static void test_exec(void **state)
{
	(void)state;
	uint64_t argv[] = { 0x3000, 0x3100, 0 }, env[] = { 0x4000, 0 };
	call(ABI_NATIVE, "execve", 0);
	args(0x1000, 0x2000, 0x2100, 0, 0, 0);
	piece(0x1000, false, "/bin/ls", 8);
	piece(0x2000, false, argv, sizeof(argv));
	piece(0x3000, false, "ls", 3);
	piece(0x3100, false, "a\nb\33[2J", 9);
	piece(0x2100, false, env, sizeof(env));
	strace_says("execve(\"/bin/ls\", [\"ls\", \"a\\nb\\33[2J\"], 0x2100 /* 1 var */) = 0");
}

static void test_under_way(void **state)
{
	(void)state;
	struct decode_style style = { .strace = true, .string_limit = 32 };
	struct decoder *d = decoder_new(&style, NULL);
	struct str s = STR_INIT;
	uint32_t status = 0x300;
	call(ABI_NATIVE, "wait4", 42);
	args(-1, 0x1000, 1, 0, 0, 0);
	ev.type = SYS_UNFINISHED;
	decode_call(d, &ev, &s);
	assert_string_equal(s.buf, "wait4(-1, ");
	str_clear(&s);
	ev.type = SYS_RESUMED;
	piece(0x1000, true, &status, 4);
	decode_rest(d, &ev, &s);
	assert_string_equal(s.buf, "[{WIFEXITED(s) && WEXITSTATUS(s) == 3}], WNOHANG, NULL)");
	str_release(&s);
	decoder_free(d);
}

static void test_json(void **state)
{
	(void)state;
	struct decode_style style = { .string_limit = 32 };
	struct decoder *d = decoder_new(&style, NULL);
	struct str s = STR_INIT;
	struct json j;
	call(ABI_NATIVE, "openat", -ENOENT);
	args(-100, 0x1000, 02000000, 0, 0, 0);
	piece(0x1000, false, "/x\xff", 4);
	json_init(&j, &s);
	json_open(&j, '{');
	decode_json(d, &ev, &j);
	json_close(&j, '}');
	assert_string_equal(s.buf, "{\"args\":{\"dfd\":\"AT_FDCWD\",\"filename\":\"/x\\udcff\",\"flags\":\"O_RDONLY|O_CLOEXEC\"},"
		"\"ret\":-1,\"errno\":2,\"error\":\"ENOENT\"}");
	str_release(&s);
	decoder_free(d);
}

static void test_descriptors(void **state)
{
	(void)state;
	struct fd_state *f = fd_state_new(FDS_RECORDED);
	call(ABI_NATIVE, "openat", 5);
	args(-100, 0x1000, 02000000, 0, 0, 0);
	ev.pid = 7;
	piece(0x1000, false, "/etc/passwd", 12);
	fd_state_feed(f, &ev);
	assert_string_equal(fd_state_name(f, 7, 5), "/etc/passwd");
	call(ABI_NATIVE, "dup2", 9);
	args(5, 9, 0, 0, 0, 0);
	ev.pid = 7;
	fd_state_feed(f, &ev);
	call(ABI_NATIVE, "openat", 6); /* relative to a directory that is known */
	args(5, 0x1000, 0, 0, 0, 0);
	ev.pid = 7;
	piece(0x1000, false, "./x", 4);
	fd_state_feed(f, &ev);
	assert_string_equal(fd_state_name(f, 7, 6), "/etc/passwd/x");
	struct sysevent fork = { .type = SYS_FORK, .pid = 7, .tid = 7, .child_pid = 8, .child_tid = 8 };
	fd_state_feed(f, &fork);
	struct sysevent exec = { .type = SYS_EXEC, .pid = 8, .tid = 8 };
	fd_state_feed(f, &exec);
	assert_null(fd_state_name(f, 8, 5)); /* O_CLOEXEC */
	assert_string_equal(fd_state_name(f, 8, 9), "/etc/passwd");
	call(ABI_NATIVE, "close", 0);
	args(5, 0, 0, 0, 0, 0);
	ev.pid = 7;
	fd_state_feed(f, &ev);
	assert_null(fd_state_name(f, 7, 5));
	uint8_t to[16] = { 2, 0, 0, 80, 127, 0, 0, 1 };
	call(ABI_NATIVE, "socket", 3);
	args(2, 1, 0, 0, 0, 0);
	ev.pid = 7;
	fd_state_feed(f, &ev);
	call(ABI_NATIVE, "connect", -EINPROGRESS);
	args(3, 0x1000, 16, 0, 0, 0);
	ev.pid = 7;
	piece(0x1000, false, to, sizeof(to));
	fd_state_feed(f, &ev);
	assert_string_equal(fd_state_name(f, 7, 3), "TCP:[->127.0.0.1:80]");
	/* what ends, and what was lost, is forgotten at once */
	struct sysevent end = { .type = SYS_EXIT, .pid = 7, .tid = 7, .group_exit = true }, lost = { .type = SYS_LOST, .lost = 1 };
	fd_state_feed(f, &end);
	assert_null(fd_state_name(f, 7, 3));
	assert_string_equal(fd_state_name(f, 8, 9), "/etc/passwd");
	fd_state_feed(f, &lost);
	assert_null(fd_state_name(f, 8, 9));
	fd_state_free(f);
}

static void test_kernel_types(void **state)
{
	(void)state;
	uint64_t ctx[4] = { 101, 0, 32, 0 };
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		skip();
	call(ABI_NATIVE, "lsm_set_self_attr", -EINVAL);
	args(100, 0x1000, 32, 0, 0, 0);
	piece(0x1000, false, ctx, sizeof(ctx));
	const char *text = shown(true);
	if (strstr(text, "LSM_ATTR_CURRENT, 0x1000"))
		skip(); /* a kernel before 6.8 has no such struct */
	strace_says("lsm_set_self_attr(LSM_ATTR_CURRENT, {id=101, flags=0, len=32, ctx_len=0}, 32, 0) = -1 EINVAL (Invalid argument)");
}

/* Garbage in every argument of every call, with pieces too short and too long: nothing may be read beyond them. */
static void test_garbage(void **state)
{
	(void)state;
	uint32_t seed = 1;
	struct decode_style style = { .string_limit = 32 };
	struct str s = STR_INIT;
	for (int form = 0; form < 4; form++) {
		style.strace = form & 1;
		style.verbose = form & 2;
		struct decoder *d = decoder_new(&style, NULL);
		for (int abi = 0; abi < 3; abi++) {
			for (int nr = 0; nr < syscall_max(abi); nr++) {
				memset(&ev, 0, sizeof(ev));
				ev = (struct sysevent){ .type = SYS_CALL, .abi = abi, .nr = nr, .args_known = true, .copied = pieces, .ret = 3 };
				uint8_t *bytes[6];
				for (int i = 0; i < 6; i++) {
					size_t n = (seed = seed * 1103515245 + 12345) >> 16 & 0xff;
					bytes[i] = test_malloc(n ? n : 1);
					memset(bytes[i], seed >> 8, n ? n : 1);
					ev.args[i] = 0x1000 * (i + 1);
					pieces[i] = (struct copied){ .addr = ev.args[i], .at_exit = seed & 1, .data = bytes[i], .len = n };
				}
				ev.n_copied = 6;
				str_clear(&s);
				decode_call(d, &ev, &s);
				decode_result(d, &ev, &s);
				assert_true(s.len > 2);
				for (int i = 0; i < 6; i++)
					test_free(bytes[i]);
			}
		}
		decoder_free(d);
	}
	str_release(&s);
}

static void test_ioctl(void **state)
{
	(void)state;
	uint64_t range[2] = { 4096, 8192 };
	char config[304] = { 5, 0, 0, 0, 0, 2 };
	memcpy(config + 8 + 56, "/img", 5);
	uint32_t map[8] = { 0, 0, 100, 0, 1, 7, 3, 0 };
	call(ABI_NATIVE, "ioctl", 0);
	args(3, 0x1277, 0x1000, 0, 0, 0);
	piece(0x1000, false, range, 16);
	strace_says("ioctl(3, BLKDISCARD, [4096, 8192]) = 0");
	args(3, 0x125f, 0x1000, 0, 0, 0);
	strace_says("ioctl(3, BLKRRPART) = 0");
	args(3, 0x5441, 0402, 0, 0, 0);
	strace_says("ioctl(3, TIOCGPTPEER, O_RDWR|O_NOCTTY) = 0");
	args(3, 0x80604521, 0x9000, 0, 0, 0);
	strace_says("ioctl(3, EVIOCGBIT(EV_KEY, 96), 0x9000) = 0");
	call(ABI_NATIVE, "ioctl", 0);
	args(3, 0x4c0a, 0x1000, 0, 0, 0);
	piece(0x1000, false, config, sizeof(config));
	strace_says("ioctl(3, LOOP_CONFIGURE, {fd=5, block_size=512, info={lo_offset=0, lo_number=0, lo_flags=0, lo_file_name=\"/img\", ...}}) = 0");
	call(ABI_NATIVE, "ioctl", 0);
	args(3, 0xc020660b, 0x1000, 0, 0, 0);
	piece(0x1000, false, map, 32);
	piece(0x1000, true, map, 32);
	strace_says("ioctl(3, FS_IOC_FIEMAP, {fm_start=0, fm_length=100, fm_flags=FIEMAP_FLAG_SYNC, fm_extent_count=3} => "
		    "{fm_flags=FIEMAP_FLAG_SYNC, fm_mapped_extents=7, ...}) = 0");
	ev.ret = -EBADF;
	perf_says("ioctl(fd: 3, cmd: FS_IOC_FIEMAP, arg: { .fm_start: 0, .fm_length: 100, .fm_flags: SYNC, .fm_extent_count: 3 }) = "
		  "-1 EBADF (Bad file descriptor)");
}

static void test_settings(void **state)
{
	(void)state;
	uint64_t how[4] = { 0100, 0600, 8, 7 };
	struct __attribute__((packed)) { uint64_t access; int32_t fd; } rule = { 1, 7 };
	call(ABI_NATIVE, "prctl", 0);
	args(4, 1, 0, 0, 0, 0);
	strace_says("prctl(PR_SET_DUMPABLE, SUID_DUMP_USER) = 0");
	args(0, 0, 0, 0, 0, 0);
	strace_says("prctl(0 /* PR_??? */, 0, 0, 0, 0) = 0");
	args(47, 4, 0, 0, 0, 0);
	strace_says("prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) = 0");
	call(ABI_NATIVE, "keyctl", 9);
	args(1, 0x1000, 0, 0, 0, 0);
	piece(0x1000, false, "a name of twenty char", 22);
	strace_says("keyctl(KEYCTL_JOIN_SESSION_KEYRING, \"a name of twenty char\") = 9");
	call(ABI_NATIVE, "quotactl", 0);
	args(0x80000300, 0x1000, 5, 0, 0, 0);
	piece(0x1000, false, "/dev/x", 7);
	strace_says("quotactl(QCMD(Q_QUOTAOFF, USRQUOTA), \"/dev/x\") = 0");
	call(ABI_NATIVE, "landlock_add_rule", 0);
	args(3, 1, 0x1000, 0, 0, 0);
	piece(0x1000, false, &rule, sizeof(rule));
	strace_says("landlock_add_rule(3, LANDLOCK_RULE_PATH_BENEATH, {allowed_access=LANDLOCK_ACCESS_FS_EXECUTE, parent_fd=7}, 0) = 0");
	call(ABI_NATIVE, "openat2", -E2BIG);
	args(3, 0x1000, 0x2000, 32, 0, 0);
	piece(0x1000, false, "x", 2);
	piece(0x2000, false, how, sizeof(how));
	strace_says("openat2(3, \"x\", {flags=O_RDONLY|O_CREAT, mode=0600, resolve=RESOLVE_BENEATH, /* bytes 24..31 */ "
		    "\"\\x07\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}, 32) = -1 E2BIG (Argument list too long)");
	ev.args[3] = 8;
	strace_says("openat2(3, \"x\", 0x2000, 8) = -1 E2BIG (Argument list too long)");
}

static void test_options(void **state)
{
	(void)state;
	int value[2] = { 1, 5 };
	uint8_t mreq[8] = { 224, 0, 0, 3, 127, 0, 0, 1 };
	call(ABI_NATIVE, "setsockopt", 0);
	args(3, 1, 13, 0x1000, 8, 0);
	piece(0x1000, false, value, 8);
	strace_says("setsockopt(3, SOL_SOCKET, SO_LINGER, {l_onoff=1, l_linger=5}, 8) = 0");
	ev.args[4] = 4;
	strace_says("setsockopt(3, SOL_SOCKET, SO_LINGER, 0x1000, 4) = 0");
	args(3, 1, 2, 0x1000, -1u, 0);
	strace_says("setsockopt(3, SOL_SOCKET, SO_REUSEADDR, 0x1000, -1) = 0");
	call(ABI_NATIVE, "setsockopt", 0);
	args(3, 0, 35, 0x1000, 8, 0);
	piece(0x1000, false, mreq, 8);
	strace_says("setsockopt(3, SOL_IP, IP_ADD_MEMBERSHIP, {imr_multiaddr=inet_addr(\"224.0.0.3\"), imr_interface=inet_addr(\"127.0.0.1\")}, 8) = 0");
}

static void test_bpf_query(void **state)
{
	(void)state;
	uint32_t attr[8] = { 5, 6, 1 };
	call(ABI_NATIVE, "bpf", 0);
	args(16, 0x1000, sizeof(attr), 0, 0, 0);
	piece(0x1000, false, attr, sizeof(attr));
	strace_says("bpf(BPF_PROG_QUERY, {query={target_fd=5, attach_type=BPF_CGROUP_DEVICE, query_flags=BPF_F_QUERY_EFFECTIVE, "
		    "attach_flags=0, prog_ids=NULL, prog_cnt=0}}, 32) = 0");
}

static void test_sets(void **state)
{
	(void)state;
	struct sysset s;
	int nr_open, nr_futex;
	syscall_named(ABI_NATIVE, "openat", &nr_open);
	syscall_named(ABI_NATIVE, "futex", &nr_futex);
	assert_int_equal(sysset_parse(&s, "%file"), 0);
	assert_true(sysset_has(&s, ABI_NATIVE, nr_open));
	assert_false(sysset_has(&s, ABI_NATIVE, nr_futex));
	assert_int_equal(sysset_parse(&s, "!futex"), 0);
	assert_true(sysset_has(&s, ABI_NATIVE, nr_open));
	assert_false(sysset_has(&s, ABI_NATIVE, nr_futex));
	assert_int_equal(sysset_parse(&s, "/^fut/"), 0);
	assert_true(sysset_has(&s, ABI_NATIVE, nr_futex));
	assert_true(sysset_has(&s, ABI_32, 240));
	assert_int_equal(sysset_parse(&s, "futex@32,%file@64"), 0);
	assert_true(sysset_has(&s, ABI_32, 240) && sysset_has(&s, ABI_NATIVE, nr_open) && s.asks_compat);
	assert_false(sysset_has(&s, ABI_NATIVE, nr_futex) || sysset_has(&s, ABI_32, 5));
	assert_int_equal(sysset_parse(&s, "!/^fut/@64"), 0);
	assert_true(sysset_has(&s, ABI_32, 240) && sysset_has(&s, ABI_NATIVE, nr_open) && !s.asks_compat);
	assert_false(sysset_has(&s, ABI_NATIVE, nr_futex));
	assert_int_equal(sysset_parse(&s, "futex@16"), -EINVAL);
	error_clear();
	assert_int_equal(sysset_parse(&s, "opneat"), -EINVAL);
	const char *said = strstr(error_hints(), "'openat'");
	assert_non_null(said);
	assert_null(strstr(said + 1, "'openat'")); /* once */
	error_clear();
}

static void test_table(void **state)
{
	(void)state;
	assert_string_equal(syscall_name(syscall_find(ABI_NATIVE, 0)), "read");
	assert_string_equal(syscall_name(syscall_find(ABI_NATIVE, 462)), "mseal");
	assert_string_equal(syscall_name(syscall_find(ABI_32, 192)), "mmap2");
	assert_string_equal(syscall_name(syscall_find(ABI_X32, 0x40000000 + 515)), "readv");
	assert_null(syscall_find(ABI_NATIVE, 400));
	assert_null(syscall_find(ABI_NATIVE, -1));
	for (int abi = 0; abi < 3; abi++)
		for (int nr = 0; nr < syscall_max(abi); nr++) {
			const struct syscall_row *r = syscall_find(abi, nr);
			for (int i = 0; r && i < COPY_ROWS && syscall_plan(r)->row[i].kind; i++)
				assert_in_range(syscall_plan(r)->row[i].arg, 0, 5);
		}
}

/* A number that such a call gives out would keep the name of what had it before. */
static void test_new_descriptors(void **state)
{
	(void)state;
	struct sysset known = { 0 };
	fd_state_calls(&known);
	for (int nr = 0; nr < syscall_max(ABI_NATIVE); nr++) {
		const struct syscall_row *r = syscall_find(ABI_NATIVE, nr);
		if (r && syscall_fds(r) >> 6 && !sysset_has(&known, ABI_NATIVE, nr))
			fail_msg("%s gives a descriptor and has no row in fdstate.c", syscall_name(r));
	}
}

/* What kernels between 6.1 and 7.3 brought. */
static void test_new_kernels(void **state)
{
	(void)state;
	uint64_t clone3[11] = { 0x400000000 | 0x1000000000, [4] = 17 };
	call(ABI_NATIVE, "fchroot", 0);
	args(3, 0, 0, 0, 0, 0);
	strace_says("fchroot(3, 0) = 0");
	call(ABI_32, "rseq_slice_yield", 1);
	perf_says("rseq_slice_yield() = 1");
	call(ABI_NATIVE, "openat", -EINVAL);
	args(3, 0x1000, 0x4000000, 0, 0, 0);
	piece(0x1000, false, "", 1);
	strace_says("openat(3, \"\", O_RDONLY|O_EMPTYPATH) = -1 EINVAL (Invalid argument)");
	call(ABI_NATIVE, "fanotify_mark", 0);
	args(3, 0x111, 8, 4, 0, 0);
	strace_says("fanotify_mark(3, FAN_MARK_MNTNS|FAN_MARK_ADD, FAN_CLOSE_WRITE, 4, NULL) = 0");
	call(ABI_NATIVE, "clone3", -EINVAL);
	args(0x1000, 88, 0, 0, 0, 0);
	piece(0x1000, false, clone3, sizeof(clone3));
	assert_non_null(strstr(shown(true), "{flags=CLONE_AUTOREAP|CLONE_PIDFD_AUTOKILL, "));
	call(ABI_NATIVE, "ioctl", 0);
	args(3, 0x4004480d, 0, 0, 0, 0);
	strace_says("ioctl(3, HIDIOCREVOKE, 0) = 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open), cmocka_unit_test(test_buffers), cmocka_unit_test(test_flags),
		cmocka_unit_test(test_unknown_call),
		cmocka_unit_test(test_structs), cmocka_unit_test(test_sockets), cmocka_unit_test(test_exec), cmocka_unit_test(test_under_way),
		cmocka_unit_test(test_json), cmocka_unit_test(test_descriptors), cmocka_unit_test(test_garbage), cmocka_unit_test(test_kernel_types), cmocka_unit_test(test_ioctl), cmocka_unit_test(test_settings), cmocka_unit_test(test_options), cmocka_unit_test(test_bpf_query), cmocka_unit_test(test_sets), cmocka_unit_test(test_table),
		cmocka_unit_test(test_new_descriptors), cmocka_unit_test(test_new_kernels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
