// SPDX-License-Identifier: GPL-2.0-or-later
/* pack-skeleton <SKELETON.h >PACKED.h: compresses the long strings of a skeleton that bpftool made, the eBPF programs,
 * which are unpacked when one is loaded (bpf/unpack.h). They are a third of sonde otherwise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { WORTH_IT = 4096 };

static void fail(const char *why)
{
	fprintf(stderr, "pack-skeleton: %s\n", why);
	exit(1);
}

static char *read_all(FILE *f, size_t *n)
{
	char *text = NULL;
	for (size_t size = *n = 0;;) {
		if (size - *n < 2 && !(text = realloc(text, size = size * 2 + 65536)))
			fail("no memory");
		size_t got = fread(text + *n, 1, size - *n - 1, f);
		if (!got)
			break;
		*n += got;
	}
	text[*n] = 0;
	return text;
}

/* The bytes that a literal stands for: bpftool writes \0, \xNN and lines that end in a backslash. Gives its end. */
static char *decode(char *p, unsigned char *bytes, size_t *n)
{
	for (*n = 0; *p != '"';) {
		if (!strncmp(p, "\\\n", 2)) {
			p += 2;
			continue;
		}
		if (!strncmp(p, "\\0", 2)) {
			bytes[(*n)++] = 0;
			p += 2;
			continue;
		}
		char *end = p, hex[3] = { 0 };
		if (strncmp(p, "\\x", 2) || !memcpy(hex, p + 2, 2))
			fail("a string that bpftool does not write");
		bytes[(*n)++] = strtoul(hex, &end, 16);
		if (end != hex + 2)
			fail("a wrong number in a string");
		p += 4;
	}
	return p + 1;
}

static void print_packed(const unsigned char *bytes, size_t n)
{
	size_t bound = ZSTD_compressBound(n);
	unsigned char *packed = malloc(bound);
	size_t size = packed ? ZSTD_compress(packed, bound, bytes, n, 19) : 0;
	if (!size || ZSTD_isError(size))
		fail("cannot compress");
	printf("BPF_UNPACKED(%zu", n);
	for (size_t i = 0; i < size; i++)
		printf("%s\\%03o%s", i % 32 ? "" : i ? "\n\"" : ",\n\"", packed[i], i % 32 == 31 || i + 1 == size ? "\"" : "");
	printf(")");
	free(packed);
}

int main(void)
{
	size_t length, n;
	char *at = read_all(stdin, &length), *quote;
	unsigned char *bytes = malloc(length + 1);
	if (!bytes)
		fail("no memory");
	printf("#include \"bpf/unpack.h\"\n");
	for (char *end; (quote = strstr(at, "\"\\\n")); at = end) {
		end = decode(quote + 1, bytes, &n);
		printf("%.*s", (int)(quote - at), at);
		if (n < WORTH_IT)
			printf("%.*s", (int)(end - quote), quote);
		else
			print_packed(bytes, n);
	}
	printf("%s", at);
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
