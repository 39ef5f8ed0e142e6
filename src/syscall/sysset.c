// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets of system calls as -e takes them: "open,close", "%file", "!futex", "/^get/", "open@32", "all", "none";
 * "trace=" in front and "file" for "%file" as in strace. "!" turns the whole set around. */
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "syscall/decode.h"

enum { SET_BITS = 16 * 64 };

static const struct { const char *name; unsigned mask; const char *regex; } classes[] = {
	{ "file", CLASS_FILE, NULL }, { "desc", CLASS_DESC, NULL }, { "network", CLASS_NETWORK, NULL }, { "net", CLASS_NETWORK, NULL },
	{ "process", CLASS_PROCESS, NULL }, { "signal", CLASS_SIGNAL, NULL }, { "memory", CLASS_MEMORY, NULL },
	{ "ipc", CLASS_IPC, NULL }, { "creds", CLASS_CREDS, NULL }, { "clock", CLASS_CLOCK, NULL }, { "pure", CLASS_PURE, NULL },
	{ "stat", 0, "^(old)?stat(64)?$" }, { "lstat", 0, "^(old)?lstat(64)?$" },
	{ "fstat", 0, "^(old)?fstat(64)?$|^(newfstatat|fstatat64|statx)$" }, { "statfs", 0, "^statfs(64)?$" },
	{ "fstatfs", 0, "^fstatfs(64)?$" }, { "%stat", 0, "^(old)?[lf]?stat(64)?$|^(newfstatat|fstatat64|statx)$" },
	{ "%statfs", 0, "^f?statfs(64)?$|^ustat$" },
};

static void set_bit(uint64_t *bits, int nr, bool on)
{
	if (nr < 0 || nr >= SET_BITS)
		return;
	if (on)
		bits[nr / 64] |= 1ull << (nr % 64);
	else
		bits[nr / 64] &= ~(1ull << (nr % 64));
}

static uint64_t *bits_of(struct sysset *s, enum sys_abi abi)
{
	return abi == ABI_32 ? s->compat : s->native;
}

/* Calls fn for every row of every abi; x32's own numbers share the native bits. */
static int add_matching(struct sysset *s, bool on, bool (*match)(const struct syscall_row *, const void *), const void *what)
{
	int found = 0;
	for (enum sys_abi abi = ABI_NATIVE; abi <= ABI_X32; abi++) {
		for (int nr = 0; nr < syscall_max(abi); nr++) {
			const struct syscall_row *r = syscall_find(abi, nr);
			if (!r || !match(r, what))
				continue;
			set_bit(bits_of(s, abi), nr, on);
			found++;
		}
	}
	return found;
}

static bool match_class(const struct syscall_row *r, const void *mask)
{
	return syscall_classes(r) & *(const unsigned *)mask;
}

static bool match_name(const struct syscall_row *r, const void *name)
{
	return !strcmp(syscall_name(r), name);
}

static bool match_glob(const struct syscall_row *r, const void *pattern)
{
	return glob_match(pattern, syscall_name(r));
}

static bool match_regex(const struct syscall_row *r, const void *re)
{
	return !regexec(re, syscall_name(r), 0, NULL, 0);
}

static int add_regex(struct sysset *s, bool on, const char *text, size_t n)
{
	char *pattern = xstrndup(text, n);
	regex_t re;
	int err = regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB);
	if (err) {
		char why[128];
		regerror(err, &re, why, sizeof(why));
		error_set(EINVAL, "invalid regular expression '%s': %s", pattern, why);
		error_hint("write it as in grep -E, between slashes: -e '/^(open|close)/'");
	}
	free(pattern);
	if (err)
		return -EINVAL;
	int found = add_matching(s, on, match_regex, &re);
	regfree(&re);
	return found;
}

/* A class is %file, or plain file where no call has that name. Returns how many calls it has. */
static int add_class(struct sysset *s, bool on, const char *word)
{
	const char *name = word + (*word == '%');
	for (unsigned i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (strcmp(classes[i].name, name) || (*word != '%' && !classes[i].mask))
			continue;
		if (classes[i].regex)
			return add_regex(s, on, classes[i].regex, strlen(classes[i].regex));
		return add_matching(s, on, match_class, &classes[i].mask);
	}
	return 0;
}

static bool match_any(const struct syscall_row *r, const void *what)
{
	(void)r;
	(void)what;
	return true;
}

static int unknown(const char *word)
{
	struct nearest near;
	if (*word == '%') {
		error_set(EINVAL, "unknown class of system calls '%s'", word);
		return error_hint("classes: %%file %%desc %%network %%process %%signal %%memory %%ipc %%creds %%clock %%stat %%lstat "
			"%%fstat %%statfs %%pure");
	}
	error_set(EINVAL, "unknown system call '%s'", word);
	nearest_init(&near, word);
	for (enum sys_abi abi = ABI_NATIVE; abi <= ABI_32; abi++) {
		for (int nr = 0; nr < syscall_max(abi); nr++) {
			const struct syscall_row *r = syscall_find(abi, nr);
			bool twice = r && abi == ABI_32 && syscall_named(ABI_NATIVE, syscall_name(r), NULL);
			if (r && !twice)
				nearest_offer(&near, syscall_name(r));
		}
	}
	if (!nearest_hint(&near))
		error_hint("classes such as %%file and patterns such as 'open*' or '/^open/' are understood too");
	return -EINVAL;
}

/* One word without '!' and '?'. How many calls it is; -errno. */
static int add_plain(struct sysset *s, bool on, const char *word)
{
	size_t n = strlen(word);
	int found;
	uint64_t nr;
	if (!strcmp(word, "all"))
		return add_matching(s, on, match_any, NULL);
	if (!strcmp(word, "none"))
		return 1;
	if (*word == '/' || *word == '%') {
		bool closed = *word == '/' && n > 1 && word[n - 1] == '/';
		found = *word == '/' ? add_regex(s, on, word + 1, n - 1 - closed) : add_class(s, on, word);
	} else if (glob_has(word)) {
		found = add_matching(s, on, match_glob, word);
	} else if (!parse_u64(word, &nr) && nr < SET_BITS && syscall_find(ABI_NATIVE, nr)) {
		set_bit(s->native, nr, on);
		found = 1;
	} else {
		found = add_matching(s, on, match_name, word);
		if (!found)
			found = add_class(s, on, word);
	}
	return found;
}

/* strace's NAME@64 and NAME@32: those of one kind of program. */
static int add_kind(struct sysset *s, bool on, const char *word, const char *kind)
{
	struct sysset both = { 0 };
	bool wide = !strcmp(kind, "64"), compat = !strcmp(kind, "32");
	if (!wide && !compat) {
		error_set(EINVAL, "'@%s' is no kind of program", kind);
		return error_hint(strcmp(kind, "x32") ? "@64 and @32 are" : "@64 has the calls of x32 programs too, @32 those of i386");
	}
	char *plain = xstrndup(word, kind - 1 - word);
	int found = add_plain(&both, true, plain), n = 0;
	for (int i = 0; i < 16; i++) {
		uint64_t *to = wide ? &s->native[i] : &s->compat[i], bits = wide ? both.native[i] : both.compat[i];
		*to = on ? *to | bits : *to & ~bits;
		n += bits != 0;
	}
	s->asks_compat |= on && compat;
	if (!found)
		unknown(plain);
	else if (found > 0 && !n && strcmp(plain, "none"))
		error_set(EINVAL, "%s-bit programs have no call '%s'", kind, plain);
	free(plain);
	return found < 0 ? found : error_pending() ? 0 : 1;
}

static int add_word(struct sysset *s, bool on, const char *word)
{
	bool ignore = *word == '?'; /* strace: no complaint if unknown */
	word += ignore;
	const char *kind = strrchr(word, '@');
	int found = kind ? add_kind(s, on, word, kind + 1) : add_plain(s, on, word);
	if (found < 0)
		return found;
	if (!found && !ignore)
		return error_pending() ? error_code() : unknown(word);
	if (!found)
		error_clear();
	return 0;
}

/* Words add; with a '!' of their own they take away again: "%file,!openat". */
static int add_words(struct sysset *s, const char *text, bool not)
{
	wordlist words = { 0 };
	int err = 0;
	if (*text == '/') { /* commas belong to the expression */
		wordlist_add(&words, text);
	} else {
		wordlist_split(&words, text, ',');
	}
	for (size_t i = 0; !err && i < words.n; i++)
		if (words.at[i][0] == '!' && words.at[i][1])
			err = add_word(s, not, words.at[i] + 1);
		else if (words.at[i][0])
			err = add_word(s, true, words.at[i]);
	wordlist_release(&words);
	return err;
}

int sysset_parse(struct sysset *s, const char *text)
{
	struct sysset new = { 0 };
	if (str_starts(text, "trace=") || str_starts(text, "t="))
		text = strchr(text, '=') + 1;
	bool not = *text == '!';
	if (!text[not])
		return error_set(EINVAL, "an empty set of system calls");
	int err = add_words(&new, text + not, not); /* "!a,!b" is "!a,b" */
	if (err)
		return err;
	struct sysset all = { 0 };
	if (not)
		add_matching(&all, true, match_any, NULL);
	for (int i = 0; i < 16; i++) {
		s->native[i] = not ? all.native[i] & ~new.native[i] : new.native[i];
		s->compat[i] = not ? all.compat[i] & ~new.compat[i] : new.compat[i];
	}
	s->asks_compat = new.asks_compat && !not;
	return 0;
}

void sysset_add_named(struct sysset *s, const char *name)
{
	add_matching(s, true, match_name, name);
}

void sysset_add(struct sysset *s, const struct sysset *more)
{
	for (int i = 0; i < 16; i++) {
		s->native[i] |= more->native[i];
		s->compat[i] |= more->compat[i];
	}
	s->asks_compat |= more->asks_compat;
}

bool sysset_has(const struct sysset *s, enum sys_abi abi, int nr)
{
	if (abi == ABI_X32)
		nr &= ~0x40000000;
	if (nr < 0 || nr >= SET_BITS)
		return false;
	return (abi == ABI_32 ? s->compat : s->native)[nr / 64] >> (nr % 64) & 1;
}
