// SPDX-License-Identifier: GPL-2.0-or-later
#include "probe/def.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void add_place(const struct probe_def *d, struct str *out)
{
	if (d->user) {
		str_addf(out, "%s:0x%llx", d->target, (unsigned long long)d->offset);
		if (d->ref_ctr)
			str_addf(out, "(0x%llx)", (unsigned long long)d->ref_ctr);
		return;
	}
	if (d->target)
		str_addf(out, "%s:", d->target);
	if (d->symbol)
		str_addf(out, "%s+%llu", d->symbol, (unsigned long long)d->offset);
	else
		str_addf(out, "0x%llx", (unsigned long long)d->offset);
}

void probe_def_body(const struct probe_def *d, const char *suffix, struct str *out)
{
	add_place(d, out);
	str_add(out, suffix);
	vec_each(&d->args, a) {
		str_addc(out, ' ');
		if (a->name)
			str_addf(out, "%s=", a->name);
		str_add(out, a->value);
		if (a->type)
			str_addf(out, ":%s", a->type);
	}
}

void probe_def_line(const struct probe_def *d, struct str *out)
{
	str_addf(out, "%c:%s/%s ", d->ret ? 'r' : 'p', d->group, d->event);
	probe_def_body(d, "", out);
}

struct probe_defarg *probe_def_arg(struct probe_def *d, const char *name, const char *value, const char *type)
{
	struct probe_defarg *a = vec_push(&d->args);
	a->name = name ? xstrdup(name) : NULL;
	a->value = xstrdup(value);
	a->type = type ? xstrdup(type) : NULL;
	return a;
}

/* The file's offset is behind the last colon: a path may hold others. */
static int parse_user_place(struct probe_def *d, char *word)
{
	char *colon = strrchr(word, ':'), *end;
	if (!colon || strncmp(colon + 1, "0x", 2))
		return -EINVAL;
	d->target = xstrndup(word, (size_t)(colon - word));
	d->offset = strtoull(colon + 1, &end, 16);
	if (*end == '(')
		d->ref_ctr = strtoull(end + 1, &end, 16);
	return 0;
}

static int parse_kernel_place(struct probe_def *d, char *word)
{
	char *colon = strchr(word, ':'), *plus;
	if (colon) {
		d->target = xstrndup(word, (size_t)(colon - word));
		word = colon + 1;
	}
	if (!strncmp(word, "0x", 2)) {
		d->offset = strtoull(word, NULL, 16);
		return 0;
	}
	plus = strpbrk(word, "+%");
	if (plus && *plus == '+')
		d->offset = strtoull(plus + 1, NULL, 0);
	d->symbol = xstrndup(word, plus ? (size_t)(plus - word) : strlen(word));
	return 0;
}

static void parse_arg(struct probe_def *d, char *word)
{
	char *eq = strchr(word, '='), *colon;
	struct probe_defarg *a = vec_push(&d->args);
	if (eq) {
		a->name = xstrndup(word, (size_t)(eq - word));
		word = eq + 1;
	}
	colon = strrchr(word, ':');
	if (colon) {
		a->type = xstrdup(colon + 1);
		*colon = 0;
	}
	a->value = xstrdup(word);
}

static int parse_names(struct probe_def *d, char *word)
{
	char *colon = strchr(word, ':'), *slash;
	if ((word[0] != 'p' && word[0] != 'r') || !colon)
		return -EINVAL;
	slash = strchr(colon, '/');
	if (!slash || slash == colon + 1 || !slash[1])
		return -EINVAL;
	d->ret = word[0] == 'r';
	d->group = xstrndup(colon + 1, (size_t)(slash - colon - 1));
	d->event = xstrdup(slash + 1);
	return 0;
}

int probe_def_parse(struct probe_def *d, const char *line, size_t n, bool user)
{
	char *copy = xstrndup(line, n), *save = NULL, *word;
	int err = -EINVAL, i = 0;
	memset(d, 0, sizeof(*d));
	d->user = user;
	for (word = strtok_r(copy, " \t", &save); word; word = strtok_r(NULL, " \t", &save), i++) {
		if (i == 0)
			err = parse_names(d, word);
		else if (i == 1)
			err = user ? parse_user_place(d, word) : parse_kernel_place(d, word);
		else
			parse_arg(d, word);
		if (err)
			break;
	}
	if (!err && i < 2)
		err = -EINVAL;
	free(copy);
	if (err)
		probe_def_release(d);
	return err;
}

void probe_def_release(struct probe_def *d)
{
	vec_each(&d->args, a) {
		free(a->name);
		free(a->value);
		free(a->type);
	}
	vec_release(&d->args);
	free(d->group);
	free(d->event);
	free(d->target);
	free(d->symbol);
	free(d->func);
	memset(d, 0, sizeof(*d));
}

void probe_defs_release(probe_defs *l)
{
	vec_each(l, d)
		probe_def_release(d);
	vec_release(l);
}
