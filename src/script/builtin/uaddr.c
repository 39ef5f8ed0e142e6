// SPDX-License-Identifier: GPL-2.0-or-later
/* uaddr("name"): where a symbol of the probed program is in this process. The file says how far it is from the place of the
 * probe, and the thread is at that place. */
#include <fcntl.h>
#include <libelf.h>
#include <linux/bpf.h>
#include <string.h>
#include <unistd.h>
#include "arch/kregs.h"
#include "base/error.h"
#include "probe/elfsyms.h"
#include "script/builtin/builtin.h"
#include "script/provider/provider.h"
#include "symbol/file/debugfile.h"

/* The symbol in the file's own address space. False: there is none. */
static bool symbol_in(const char *path, const char *name, uint64_t *addr, uint64_t *size)
{
	struct elfsyms syms = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	elf_version(EV_CURRENT);
	Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	if (elf)
		elfsyms_add_elf(&syms, elf);
	const struct elfsym *s = elfsyms_data(&syms, name);
	if (!s)
		s = elfsyms_first(&syms, name);
	bool found = s != NULL;
	if (s) {
		*addr = s->addr;
		*size = s->size;
	}
	elfsyms_release(&syms);
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	return found;
}

/* In the file itself, or in its debug file. */
static bool find_symbol(const char *path, const char *name, uint64_t *addr, uint64_t *size)
{
	struct debugfile d = { .looked = STR_INIT };
	struct build_id id = { .n = 0 };
	if (symbol_in(path, name, addr, size))
		return true;
	(void)build_id_of_file(path, &id);
	bool found = !debugfile_find(&d, path, &id, 's', NULL) && strcmp(d.path, path) && symbol_in(d.path, name, addr, size);
	error_clear();
	debugfile_release(&d);
	return found;
}

static struct script_type *check_uaddr(struct checker *c, struct script_node *n)
{
	static const char *const names[] = { [1] = "uint8", [2] = "uint16", [4] = "uint32", [8] = "uint64" };
	const struct point *p = c->point;
	uint64_t size = 0;
	bool here = p->path && (!strcmp(p->provider->name, "uprobe") || !strcmp(p->provider->name, "usdt"));
	if (n->args->kind != NODE_STRING)
		return check_fail(c, n->args->at, "uaddr() takes the name of a symbol, a string");
	if (!here)
		return check_fail(c, n->at, "uaddr() means something at uprobes and usdt probes, not at %s", p->name);
	if (c->u->points.n > 1)
		return check_fail(c, n->at, "uaddr() is for blocks with one probe; this one has %zu", c->u->points.n);
	if (!find_symbol(p->path, n->args->name, &n->value, &size))
		return check_fail(c, n->args->at, "%s has no symbol '%s'", p->path, n->args->name);
	return type_pointer(&c->s->source->memory, type_named(size == 1 || size == 2 || size == 4 ? names[size] : "uint64"), SPACE_USER);
}

static int lower_uaddr(struct lower *l, struct script_node *n)
{
	int ip = low_load(l, (struct script_mem){ l->context, arch_kreg_named("ip") }, 8, false);
	return low_alu_k(l, ALU_ADD, ip, (int64_t)(n->value - l->point->addr));
}

const struct builtin builtins_uaddr[] = {
	{ "uaddr", true, 1, 1, .check = check_uaddr, .lower = lower_uaddr },
	{ 0 },
};
