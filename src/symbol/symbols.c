// SPDX-License-Identifier: GPL-2.0-or-later
/* The way of a frame: (pid, mode) picks an address space, the ip a map in it, the map an image, the
 * image's table a symbol. The answer is interned by (image, ip, address) and found again through a
 * direct-mapped cache keyed by (version of the address space, ip): any change of the maps gives a new
 * version, so nothing needs to be invalidated. */
#include "symbol/symbols.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/file.h"
#include "base/map.h"
#include "kernel/root.h"
#include "symbol/file/archive.h"
#include "symbol/file/debugfile.h"
#include "symbol/image.h"
#include "symbol/inner.h"
#include "symbol/kernel.h"

enum { CACHE_SLOTS = 1 << 15, FRAMES_MAX = 1 << 20, FRAME_BLOCK = 256, EXITED_KEPT = 1024, BPF_PROGRAM_MAX = 64 << 10 };

struct process {
	struct maps *maps;
	struct image *jit; /* whose code comes and goes; NULL: none with a dump */
	bool exited;
};
struct cache_slot {
	uint64_t ip, version;
	const struct frame *frame;
};
struct symbols {
	struct symbols_options options;
	struct u64map process; /* pid to struct process */
	struct maps *kernel;
	uint64_t kernel_text, version;
	char *release; /* of the recorded kernel; NULL: not known */
	struct image *kernel_image; /* NULL until known */
	VEC(struct image *) images;
	struct strmap by_path; /* path to the first image of it, chained by next */
	struct strmap build_ids; /* path to struct build_id */
	struct cache_slot *cache;
	const struct frame **table; /* interned frames, open addressing */
	size_t table_cap, n_frames;
	VEC(struct frame *) blocks;
	int exited[EXITED_KEPT];
	unsigned exited_at;
	int last_pid;
	struct process *last;
	struct unwind_cache *unwind;
};

const struct symbols_options *symbols_options_of(const struct symbols *s)
{
	return &s->options;
}

uint64_t symbols_kernel_text(const struct symbols *s)
{
	return s->kernel_text;
}

const char *symbols_kernel_release(const struct symbols *s)
{
	return s->release;
}

/* It becomes part of paths, so it must not lead elsewhere. */
void symbols_set_release(struct symbols *s, const char *release)
{
	if (!release || !*release || strchr(release, '/') || release[0] == '.' || strlen(release) > 100)
		return;
	free(s->release);
	s->release = xstrdup(release);
}

struct symbols *symbols_new(const struct symbols_options *o)
{
	struct symbols *s = xcalloc(1, sizeof(*s));
	if (o)
		s->options = *o;
	s->kernel = maps_new(++s->version);
	s->cache = xcalloc(CACHE_SLOTS, sizeof(*s->cache));
	s->last_pid = -1;
	if (s->options.archive)
		archive_build_ids(s->options.archive, s);
	return s;
}

static void process_free(struct process *p)
{
	if (!p)
		return;
	maps_put(p->maps);
	free(p);
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	size_t cursor = 0;
	uint64_t pid;
	const char *path;
	void *val;
	while (u64map_next(&s->process, &cursor, &pid, &val))
		process_free(val);
	for (cursor = 0; strmap_next(&s->build_ids, &cursor, &path, &val);)
		free(val);
	vec_each(&s->images, im)
		image_free(*im);
	vec_each(&s->blocks, b)
		free(*b);
	vec_release(&s->images);
	vec_release(&s->blocks);
	u64map_release(&s->process);
	strmap_release(&s->by_path);
	strmap_release(&s->build_ids);
	maps_put(s->kernel);
	unwind_cache_free(s->unwind);
	free(s->cache);
	free(s->release);
	free(s->table);
	free(s);
}

static struct process *process_of(struct symbols *s, int pid, bool make)
{
	if (s->last && s->last_pid == pid)
		return s->last;
	struct process *p = u64map_get(&s->process, (uint32_t)pid);
	if (!p && make) {
		p = xcalloc(1, sizeof(*p));
		p->maps = maps_new(++s->version);
		u64map_set(&s->process, (uint32_t)pid, p);
	}
	if (p) {
		s->last_pid = pid;
		s->last = p;
	}
	return p;
}

static void process_drop(struct symbols *s, int pid)
{
	process_free(u64map_del(&s->process, (uint32_t)pid));
	if (s->last_pid == pid)
		s->last = NULL;
}

/* The image of that path and build-id; a path seen with two build-ids has two images. */
static struct image *image_of(struct symbols *s, enum image_kind kind, const char *path, const struct build_id *id, int pid)
{
	if (!id || !id->n)
		id = strmap_get(&s->build_ids, path);
	struct image *first = strmap_get(&s->by_path, path);
	for (struct image *im = first; im; im = im->next) {
		if (id && id->n && !im->dso.build_id.n && !im->loaded)
			im->dso.build_id = *id;
		if (im->kind == kind && (!id || !id->n || !im->dso.build_id.n || build_id_same(id, &im->dso.build_id)))
			return im;
	}
	struct image *im = image_new(s, kind, path, id, pid);
	im->next = first;
	strmap_set(&s->by_path, path, im);
	*vec_push(&s->images) = im;
	return im;
}

static bool is_memory(const char *path)
{
	return !strcmp(path, "//anon") || !*path || str_starts(path, "/dev/zero") || str_starts(path, "/anon_hugepage") ||
	       str_starts(path, "[stack") || str_starts(path, "[anon") || str_starts(path, "/SYSV") || !strcmp(path, "[heap]");
}

/* Code without a file is a JIT's: perf calls it by the name of the map the JIT may have left. */
static struct image *jit_image(struct symbols *s, int pid)
{
	char name[64];
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", pid);
	return image_of(s, IMAGE_JIT, name, NULL, pid);
}

/* A JIT maps its jit-PID.dump once, executable, so that recordings know of it. */
static bool is_jitdump(const char *path)
{
	const char *base = strrchr(path, '/');
	return base && str_starts(base, "/jit-") && str_ends(base, ".dump");
}

static struct image *user_image(struct symbols *s, int pid, uint32_t prot, const char *path, const struct build_id *id)
{
	if (is_memory(path))
		return prot & PROT_EXEC ? jit_image(s, pid) : image_of(s, IMAGE_NONE, *path ? path : "//anon", NULL, pid);
	if (is_jitdump(path)) {
		struct image *jit = jit_image(s, pid);
		if (!jit->jitdump && !jit->loaded)
			jit->jitdump = xstrdup(path);
	}
	if (!strcmp(path, "[vdso]"))
		return image_of(s, IMAGE_VDSO, path, id, pid);
	if (path[0] == '[')
		return image_of(s, IMAGE_NONE, path, NULL, pid);
	return image_of(s, IMAGE_FILE, path, id, pid);
}

static struct image *kernel_image(struct symbols *s, const struct build_id *id)
{
	if (!s->kernel_image)
		s->kernel_image = image_of(s, IMAGE_KERNEL, "[kernel.kallsyms]", id, -1);
	return s->kernel_image;
}

/* "/lib/modules/6.1/kernel/net/nf_tables.ko.xz" is "[nf_tables]", as is "[nf_tables]". */
static struct image *module_image(struct symbols *s, const char *path, const struct build_id *id)
{
	const char *base = strrchr(path, '/');
	base = base ? base + 1 : path;
	const char *ko = strstr(base, ".ko");
	char name[128];
	int n = ko ? ko - base : (int)strlen(base);
	snprintf(name, sizeof(name), *base == '[' ? "%.*s" : "[%.*s]", n < 100 ? n : 100, base);
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	struct image *im = image_of(s, IMAGE_MODULE, name, id ?: strmap_get(&s->build_ids, path), -1);
	if (!im->runtime_path && path[0] == '/')
		im->runtime_path = xstrdup(path);
	return im;
}

static void kernel_map(struct symbols *s, struct map *m, const char *path, const struct build_id *id)
{
	if (str_starts(path, "[kernel.kallsyms]") || str_starts(path, "[guest.kernel.kallsyms")) {
		if (str_ends(path, "_text") || str_ends(path, "_stext"))
			s->kernel_text = m->pgoff;
		m->image = kernel_image(s, id);
	} else {
		m->image = module_image(s, path, id);
	}
	maps_insert(s->kernel, m, ++s->version);
}

void symbols_map(struct symbols *s, int pid, uint64_t start, uint64_t len, uint64_t pgoff,
		 uint32_t prot, const char *path, const struct build_id *id)
{
	struct map m = { .start = start, .end = start + len < start ? UINT64_MAX : start + len, .pgoff = pgoff, .prot = prot };
	if (m.end == m.start)
		return;
	if (pid == -1) {
		kernel_map(s, &m, path, id);
		return;
	}
	m.image = user_image(s, pid, prot, path, id);
	struct process *p = process_of(s, pid, true);
	if (is_jitdump(path))
		p->jit = jit_image(s, pid);
	if (p->maps->refs > 1) {
		struct maps *own = maps_copy(p->maps, ++s->version);
		maps_put(p->maps);
		p->maps = own;
	}
	maps_insert(p->maps, &m, ++s->version);
}

void symbols_fork(struct symbols *s, int pid, int parent)
{
	if (pid == parent)
		return;
	struct process *from = process_of(s, parent, false);
	process_drop(s, pid);
	if (!from)
		return;
	struct process *p = xcalloc(1, sizeof(*p));
	p->maps = maps_get(from->maps);
	p->jit = from->jit;
	u64map_set(&s->process, (uint32_t)pid, p);
}

void symbols_exec(struct symbols *s, int pid)
{
	struct process *p = process_of(s, pid, true);
	maps_put(p->maps);
	p->maps = maps_new(++s->version);
	p->jit = NULL;
}

bool symbols_time(struct symbols *s, int pid, uint64_t time)
{
	struct process *p = process_of(s, pid, false);
	if (!p || !p->jit)
		return false;
	struct image *im = p->jit;
	size_t had = im->changed;
	image_load(im);
	im->now = time;
	while (im->changed < im->tab.change.n && im->tab.change.at[im->changed] <= time)
		im->changed++;
	if (im->changed == had)
		return false;
	p->maps->version = ++s->version;
	return true;
}

/* The leader may exit before its threads, and records of the dying process may still come: the maps
 * of the last EXITED_KEPT processes stay, and those of one that is asked for again. */
void symbols_exit(struct symbols *s, int pid)
{
	struct process *p = process_of(s, pid, false);
	if (!p || p->exited)
		return;
	p->exited = true;
	int *slot = &s->exited[s->exited_at++ % EXITED_KEPT];
	struct process *old = *slot && *slot != pid ? u64map_get(&s->process, (uint32_t)*slot) : NULL;
	if (old && old->exited)
		process_drop(s, *slot);
	*slot = pid;
}

/* Unregistering is not acted on: what comes to that address later brings its own name. */
void symbols_ksymbol(struct symbols *s, uint64_t addr, uint64_t len, const char *name, bool unregister)
{
	if (unregister || !len || !*name)
		return;
	struct map m = { .start = addr, .end = addr + len < addr ? UINT64_MAX : addr + len };
	m.image = image_of(s, IMAGE_NAMED, name, NULL, -1);
	maps_insert(s->kernel, &m, ++s->version);
}

void symbols_build_id(struct symbols *s, const char *path, const struct build_id *id, bool kernel)
{
	struct build_id *copy = xmalloc(sizeof(*copy));
	*copy = *id;
	free(strmap_set(&s->build_ids, path, copy));
	struct image *im = kernel && str_starts(path, "[kernel") ? kernel_image(s, id) : strmap_get(&s->by_path, path);
	if (im && !im->dso.build_id.n && !im->loaded)
		im->dso.build_id = *id;
}

/* "7f00-7f01 r-xp 00001000 fe:00 123   /path with spaces" */
static void live_line(struct symbols *s, int pid, char *line)
{
	unsigned long long start, end, off;
	char prot[5];
	int at = 0;
	if (sscanf(line, "%llx-%llx %4s %llx %*s %*s %n", &start, &end, prot, &off, &at) < 4)
		return;
	uint32_t p = (prot[0] == 'r' ? PROT_READ : 0) | (prot[1] == 'w' ? PROT_WRITE : 0) | (prot[2] == 'x' ? PROT_EXEC : 0);
	symbols_map(s, pid, start, end - start, off, p, at && line[at] ? line + at : "//anon", NULL);
}

int symbols_live(struct symbols *s, int pid)
{
	struct str text = STR_INIT;
	int err = file_read(root_path(ROOT_PROC, "%d/maps", pid), &text, 64 << 20);
	if (!err)
		symbols_exec(s, pid);
	for (char *line = text.buf; !err && *line;) {
		char *nl = strchrnul(line, '\n'), *next = *nl ? nl + 1 : nl;
		*nl = 0;
		live_line(s, pid, line);
		line = next;
	}
	str_release(&text);
	return err;
}

/* The same place may be another module's by now. */
static bool is_of_module(struct symtab *kernel, const struct sym *sym, const struct image *im)
{
	const char *name = symtab_module(kernel, sym);
	return name && !strcmp(name, im->dso.path);
}

/* BPF programs come and go. A recording tells of those that were there (KSYMBOL); what kallsyms has by now at that place
 * says nothing about it. Of a live one that is far away from its beginning it is not the program either. */
static bool is_passing(const struct symbols *s, struct symtab *kernel, const struct sym *sym, uint64_t addr)
{
	const char *module = symtab_module(kernel, sym);
	if (!module || strcmp(module, "[bpf]"))
		return false;
	return !(s->options.live || s->options.kallsyms) || addr - sym->start >= BPF_PROGRAM_MAX;
}

static void resolve_kernel(struct symbols *s, const struct map *m, uint64_t ip, struct frame *f)
{
	struct image *im = m ? m->image : NULL, *kernel = kernel_image(s, NULL);
	if (im && im->kind == IMAGE_NAMED) {
		*f = (struct frame){ 
			.ip = ip, .addr = ip, .offset = ip, .dso = &im->dso, .sym = im->dso.path, .sym_addr = m->start, .sym_size = m->end - m->start };
		return;
	}
	image_load(kernel);
	struct symtab *tab = &kernel->tab;
	bool module = im && im->kind == IMAGE_MODULE;
	uint64_t addr = module ? ip : ip - kernel->reloc;
	kernel_cover(kernel, addr);
	struct sym *sym = symtab_find(tab, addr);
	if (sym && kernel->reloc && (module || sym->module))
		sym = NULL; /* modules of another boot lie elsewhere */
	if (sym && is_passing(s, tab, sym, addr))
		sym = NULL;
	if (module && (!sym || !is_of_module(tab, sym, im))) {
		image_load(im);
		tab = &im->tab;
		sym = symtab_find(tab, ip - m->start);
		addr = sym ? ip - m->start : ip;
	}
	if (!im && sym)
		im = sym->module ? image_of(s, IMAGE_MODULE, symtab_module(tab, sym), NULL, -1) : kernel;
	f->addr = addr;
	f->dso = im ? &im->dso : NULL;
	if (!sym)
		return;
	f->sym = symtab_name(tab, sym);
	f->sym_addr = sym->start;
	f->sym_size = sym->end - sym->start;
}

static void resolve_user(const struct map *m, uint64_t ip, struct frame *f)
{
	struct image *im = m->image;
	image_load(im);
	f->dso = &im->dso;
	f->map_size = m->end - m->start;
	f->addr = image_address(im, ip, m->start, m->pgoff);
	if (im->kind == IMAGE_FILE || im->kind == IMAGE_VDSO)
		f->offset = ip - m->start + (im->kind == IMAGE_VDSO ? 0 : m->pgoff);
	struct sym *sym = im->tab.time.n ? symtab_find_at(&im->tab, f->addr, im->now) : symtab_find(&im->tab, f->addr);
	if (!sym) { /* libc's __restore_rt is in no table of a stripped libc */
		f->sym = unwind_is_trampoline(im, f->addr) ? "<signal handler called>" : NULL;
		f->sym_addr = f->addr;
		return;
	}
	f->sym = symtab_name(&im->tab, sym);
	f->sym_addr = sym->start;
	f->sym_size = sym->end - sym->start;
}

static size_t frame_hash(const struct frame *f)
{
	uint64_t h = (f->ip ^ (uint64_t)(uintptr_t)f->dso) * 0x9e3779b97f4a7c15u;
	return (h ^ f->addr * 0xc2b2ae3d27d4eb4fu) >> 20;
}

static void table_grow(struct symbols *s)
{
	size_t cap = s->table_cap ? s->table_cap * 2 : 1024;
	const struct frame **to = xcalloc(cap, sizeof(*to));
	for (size_t i = 0; i < s->table_cap; i++) {
		if (!s->table[i])
			continue;
		size_t h = frame_hash(s->table[i]) & (cap - 1);
		while (to[h])
			h = (h + 1) & (cap - 1);
		to[h] = s->table[i];
	}
	free(s->table);
	s->table = to;
	s->table_cap = cap;
}

/* The interned frame equal to f; NULL when there are too many already. */
static const struct frame *intern(struct symbols *s, const struct frame *f)
{
	if (s->n_frames * 2 >= s->table_cap)
		table_grow(s);
	size_t h = frame_hash(f) & (s->table_cap - 1);
	for (; s->table[h]; h = (h + 1) & (s->table_cap - 1))
		if (s->table[h]->ip == f->ip && s->table[h]->dso == f->dso && s->table[h]->addr == f->addr &&
		    s->table[h]->sym == f->sym)
			return s->table[h];
	if (s->n_frames >= FRAMES_MAX)
		return NULL;
	if (s->n_frames % FRAME_BLOCK == 0)
		*vec_push(&s->blocks) = xcalloc(FRAME_BLOCK, sizeof(struct frame));
	struct frame *own = &(*vec_last(&s->blocks))[s->n_frames++ % FRAME_BLOCK];
	*own = *f;
	s->table[h] = own;
	return own;
}

static struct cache_slot *cache_slot(struct symbols *s, uint64_t version, uint64_t ip)
{
	uint64_t h = (ip ^ version * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
	return &s->cache[h >> 49]; /* the top 15 bits */
}

struct maps *symbols_maps(struct symbols *s, int pid)
{
	struct process *p = process_of(s, pid, false);
	if (p)
		p->exited = false;
	return p ? p->maps : NULL;
}

struct unwind_cache **symbols_unwind_cache(struct symbols *s)
{
	return &s->unwind;
}

void symbols_resolve(struct symbols *s, int pid, uint64_t ip, int mode, struct frame *out)
{
	struct maps *maps = mode == SYM_KERNEL ? s->kernel : mode == SYM_USER ? symbols_maps(s, pid) : NULL;
	uint64_t version = maps ? maps->version : 0;
	struct cache_slot *c = cache_slot(s, version, ip);
	if (c->frame && c->ip == ip && c->version == version) {
		*out = *c->frame;
		return;
	}
	const struct map *m = maps ? maps_find(maps, ip) : NULL;
	*out = (struct frame){ .ip = ip, .addr = ip, .offset = ip };
	if (mode == SYM_KERNEL) {
		resolve_kernel(s, m, ip, out);
		out->map_size = m ? m->end - m->start : 0;
	}
	if (mode != SYM_KERNEL && m)
		resolve_user(m, ip, out);
	if (out->dso)
		((struct dso *)out->dso)->hit = true;
	const struct frame *own = intern(s, out);
	if (own)
		*c = (struct cache_slot){ .ip = ip, .version = version, .frame = own };
}

const struct dso *symbols_next(struct symbols *s, size_t *cursor)
{
	return *cursor < s->images.n ? &s->images.at[(*cursor)++]->dso : NULL;
}
