// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/load.h"
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/error.h"
#include "base/str.h"
#include "kernel/features/features.h"
#include "script/code/able.h"
#include "script/code/emit.h"
#include "script/code/lower.h"
#include "script/code/marks.h"
#include "script/code/slots.h"
#include "script/provider/links.h"
#include "script/provider/provider.h"
#include "script/provider/syscalls.h"

enum { ALL_AT_ONCE = 64 << 20, LOG_SIZE = (1 << 24) - 1 /* the most that older kernels take */ };

/* Rights lent by sonde's file are no help: a script reads everybody's memory. */
static void hint_rights(void)
{
	if (geteuid() && !feature_works(FEATURE_BPF_RAW_TRACEPOINT))
		error_hint("scripts are for root, since they can read everybody's memory: sudo sonde run ...");
	else
		feature_hint(FEATURE_BPF_RAW_TRACEPOINT);
}

static int no_map(const char *what)
{
	int err = errno;
	error_sys(err, "cannot make the BPF map for %s", what);
	if (err == EPERM)
		hint_rights();
	else if (err == ENOMEM || err == E2BIG)
		error_hint("it has %s; fewer or shorter keys take less", err == E2BIG ? "keys or values too large for the kernel" : "no room in memory");
	return -err;
}

static int make_global(struct script_load *ld, unsigned ring_bytes)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	ld->global = bpf_map_create(BPF_MAP_TYPE_ARRAY, "sonde_global", 4, sizeof(struct globals), 1, &o);
	if (ld->global < 0)
		return no_map("what all programs share");
	size_t len = (sizeof(struct globals) + 4095) & ~4095ul;
	void *m = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, ld->global, 0);
	if (m == MAP_FAILED)
		return error_sys(errno, "cannot map the memory that the programs share");
	ld->shared = m;
	ld->shared->wake = BPF_RB_NO_WAKEUP;
	ld->shared->crowded = ring_bytes / 4 * 3;
	return 0;
}

static size_t slots_bytes(struct run_script *s)
{
	return ((size_t)slots_size(s) * slots_count(s) + 4095) & ~4095ul;
}

static int make_slots(struct script_load *ld)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	ld->slots = bpf_map_create(BPF_MAP_TYPE_ARRAY, "sonde_slots", 4, slots_size(ld->s), slots_count(ld->s), &o);
	if (ld->slots < 0)
		return no_map("what threads keep");
	void *m = mmap(NULL, slots_bytes(ld->s), PROT_READ | PROT_WRITE, MAP_SHARED, ld->slots, 0);
	if (m == MAP_FAILED)
		return error_sys(errno, "cannot map what threads keep");
	ld->slot = m;
	return 0;
}

/* Memory for all entries is taken at once, unless that is much. */
static int make_map(const struct run_script *s, const struct decl *d, unsigned n_cpus)
{
	uint32_t value = map_value_at(d) + type_room(d->type);
	bool each = map_per_cpu(d);
	if (!d->keyed)
		return bpf_map_create(each ? BPF_MAP_TYPE_PERCPU_ARRAY : BPF_MAP_TYPE_ARRAY, "sonde_map", 4, value, 1, NULL);
	LIBBPF_OPTS(bpf_map_create_opts, o);
	enum bpf_map_type type = each ? (d->lru ? BPF_MAP_TYPE_LRU_PERCPU_HASH : BPF_MAP_TYPE_PERCPU_HASH) :
		d->lru ? BPF_MAP_TYPE_LRU_HASH : BPF_MAP_TYPE_HASH;
	if (!d->lru && (uint64_t)value * map_entries(s, d) * (each ? n_cpus : 1) > ALL_AT_ONCE)
		o.map_flags = BPF_F_NO_PREALLOC;
	return bpf_map_create(type, "sonde_map", d->key->size, value, marks_room(s, d), &o);
}

/* Which points a program serves, by the number of the call. */
static int make_calls(struct script_load *ld, size_t i)
{
	const struct run_script *s = ld->s;
	const struct script_unit *u = &s->units.at[i];
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	ld->calls[i] = bpf_map_create(BPF_MAP_TYPE_ARRAY, "sonde_calls", 4, sizeof(uint64_t), SYSCALLS_ENTRIES, &o);
	if (ld->calls[i] < 0)
		return no_map("system calls");
	uint64_t *ids = mmap(NULL, SYSCALLS_ENTRIES * sizeof(*ids), PROT_READ | PROT_WRITE, MAP_SHARED, ld->calls[i], 0);
	if (ids == MAP_FAILED)
		return error_sys(errno, "cannot map the table of system calls");
	vec_each(&u->points, p) {
		const struct point *pt = &s->points.at[*p];
		ids[pt->number] = *p + 1;
		for (int nr32 = 0; nr32 < SYSCALLS_MAX; nr32++)
			if (syscalls_has_32(pt, nr32))
				ids[SYSCALLS_MAX + nr32] = *p + 1;
	}
	munmap(ids, SYSCALLS_ENTRIES * sizeof(*ids));
	return 0;
}

/* perf_rb_pages is for each CPU; here it is one ring for all. */
static unsigned ring_of_pages(const struct run_script *s)
{
	uint64_t want = (uint64_t)s->ring_pages * 4096 * s->n_cpus, bytes = 1 << 16;
	while (bytes < want && bytes < 1u << 30)
		bytes *= 2;
	return (unsigned)bytes;
}

static int make_maps(struct script_load *ld, unsigned ring_bytes)
{
	struct run_script *s = ld->s;
	int err = make_global(ld, ring_bytes);
	for (size_t i = 0; i < s->maps.n && !err; i++) {
		ld->maps[i] = s->maps.at[i]->type ? make_map(s, s->maps.at[i], ld->n_cpus) : -1;
		if (ld->maps[i] < 0)
			err = no_map(s->maps.at[i]->name[0] ? s->maps.at[i]->name : "@");
	}
	if (!err && s->needs_frame) {
		ld->frames = bpf_map_create(BPF_MAP_TYPE_ARRAY, "sonde_frames", 4, s->frame_size, ld->n_cpus * FRAMES, NULL);
		err = ld->frames < 0 ? no_map("strings") : 0;
	}
	if (!err && s->needs_remains) {
		ld->remains = bpf_map_create(BPF_MAP_TYPE_PERCPU_ARRAY, "sonde_remains", 4, 8, (uint32_t)s->maps.n, NULL);
		err = ld->remains < 0 ? no_map("what was deleted") : 0;
	}
	if (!err && s->n_slots)
		err = make_slots(ld);
	if (!err && s->needs_stacks) {
		ld->stacks = bpf_map_create(BPF_MAP_TYPE_HASH, "sonde_stacks", (1 + s->stack_frames) * 8, 8, s->max_keys, NULL);
		err = ld->stacks < 0 ? no_map("stacks") : 0;
	}
	if (!err && (s->sites.n || s->needs_stacks)) {
		ld->ring = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "sonde_ring", 0, 0, s->ring_pages ? ring_of_pages(s) : ring_bytes, NULL);
		err = ld->ring < 0 ? no_map("what is printed") : 0;
	}
	for (size_t i = 0; i < s->units.n && !err; i++)
		if (s->units.at[i].provider == &provider_syscalls && s->units.at[i].points.n > 1)
			err = make_calls(ld, i);
	return err;
}

static int fd_of(void *ctx, const struct script_unit *u, unsigned map)
{
	const struct script_load *ld = ctx;
	switch (map) {
	case LOAD_GLOBAL: return ld->global;
	case LOAD_FRAMES: return ld->frames;
	case LOAD_RING: return ld->ring;
	case LOAD_STACKS: return ld->stacks;
	case LOAD_REMAINS: return ld->remains;
	case LOAD_SLOTS: return ld->slots;
	case LOAD_CALLS: return ld->calls[u - ld->s->units.at];
	default: return ld->maps[map - LOAD_MAPS];
	}
}

/* The number of the last instruction that the log of the verifier speaks of. */
static size_t last_instruction(const char *log)
{
	size_t last = 0;
	for (const char *p = log; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		unsigned n;
		char bracket;
		if (sscanf(p, "%u: %c", &n, &bracket) == 2 && bracket == '(')
			last = n;
	}
	return last;
}

static int refused(const struct run_script *s, struct script_unit *u, int err, const char *log)
{
	size_t at = last_instruction(log);
	if (err == EPERM && !*log) {
		error_sys(err, "the kernel does not let us load a BPF program");
		hint_rights();
		return -err;
	}
	note(1, "the verifier's log:\n%s", log);
	source_error(s->source, at < u->lines.n ? u->lines.at[at] : u->probe->at, "the kernel refuses the program made of this (%s)",
		     strerror(err));
	return error_hint("that is a fault of sonde's compiler, not of the script; sonde run -v shows the kernel's reasons");
}

/* A program with functions says what they are, in BTF: all are static, and nothing else is asked of them. The types'
 * descriptor, or -errno. */
static int function_types(int *type)
{
	libbpf_print_fn_t old = libbpf_set_print(NULL);
	struct btf *b = btf__new_empty();
	int fd = -ENOMEM, number = b ? btf__add_int(b, "int", 4, BTF_INT_SIGNED) : -1;
	int proto = number > 0 ? btf__add_func_proto(b, number) : -1;
	*type = proto > 0 ? btf__add_func(b, "sonde_part", BTF_FUNC_STATIC, proto) : -1;
	if (*type > 0) {
		int err = btf__load_into_kernel(b);
		fd = err ? err : fcntl(btf__fd(b), F_DUPFD_CLOEXEC, 0);
	}
	btf__free(b);
	libbpf_set_print(old);
	return fd;
}

/* A descriptor of a module's types; -1: the kernel has none of that name. */
static int module_types(const char *module)
{
	for (__u32 id = 0; !bpf_btf_get_next_id(id, &id);) {
		char name[64] = "";
		struct bpf_btf_info info = { .name = (uintptr_t)name, .name_len = sizeof(name) };
		__u32 len = sizeof(info);
		int fd = bpf_btf_get_fd_by_id(id);
		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &len) && info.kernel_btf && !strcmp(name, module))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

/* log: LOG_SIZE bytes for why not; NULL: nobody asks. 0 or errno. */
static int try_load(struct script_unit *u, char *log)
{
	int module = u->attach_module ? module_types(u->attach_module) : -1;
	LIBBPF_OPTS(bpf_prog_load_opts, o, .expected_attach_type = u->attach_type, .attach_btf_id = u->attach_btf,
		    .attach_btf_obj_fd = module > 0 ? (__u32)module : 0, .log_buf = log, .log_size = log ? LOG_SIZE : 0, .log_level = log ? 1 : 0);
	VEC(struct bpf_func_info) info = { 0 };
	int types = -1, type = 0;
	if (u->functions.n) {
		types = function_types(&type);
		*vec_push(&info) = (struct bpf_func_info){ 0, (uint32_t)type };
		vec_each(&u->starts, at)
			*vec_push(&info) = (struct bpf_func_info){ *at, (uint32_t)type };
		o.prog_btf_fd = (uint32_t)types;
		o.func_info = info.at;
		o.func_info_cnt = (uint32_t)info.n;
		o.func_info_rec_size = sizeof(struct bpf_func_info);
	}
	u->fd = bpf_prog_load(u->type, "sonde_run", "GPL", (const struct bpf_insn *)(const void *)u->code.at, u->code.n, &o);
	int err = u->fd < 0 ? errno : 0;
	if (types >= 0)
		close(types);
	if (module >= 0)
		close(module);
	vec_release(&info);
	return err;
}

/* Refused: once more, to hear why. */
static int load_or_say(const struct run_script *s, struct script_unit *u)
{
	int first = try_load(u, NULL);
	if (!first)
		return 0;
	char *log = xcalloc(1, LOG_SIZE);
	int err = try_load(u, log) ? refused(s, u, first, log) : 0; /* the second's may be of the log */
	free(log);
	return err;
}

/* Does the kernel (5.12) swap? Only asked when it has refused something. */
static int without_swap(struct script_load *ld, struct script_unit *u)
{
	if (u->no_swap || able(ld->s, ABLE_FETCH))
		return -ENOTSUP;
	u->no_swap = true;
	return emit_unit(ld->s->source, u);
}

/* As the kernel takes it: with instructions that it has, and loops as long as the verifier has patience for. */
static int load_unit(struct script_load *ld, struct script_unit *u)
{
	int err, refusal;
	while ((refusal = try_load(u, NULL))) {
		err = refusal == E2BIG && u->bounded ? script_shorten(ld->s, u) : without_swap(ld, u);
		if (err == -ENOTSUP || err == -E2BIG) {
			error_clear();
			return load_or_say(ld->s, u);
		}
		if (err)
			return err;
		emit_relocate(u, fd_of, ld);
	}
	return 0;
}

bool load_takes_large_keys(void)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_HASH, "sonde_keys", sizeof(struct stack_key), 8, 1, NULL), err = errno;
	if (fd >= 0)
		close(fd);
	return fd >= 0 || err != E2BIG;
}

int load_again(struct run_script *s, struct script_unit *u, unsigned type)
{
	if (u->fd >= 0)
		close(u->fd);
	u->type = type;
	return load_or_say(s, u);
}

int load_script(struct script_load *ld, struct run_script *s, unsigned ring_bytes)
{
	*ld = (struct script_load){ .s = s, .global = -1, .frames = -1, .ring = -1, .stacks = -1, .remains = -1, .slots = -1, .n_cpus = s->n_cpus,
		.calls = xcalloc(s->units.n + 1, sizeof(int)), .maps = xcalloc(s->maps.n + 1, sizeof(int)) };
	for (size_t i = 0; i < s->units.n; i++)
		ld->calls[i] = -1;
	for (size_t i = 0; i < s->maps.n; i++)
		ld->maps[i] = -1;
	int err = make_maps(ld, ring_bytes);
	for (size_t i = 0; i < s->units.n && !err; i++) {
		emit_relocate(&s->units.at[i], fd_of, ld);
		err = load_unit(ld, &s->units.at[i]);
	}
	return err;
}

int load_attach(struct script_load *ld)
{
	int err = 0;
	for (size_t i = 0; i < ld->s->units.n && !err; i++)
		err = ld->s->units.at[i].provider->attach(ld->s, &ld->s->units.at[i]);
	return err;
}

void load_detach(struct script_load *ld)
{
	vec_each(&ld->s->units, u) {
		vec_each(&u->links, fd) {
			u->left_out += links_missed(*fd);
			close(*fd);
		}
		vec_clear(&u->links);
	}
}

int load_run(const struct script_unit *u)
{
	LIBBPF_OPTS(bpf_test_run_opts, o);
	if (bpf_prog_test_run_opts(u->fd, &o))
		return error_sys(errno, "the kernel does not run the program of %s", u->probe->attach->text);
	return 0;
}

static void drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void load_release(struct script_load *ld)
{
	if (!ld->s)
		return;
	load_detach(ld);
	vec_each(&ld->s->units, u)
		drop(&u->fd);
	for (size_t i = 0; i < ld->s->units.n; i++)
		drop(&ld->calls[i]);
	for (size_t i = 0; i < ld->s->maps.n; i++)
		drop(&ld->maps[i]);
	drop(&ld->global);
	drop(&ld->frames);
	drop(&ld->ring);
	drop(&ld->stacks);
	drop(&ld->remains);
	drop(&ld->slots);
	if (ld->slot)
		munmap(ld->slot, slots_bytes(ld->s));
	if (ld->shared)
		munmap(ld->shared, (sizeof(struct globals) + 4095) & ~4095ul);
	free(ld->calls);
	free(ld->maps);
	*ld = (struct script_load){ 0 };
}
