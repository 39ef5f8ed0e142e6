// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/fieldjson.h"

static void add_number(struct json *j, const struct tp_field *fd, const void *raw, uint32_t size)
{
	uint64_t v = tp_field_number(fd, raw, size);
	if (fd->is_signed)
		json_s64(j, (int64_t)v);
	else
		json_u64(j, v);
}

static void add_array(struct json *j, const struct tp_field *fd, const char *p, size_t n)
{
	struct tp_field el = { .kind = TP_NUMBER, .size = fd->elem ? fd->elem : 1, .is_signed = fd->is_signed };
	json_open(j, '[');
	for (; el.off + el.size <= n; el.off += el.size)
		add_number(j, &el, p, n);
	json_close(j, ']');
}

void json_tp_fields(struct json *j, const struct tp_format *f, const void *raw, uint32_t size)
{
	size_t n, len;
	const struct tp_field *fd = tp_format_fields(f, &n);
	json_key(j, "fields");
	json_open(j, '{');
	for (size_t i = 0; i < n; i++, fd++) {
		if (fd->common)
			continue;
		json_key(j, fd->name);
		if (fd->kind == TP_NUMBER) {
			add_number(j, fd, raw, size);
			continue;
		}
		struct tp_field bytes = *fd;
		if (fd->of_bytes)
			bytes.kind = TP_ARRAY; /* a zero in it is no end */
		const char *p = tp_field_bytes(&bytes, raw, size, &len);
		if (bytes.kind == TP_STRING)
			json_str(j, p, len);
		else
			add_array(j, &bytes, p, len);
	}
	json_close(j, '}');
}
