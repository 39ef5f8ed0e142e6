// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/root.h"
#include "script/provider/user/binary.h"
#include "script/saved/inner.h"
#include "symbol/dwarf/dwarf.h"
#include "symbol/file/debugfile.h"
#include "symbol/file/slim.h"

/* ---- reading ---- */

enum saved_dialect saved_kind(const char *path)
{
	struct saved_head h = { 0 };
	struct stat st;
	int fd = stat(path, &st) || !S_ISREG(st.st_mode) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd >= 0 ? read(fd, &h, sizeof(h)) : -1;
	if (fd >= 0)
		close(fd);
	return n >= (ssize_t)sizeof(h.magic) ? saved_head_kind(&h) : SAVED_NONE;
}

/* It is asked of what was opened. */
static int check_owner(int fd, const char *path)
{
	struct stat st;
	if (fstat(fd, &st))
		return error_sys(errno, "cannot read '%s'", path);
	return file_check_owner(path, st.st_uid, "--force runs it nevertheless");
}

static int read_file(struct saved *v, const char *path, bool force)
{
	struct str all = STR_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int err = fd < 0 ? error_sys(errno, "cannot read '%s'", path) : force ? 0 : check_owner(fd, path);
	if (!err) {
		err = file_read_fd(fd, &all, SAVED_MOST);
		err = err ? error_sys(-err, "cannot read '%s'", path) : saved_decode(v, all.buf, all.len, path);
	}
	if (fd >= 0)
		close(fd);
	str_release(&all);
	return err;
}

/* Whoever looks for debug files wants a path: one of a file in memory, which stays open. */
static int give_image(const struct saved_program *p, const struct saved_image *i)
{
	int fd = memfd_create("sonde-saved", MFD_CLOEXEC);
	size_t done = 0;
	while (fd >= 0 && done < i->elf.len) {
		ssize_t n = write(fd, i->elf.buf + done, i->elf.len - done);
		if (n <= 0) {
			error_sys(errno, "there is no memory for the debug information of %s", p->path);
			close(fd);
			return error_code();
		}
		done += (size_t)n;
	}
	if (fd < 0)
		return error_sys(errno, "there is no file in memory for the debug information of %s", p->path);
	debugfile_give(&p->id, root_own("fd/%d", fd));
	return 0;
}

static int give_all(const struct saved *v)
{
	int err = 0;
	vec_each(&v->programs, p)
		for (unsigned i = 0; i < p->n_images && !err; i++)
			err = give_image(p, &p->images[i]);
	return err;
}

int saved_take(struct saved *v, const char *path, bool force, char **params, unsigned n, struct script_given *out)
{
	int err = read_file(v, path, force);
	if (!err)
		err = give_all(v);
	if (err)
		return err;
	*out = (struct script_given){ .name = v->name.buf, .text = v->text.buf, .length = v->text.len, .params = n ? params : v->params.at,
		.n_params = n ? n : (unsigned)v->params.n, .saved = v };
	return 0;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

int saved_check(const struct saved *v, const char *path)
{
	struct build_id here = { .n = 0 };
	const struct saved_program *called_so = NULL;
	char was[41], is[41];
	if (!v)
		return 0;
	(void)build_id_of_file(path, &here);
	vec_each(&v->programs, p) {
		if (build_id_same(&p->id, &here))
			return 0;
		if (!strcmp(base_of(p->path), base_of(path)))
			called_so = p;
	}
	build_id_hex(&here, is);
	if (!called_so) {
		error_set(ESTALE, "%s is none of the programs that the script was saved with", path);
	} else {
		build_id_hex(&called_so->id, was);
		error_set(ESTALE, "the script was saved for build-id %s of %s, and %s has %s here", was, called_so->path, path, here.n ? is : "none");
	}
	return error_hint("save it again where this very program is: sonde run --save FILE SCRIPT");
}

/* ---- writing ---- */

static int cannot(const char *path, int err)
{
	return error_sys(-err, "cannot save the symbols and debug information of %s", path);
}

static int add_image(struct saved_program *p, const char *path, bool symbols, bool dwarf)
{
	struct saved_image *i = &p->images[p->n_images++];
	*i = (struct saved_image){ .symbols = symbols, .dwarf = dwarf, .elf = STR_INIT };
	int err = elf_slim(path, symbols, dwarf, SAVED_MOST, &i->elf);
	return err ? cannot(path, err) : 0;
}

/* Symbols always: they are small, and name the frames of stacks too. Debug information, when the compiler opened it. */
static int add_images(struct saved_program *p, struct binary *b)
{
	struct debugfile s = { .looked = STR_INIT }, d = { .looked = STR_INIT };
	const char *path = b->target.path;
	bool symbols = !debugfile_find(&s, path, &p->id, 's', NULL), dwarf = b->target.dwarf && !debugfile_find(&d, path, &p->id, 'd', NULL);
	bool same = symbols && dwarf && !strcmp(s.path, d.path);
	int err = 0;
	error_clear();
	if (symbols)
		err = add_image(p, s.path, true, same);
	if (!err && dwarf && !same)
		err = add_image(p, d.path, false, true);
	debugfile_release(&s);
	debugfile_release(&d);
	return err;
}

/* What dwz moved into a file that several programs share: one more program, of which only that is there. */
static int add_shared(struct saved *v, struct binary *b)
{
	struct build_id id = { .n = 0 };
	char *path = b->target.dwarf ? dwarf_file_alt(b->target.dwarf, &id) : NULL;
	bool known = !id.n;
	int err = 0;
	vec_each(&v->programs, p)
		known |= build_id_same(&p->id, &id);
	if (!known && !path) {
		error_set(ENOENT, "a part of the debug information of %s is in a file that is not there", b->target.path);
		err = error_hint("its package has it, below /usr/lib/debug/.dwz");
	} else if (!known) {
		struct saved_program *p = vec_push(&v->programs);
		*p = (struct saved_program){ .path = xstrdup(path), .id = id };
		err = add_image(p, path, false, true);
	}
	free(path);
	return err;
}

static int add_program(struct saved *v, struct binary *b)
{
	struct build_id id = { .n = 0 };
	const char *path = b->target.path;
	if (build_id_of_file(path, &id) || id.n < 2) {
		error_set(ENOTSUP, "%s has no build-id, by which it could be known again elsewhere", path);
		return error_hint("link it with -Wl,--build-id, or run the script itself there");
	}
	if (b->target.dwarf && !dwarf_file_is_whole(b->target.dwarf)) {
		error_set(ENOTSUP, "the debug information of %s is in several files (split), which cannot be saved yet", path);
		return error_hint("a script that names no variables, types and lines of it needs only its symbols, and can be saved");
	}
	struct saved_program *p = vec_push(&v->programs);
	p->path = xstrdup(path);
	p->id = id;
	return add_images(p, b);
}

static int put_file(const char *path, const struct str *bytes)
{
	int fd = file_create(path, O_WRONLY, 0644), err = fd < 0 ? fd : 0;
	for (size_t done = 0; !err && done < bytes->len;) {
		ssize_t n = write(fd, bytes->buf + done, bytes->len - done);
		if (n < 0 && errno != EINTR)
			err = error_sys(errno, "cannot write '%s'", path);
		done += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0 && close(fd) && !err)
		err = error_sys(errno, "cannot write '%s'", path);
	return err;
}

static int no_kernel(void)
{
	error_set(EINVAL, "lines and variables of the kernel are not saved: another kernel has them elsewhere");
	return error_hint("functions (kprobe:vfs_read) and their arguments by name are found again in the types of that kernel");
}

int saved_write(struct saved *v, const struct script_given *given, struct run_script *s, const char *path)
{
	struct str bytes = STR_INIT;
	int err = 0;
	str_add(&v->name, given->name);
	str_addn(&v->text, given->text, given->length);
	for (unsigned i = 0; i < given->n_params; i++)
		wordlist_add(&v->params, given->params[i]);
	for (struct binary *b = s->binaries; b && !err; b = b->next)
		err = b->target.user ? add_program(v, b) ?: add_shared(v, b) : no_kernel();
	if (!err)
		err = saved_encode(v, &bytes);
	if (!err)
		err = put_file(path, &bytes);
	if (!err)
		note(1, "%s: the script and what it needs of %zu programs, %zu bytes", path, v->programs.n, bytes.len);
	str_release(&bytes);
	saved_release(v);
	return err;
}
