// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/reader.h"
#include <errno.h>
#include <traceevent/event-parse.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "perfdata/dat.h"
#include "perfdata/internal.h"

static int cannot_open(struct perfdata *p, int err)
{
	error_sys(err, "cannot open %s", p->path);
	if (err == ENOENT)
		error_hint("sonde record makes one: sonde record -F 99 -ag -- sleep 3");
	else if (err == EACCES)
		error_hint("it belongs to the user who recorded it: read it as that user, or chmod it");
	return -err;
}

/* A recording that somebody else made may lie about everything, and change while it is read: without -f it is
 * refused, to root too, as perf does. */
static int check_owner(const struct perfdata *p, const struct stat *st, bool force)
{
	return force ? 0 : file_check_owner(p->path, st->st_uid, "use -f to read it nevertheless");
}

/* A recording with the kernel's code beside it (record --kcore) is a folder, and the file `data` in it. */
static bool open_in_folder(struct perfdata *p, struct stat *st)
{
	int fd = openat(p->fd, "data", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	close(p->fd);
	p->fd = fd;
	return !fstat(fd, st) && S_ISREG(st->st_mode);
}

static int open_bytes(struct perfdata *p, bool is_stdin, bool force)
{
	struct stat st;
	if (p->fd < 0)
		p->fd = is_stdin ? 0 : open(p->path, O_RDONLY | O_CLOEXEC);
	if (p->fd < 0 || fstat(p->fd, &st))
		return cannot_open(p, errno);
	p->info.captured_at = st.st_mtime;
	if (S_ISDIR(st.st_mode) && !open_in_folder(p, &st))
		return error_set(EISDIR, "%s is a folder, not a perf.data file", p->path);
	if (!S_ISREG(st.st_mode)) {
		p->stream = true;
		return 0;
	}
	int err = check_owner(p, &st, force);
	if (err)
		return err;
	if (!st.st_size)
		return error_set(EINVAL, "%s is empty", p->path);
	void *map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, p->fd, 0);
	if (map == MAP_FAILED)
		return error_sys(errno, "cannot map %s", p->path);
	madvise(map, st.st_size, MADV_SEQUENTIAL);
	p->map = map;
	p->map_len = st.st_size;
	mapped_add(p->map, p->map_len, &p->shrunk);
	return 0;
}

static struct perfdata *open_it(const char *name, int fd, bool is_stdin, bool force)
{
	struct perfdata *p = xcalloc(1, sizeof(*p));
	p->path = xstrdup(name);
	p->fd = fd;
	str_init(&p->extra);
	str_init(&p->caps);
	str_init(&p->group_desc);
	for (unsigned f = 0; f < FEATURE_END; f++)
		str_init(&p->kept[f]);
	p->info.cmdline = (const void *)&p->cmdline;
	p->common = (struct id_layout){ -1, -1, -1, -1, 0 };
	p->uniform = true;
	int err = open_bytes(p, is_stdin, force);
	if (!err)
		err = dat_is(p) ? dat_open(p) : perfdata_read_header(p);
	if (!err)
		err = perfdata_stream_init(p);
	if (!err)
		return p;
	perfdata_close(p);
	return NULL;
}

struct perfdata *perfdata_open(const char *path, bool force)
{
	bool is_stdin = path && !strcmp(path, "-");
	return open_it(is_stdin ? "standard input" : path ? path : "perf.data", -1, is_stdin, force);
}

struct perfdata *perfdata_open_pipe(int fd)
{
	return open_it("the recorder's pipe", fd, false, true);
}

void perfdata_close(struct perfdata *p)
{
	if (!p)
		return;
	perfdata_stream_release(p);
	dat_close(p);
	for (size_t i = 0; i < p->n_events; i++) {
		free(p->events[i]->name);
		free(p->events[i]->unit);
		free(p->events[i]->ids);
		free(p->events[i]);
	}
	free(p->events);
	free(p->layouts);
	free(p->id_table);
	u64map_release(&p->ids);
	for (size_t i = 0; i < p->strings.n; i++)
		free(p->strings.at[i]);
	vec_release(&p->strings);
	vec_release(&p->build_ids);
	machine_release(p);
	wordlist_release(&p->cmdline);
	str_release(&p->extra);
	str_release(&p->caps);
	str_release(&p->group_desc);
	for (unsigned f = 0; f < FEATURE_END; f++)
		str_release(&p->kept[f]);
	if (p->tep)
		tep_free(p->tep);
	if (p->map) {
		mapped_remove(p->map);
		munmap((void *)p->map, p->map_len);
	}
	if (p->fd > 0)
		close(p->fd);
	free(p->path);
	free(p);
}

size_t perfdata_n_events(const struct perfdata *p)
{
	return p->n_events;
}

const struct perfdata_event *perfdata_event_at(const struct perfdata *p, size_t i)
{
	return i < p->n_events ? p->events[i] : NULL;
}

struct tep_handle *perfdata_tep(struct perfdata *p)
{
	return p->tep;
}

bool perfdata_is_pipe(const struct perfdata *p)
{
	return p->pipe;
}

const struct perfdata_info *perfdata_info(const struct perfdata *p)
{
	return &p->info;
}

size_t perfdata_build_ids(const struct perfdata *p, const struct perfdata_build_id **out)
{
	*out = p->build_ids.at;
	return p->build_ids.n;
}

double perfdata_done(const struct perfdata *p, uint64_t offset)
{
	uint64_t from = p->dat ? 0 : p->data_offset, to = p->dat ? p->map_len : p->data_end;
	if (p->pipe || to <= from || offset <= from)
		return 0;
	return offset < to ? (double)(offset - from) / (to - from) : 1;
}

const struct perfdata_stats *perfdata_stats(const struct perfdata *p)
{
	return &p->stats;
}

bool perfdata_group_all(struct perfdata *p)
{
	for (size_t i = 0; i < p->n_events; i++)
		if (p->events[i]->group_members > 1)
			return false;
	for (size_t i = 0; i < p->n_events && p->n_events > 1; i++) {
		p->events[i]->group_leader = 0;
		p->events[i]->group_members = i ? 0 : (int)p->n_events;
	}
	return p->n_events > 1;
}
