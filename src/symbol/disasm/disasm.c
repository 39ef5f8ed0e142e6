// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/disasm/disasm.h"
#include <errno.h>
#include <stdio.h>
#include "base/error.h"
#include "base/str.h"
#include "symbol/disasm/inner.h"

void insn_bytes(struct instruction *i, uint64_t addr, const uint8_t *bytes, int n)
{
	*i = (struct instruction){ .addr = addr, .len = n ? n : 1, .mem = { .base = INSN_NO_REG, .index = INSN_NO_REG },
			    .flow = { .dst = INSN_NO_REG, .src = INSN_NO_REG } };
	int at = snprintf(i->text, sizeof(i->text), ".byte  ");
	for (int k = 0; bytes && k < i->len; k++)
		at += snprintf(i->text + at, sizeof(i->text) - at, "%s0x%x", k ? "," : "", bytes[k]);
}

static bool has_unknown(const insns *v, size_t first)
{
	for (size_t i = first; i < v->n; i++)
		if (str_starts(v->at[i].text, ".byte"))
			return true;
	return false;
}

/* The file may be an enemy's, named by his recording: a program that nobody asked for gets the bytes alone, not the file to read. */
static struct disasm_code bytes_of(const struct disasm_code *c)
{
	return (struct disasm_code){ .bytes = c->bytes, .n = c->n, .addr = c->addr };
}

/* libcapstone 4 does not know much of AVX-512, which libc's memcmp is made of: objdump's word counts then, if there is one. */
static void complete(const struct disasm_options *o, const struct disasm_code *c, insns *out, size_t first)
{
	insns other = { 0 };
	struct disasm_code bytes = bytes_of(c);
	if (!objdump_run(o, &bytes, &other)) {
		out->n = first;
		vec_each(&other, i)
			*vec_push(out) = *i;
	}
	error_clear();
	vec_release(&other);
}

int disasm_run(const struct disasm_options *o, const struct disasm_code *c, insns *out)
{
	bool ours = !o->objdump && !o->style;
	size_t first = out->n;
	int err = ours ? capstone_run(o, c, out) : -ENOENT;
	if (!err && !has_unknown(out, first))
		return 0;
	if (!err) {
		complete(o, c, out, first);
		return 0;
	}
	struct disasm_code bytes = bytes_of(c);
	err = objdump_run(o, ours ? &bytes : c, out);
	if (err == -ENOENT && ours) {
		error_clear();
		error_set(ENOENT, "there is nothing here that takes machine code apart: neither libcapstone4 nor objdump");
		return error_hint("apt install libcapstone4 (or binutils, for objdump)");
	}
	return err;
}
