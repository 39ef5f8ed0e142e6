// SPDX-License-Identifier: GPL-2.0-or-later
/* libcapstone, loaded when it is first needed. */
#include <errno.h>
#include "symbol/disasm/inner.h"

#ifdef SONDE_STATIC
bool capstone_there(void)
{
	return false;
}

int capstone_run(const struct disasm_options *o, const struct disasm_code *c, insns *out)
{
	(void)o;
	(void)c;
	(void)out;
	return -ENOENT;
}
#else
#include <dlfcn.h>
#include "arch/insn.h"
#include "symbol/disasm/gnu.h"

struct capstone_api {
	void *lib;
	bool tried;
	cs_err (*open)(cs_arch, cs_mode, csh *);
	cs_err (*option)(csh, cs_opt_type, size_t);
	cs_insn *(*malloc)(csh);
	bool (*iter)(csh, const uint8_t **, size_t *, uint64_t *, cs_insn *);
	void (*free)(cs_insn *, size_t);
	cs_err (*close)(csh *);
	const char *(*reg_name)(csh, unsigned);
};
static struct capstone_api api;

static void *load(const char *name)
{
	return dlsym(api.lib, name);
}

bool capstone_there(void)
{
	if (api.tried)
		return api.lib;
	api.tried = true;
	if (!(api.lib = dlopen("libcapstone.so.4", RTLD_LAZY | RTLD_LOCAL)))
		return false;
	*(void **)&api.open = load("cs_open");
	*(void **)&api.option = load("cs_option");
	*(void **)&api.malloc = load("cs_malloc");
	*(void **)&api.iter = load("cs_disasm_iter");
	*(void **)&api.free = load("cs_free");
	*(void **)&api.close = load("cs_close");
	*(void **)&api.reg_name = load("cs_reg_name");
	if (!api.open || !api.option || !api.malloc || !api.iter || !api.free || !api.close || !api.reg_name) {
		dlclose(api.lib);
		api.lib = NULL;
	}
	return api.lib;
}

int capstone_run(const struct disasm_options *o, const struct disasm_code *c, insns *out)
{
	csh h;
	if (!capstone_there() || api.open(CS_ARCH_X86, o->is32 ? CS_MODE_32 : CS_MODE_64, &h))
		return -ENOENT;
	api.option(h, CS_OPT_DETAIL, CS_OPT_ON);
	cs_insn *one = api.malloc(h);
	struct gnu g = { .intel = o->intel, .is32 = o->is32, .handle = h, .reg_name = api.reg_name };
	const uint8_t *at = c->bytes;
	size_t left = c->n;
	uint64_t addr = c->addr;
	while (one && left) {
		struct instruction *i = vec_push(out);
		if (api.iter(h, &at, &left, &addr, one)) {
			gnu_insn(&g, one, i);
			continue;
		}
		insn_bytes(i, addr, at, o->is32 ? 1 : insn_length(at, left));
		at += i->len;
		left -= i->len;
		addr += i->len;
	}
	if (one)
		api.free(one, 1);
	api.close(&h);
	return 0;
}
#endif
