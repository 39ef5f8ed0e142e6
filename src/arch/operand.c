// SPDX-License-Identifier: GPL-2.0-or-later
#include "arch/operand.h"
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
/* All widths of a register are the same one to a probe; the type cuts it to size. */
static const struct { const char *probe, *names; } regs[] = {
	{ "%ax", " rax eax ax al " }, { "%bx", " rbx ebx bx bl " }, { "%cx", " rcx ecx cx cl " },
	{ "%dx", " rdx edx dx dl " }, { "%si", " rsi esi si sil " }, { "%di", " rdi edi di dil " },
	{ "%bp", " rbp ebp bp bpl " }, { "%sp", " rsp esp sp spl " }, { "%r8", " r8 r8d r8w r8b " },
	{ "%r9", " r9 r9d r9w r9b " }, { "%r10", " r10 r10d r10w r10b " }, { "%r11", " r11 r11d r11w r11b " },
	{ "%r12", " r12 r12d r12w r12b " }, { "%r13", " r13 r13d r13w r13b " },
	{ "%r14", " r14 r14d r14w r14b " }, { "%r15", " r15 r15d r15w r15b " },
};

static const char *reg_named(const char *p, size_t n)
{
	char key[16];
	if (n < 2 || n + 2 >= sizeof(key))
		return NULL;
	key[0] = ' ';
	memcpy(key + 1, p, n);
	key[n + 1] = ' ';
	key[n + 2] = 0;
	for (size_t i = 0; i < sizeof(regs) / sizeof(regs[0]); i++)
		if (strstr(regs[i].names, key))
			return regs[i].probe;
	return NULL;
}

static int parse_memory(const char *text, const char *paren, struct operand *o)
{
	const char *end = strchr(paren, ')');
	char *stop;
	if (!end || end[1] || paren[1] != '%' || memchr(paren, ',', (size_t)(end - paren)))
		return -ENOTSUP;
	bool rip = end - paren == 5 && !strncmp(paren + 2, "rip", 3);
	if (text != paren && (isalpha((unsigned char)*text) || *text == '_' || *text == '.')) {
		size_t n = strcspn(text, "+-(");
		if (!rip || n >= sizeof(o->symbol))
			return -ENOTSUP;
		memcpy(o->symbol, text, n);
		o->symbol[n] = 0;
		o->num = text[n] == '(' ? 0 : strtoll(text + n, &stop, 0);
		o->kind = OPERAND_SYMBOL;
		return 0;
	}
	o->num = text == paren ? 0 : strtoll(text, &stop, 0);
	if (text != paren && stop != paren)
		return -ENOTSUP;
	o->kind = OPERAND_MEMORY;
	o->reg = rip ? NULL : reg_named(paren + 2, (size_t)(end - paren - 2));
	return o->reg ? 0 : -ENOTSUP;
}

int arch_operand_parse(const char *text, struct operand *o)
{
	const char *paren = strchr(text, '(');
	char *end;
	memset(o, 0, sizeof(*o));
	if (*text == '$') {
		o->kind = OPERAND_CONST;
		o->num = strtoll(text + 1, &end, 0);
		return end == text + 1 || *end ? -ENOTSUP : 0;
	}
	if (*text == '%' && !paren && !strchr(text, ':')) {
		o->kind = OPERAND_REG;
		o->reg = reg_named(text + 1, strlen(text + 1));
		return o->reg ? 0 : -ENOTSUP;
	}
	return paren && *text != '%' ? parse_memory(text, paren, o) : -ENOTSUP;
}
#else
int arch_operand_parse(const char *text, struct operand *o)
{
	(void)text;
	(void)o;
	return -ENOTSUP;
}
#endif
