// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols out of text: /proc/kallsyms, System.map and perf-PID.map. The text is cut in place, so
 * reading is one pass over the bytes and nothing is copied. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "symbol/symtab.h"

enum { LATEST = 16 };

static const int8_t hex_value[256] = {
	['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ['a'] = 11, 12, 13, 14, 15, 16, ['A'] = 11, 12, 13, 14, 15, 16,
};

static uint64_t hex(char **p)
{
	uint64_t v = 0;
	int d;
	while ((d = hex_value[(uint8_t)**p])) {
		v = v << 4 | (d - 1);
		(*p)++;
	}
	return v;
}

/* Modules come in runs, so only the latest are compared; one that comes again much later is listed again. */
static uint16_t module_index(struct symtab *t, const char *name)
{
	if (!t->module.n)
		*vec_push(&t->module) = NULL;
	for (size_t i = t->module.n; i-- > 1 && t->module.n - i <= LATEST;)
		if (!strcmp(t->module.at[i], name))
			return i;
	if (t->module.n >= UINT16_MAX)
		return t->module.n - 1;
	*vec_push(&t->module) = name;
	return t->module.n - 1;
}

/* "ffffffff81000000 T name\t[module]" with the line already cut. */
static void kallsyms_line(struct symtab *t, char *line, uint64_t *any)
{
	uint64_t addr = hex(&line);
	if (line[0] != ' ' || !line[1] || line[2] != ' ')
		return;
	char type = line[1], upper = toupper((unsigned char)type), *name = line + 3;
	*any |= addr;
	if (upper != 'T' && upper != 'W' && upper != 'D' && upper != 'B')
		return;
	if (!*name || *name == '$')
		return;
	uint16_t module = 0;
	char *tab = strchr(name, '\t');
	if (tab) {
		*tab = 0;
		char *end = strchr(tab + 1, ']');
		if (tab[1] == '[' && end) {
			end[1] = 0;
			module = module_index(t, tab + 1);
		}
	}
	symtab_add(t, addr, 0, name, type == 'W' || type == 'w' ? STB_WEAK : isupper((unsigned char)type) ? STB_GLOBAL : STB_LOCAL);
	vec_last(&t->sym)->module = module;
}

const char *symtab_module(struct symtab *t, const struct sym *s)
{
	return s->module < t->module.n ? t->module.at[s->module] : NULL;
}

int symtab_load_kallsyms(struct symtab *t, char *text, size_t n)
{
	uint64_t any = 0;
	char *end = text + n;
	symtab_own(t, text);
	for (char *line = text; line < end;) {
		char *nl = memchr(line, '\n', end - line);
		if (!nl)
			break; /* a cut last line is no symbol */
		*nl = 0;
		kallsyms_line(t, line, &any);
		line = nl + 1;
	}
	if (!any) {
		t->sym.n = 0;
		return -ENODATA;
	}
	symtab_finish(t, true);
	return 0;
}

/* perf's own form has bare digits, the JVM's (jcmd PID Compiler.perfmap) "0x" before them. */
static uint64_t hex_any(char **p)
{
	if ((*p)[0] == '0' && ((*p)[1] == 'x' || (*p)[1] == 'X') && hex_value[(uint8_t)(*p)[2]])
		*p += 2;
	return hex(p);
}

static void perf_map_line(struct symtab *t, char *line)
{
	uint64_t addr = hex_any(&line);
	if (*line++ != ' ')
		return;
	uint64_t size = hex_any(&line);
	if (*line++ != ' ' || !*line)
		return;
	symtab_add(t, addr, size, line, STB_GLOBAL);
}

void symtab_load_perf_map(struct symtab *t, char *text, size_t n)
{
	char *end = text + n;
	symtab_own(t, text);
	for (char *line = text; line < end;) {
		char *nl = memchr(line, '\n', end - line);
		if (!nl)
			break;
		*nl = 0;
		perf_map_line(t, line);
		line = nl + 1;
	}
	symtab_finish_latest(t);
}
