// SPDX-License-Identifier: GPL-2.0-or-later
#include "spec/ring_size.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/str.h"

int size_parse(const char *arg, const char *units, uint64_t *out)
{
	size_t n = strlen(arg);
	const char *unit = n ? strchr(units, arg[n - 1]) : NULL;
	if (!unit || !*unit)
		return -EINVAL;
	char *digits = xstrndup(arg, n - 1);
	int err = parse_u64(digits, out);
	free(digits);
	if (err)
		return err;
	for (long i = unit - units; i > 0; i--) {
		if (*out > UINT64_MAX / 1024)
			return -ERANGE;
		*out *= 1024;
	}
	return 0;
}

int ring_size_parse(const char *arg, uint64_t *out)
{
	uint64_t pages, bytes, page = sysconf(_SC_PAGESIZE);
	size_t n = strcspn(arg, ","), power = page;
	char *one = xstrndup(arg, n);
	int err = parse_u64(one, &pages);
	if (!err)
		bytes = pages <= UINT64_MAX / page ? pages * page : 0;
	else
		err = size_parse(one, "BKMG", &bytes);
	free(one);
	if (err || !bytes || bytes > 1ull << 40) {
		error_set(EINVAL, "-m: '%s' is not a size", arg);
		return error_hint("a number of pages (a power of two), or bytes with a unit: -m 16M");
	}
	if (arg[n]) {
		error_set(EINVAL, "-m: '%s' has a second size, and there is no AUX area tracing in sonde", arg);
		return error_hint("one size is for the rings: -m %.*s", (int)n, arg);
	}
	while (power < bytes)
		power *= 2;
	*out = power;
	return 0;
}
