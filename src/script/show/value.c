// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/show/value.h"
#include <stdio.h>
#include <string.h>
#include "base/json.h"
#include "base/user.h"
#include "script/show/ctype.h"

void show_string(struct str *out, const struct namer *nm, const char *p, size_t n, bool json)
{
	struct json j;
	if (json) {
		json_init(&j, out);
		json_str(&j, p, n);
	} else if (nm->terminal) {
		str_add_safe(out, p, n);
	} else {
		str_addn(out, p, n);
	}
}

void show_cut_string(struct str *out, const struct namer *nm, const struct script_type *t, const char *p, size_t n, bool json)
{
	unsigned most = nm->s->max_string;
	if (!nm->s->trailer || t->size != ((most + 7) & ~7u) || n + 1 < most) {
		show_string(out, nm, p, n, json);
		return;
	}
	struct str whole = STR_INIT;
	str_addn(&whole, p, n);
	str_add(&whole, nm->s->trailer);
	show_string(out, nm, whole.buf, whole.len, json);
	str_release(&whole);
}

/* %f is the C library's no name for anything: here it is the microseconds. */
void show_clock(struct str *out, const char *format, struct timespec t)
{
	struct tm tm;
	char text[512];
	struct str with = STR_INIT;
	for (const char *p = format; *p; p++) {
		if (p[0] == '%' && p[1] == 'f') {
			str_addf(&with, "%06ld", t.tv_nsec / 1000);
			p++;
		} else {
			str_addc(&with, *p);
			if (p[0] == '%' && p[1])
				str_addc(&with, *++p);
		}
	}
	localtime_r(&t.tv_sec, &tm);
	size_t n = strftime(text, sizeof(text), with.buf, &tm);
	str_addn(out, text, n);
	str_release(&with);
}

/* A time of the boot clock. */
static struct timespec wall(uint64_t ns)
{
	struct timespec real, boot;
	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	int64_t diff = (int64_t)(real.tv_sec - boot.tv_sec) * 1000000000 + real.tv_nsec - boot.tv_nsec;
	uint64_t at = ns + (uint64_t)diff;
	return (struct timespec){ .tv_sec = (time_t)(at / 1000000000), .tv_nsec = (long)(at % 1000000000) };
}

static void user(struct str *out, const struct namer *nm, uint64_t uid, bool json)
{
	struct account a;
	char number[16];
	bool known = user_of_id((uid_t)uid, &a);
	snprintf(number, sizeof(number), "%u", (unsigned)uid);
	const char *name = known ? a.name : number;
	show_string(out, nm, name, strlen(name), json);
	if (known)
		user_release(&a);
}

static void word(struct str *out, const struct namer *nm, const struct script_type *t, uint64_t v, bool json, unsigned indent)
{
	struct str s = STR_INIT;
	switch (t->kind) {
	case TYPE_PROBE:
	case TYPE_FUNC: {
		const struct point *p = v < nm->s->points.n ? &nm->s->points.at[v] : NULL;
		const char *name = p && t->kind == TYPE_PROBE ? p->name : p && p->func ? p->func : "?";
		show_string(out, nm, name, strlen(name), json);
		break;
	}
	case TYPE_USER: user(out, nm, v, json); break;
	case TYPE_KSYM:
		show_ksym(&s, nm->stacks, v, false);
		show_string(out, nm, s.buf, s.len, json);
		break;
	case TYPE_KSTACK:
	case TYPE_USTACK:
		show_stack(&s, nm->stacks, t, v, indent);
		if (json)
			show_string(out, nm, s.buf, s.len, true);
		else
			str_addn(out, s.buf, s.len); /* its names are escaped, and its lines stay lines */
		break;
	case TYPE_CLOCK:
		show_clock(&s, t->format, wall(v));
		show_string(out, nm, s.buf, s.len, json);
		break;
	case TYPE_FLOAT: show_float(out, t, v, json); break;
	case TYPE_POINTER: str_addf(out, json ? "%llu" : "0x%llx", (unsigned long long)v); break;
	case TYPE_INT:
		if (!t->plain && show_constant(out, t, v, json))
			break;
		if (t->is_signed)
			str_addf(out, "%lld", (long long)v);
		else
			str_addf(out, "%llu", (unsigned long long)v);
		break;
	default: str_addf(out, "%llu", (unsigned long long)v); break;
	}
	str_release(&s);
}

void show_value_in(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value, bool json, unsigned indent)
{
	uint64_t v;
	if (t->kind == TYPE_STRING) {
		show_cut_string(out, nm, t, (const char *)value, strnlen((const char *)value, t->size), json);
		return;
	}
	if (t->kind == TYPE_SHOWN) {
		struct str s = STR_INIT;
		t->shown->text(&s, nm, t, value);
		show_string(out, nm, s.buf, s.len, json);
		str_release(&s);
		return;
	}
	if (t->kind == TYPE_TUPLE) {
		str_addc(out, json ? '[' : '(');
		for (unsigned i = 0; i < t->n_fields; i++) {
			str_add(out, !i ? "" : json ? "," : ", ");
			show_value_in(out, nm, t->fields[i].type, value + t->fields[i].at, json, indent);
		}
		str_addc(out, json ? ']' : ')');
		return;
	}
	if (t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY) {
		show_ctype(out, nm, (struct script_type *)t, value, t->size, json ? SHOW_JSON : indent == KEY_INDENT ? SHOW_KEY : SHOW_TEXT);
		return;
	}
	memcpy(&v, value, sizeof(v));
	word(out, nm, t, v, json, indent);
}

void show_value(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value, bool json)
{
	show_value_in(out, nm, t, value, json, 8);
}

const char *payload_text(const uint8_t *p, size_t n, uint64_t word, size_t *len)
{
	uint64_t at = (uint32_t)word, size = word >> 32, head = sizeof(struct script_record);
	*len = 0;
	if (at < head || at - head > n || size > n - (at - head))
		return "";
	*len = strnlen((const char *)p + at - head, size);
	return (const char *)p + at - head;
}

void show_payload(struct str *out, const struct namer *nm, const struct script_type *payload, const uint8_t *p, size_t n, bool json)
{
	const struct script_type *t = payload->fields[0].type;
	uint64_t v;
	size_t len;
	if (n < (t->kind == TYPE_STRING ? 8 : payload->fields[0].size))
		return;
	if (t->kind != TYPE_STRING) {
		show_value(out, nm, t, p, json);
		return;
	}
	memcpy(&v, p, sizeof(v));
	const char *text = payload_text(p, n, v, &len);
	show_cut_string(out, nm, t, text, len, json);
}
