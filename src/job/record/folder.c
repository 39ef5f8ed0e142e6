// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording that is a folder (--kcore): the file `data`, and beside it the kernel's code in kcore_dir. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "job/record/recorder.h"
#include "kernel/image/kcore.h"

static char *in_folder(const char *path, const char *name)
{
	struct str s = STR_INIT;
	str_addf(&s, "%s/%s", path, name);
	return str_detach(&s);
}

/* Nothing but what we put into such a folder is ever removed. */
static void remove_recording(const char *path)
{
	static const char *const parts[] = { "data", "data.old" };
	for (int i = 0; i < 2; i++) {
		char *file = in_folder(path, parts[i]);
		unlink(file);
		free(file);
	}
	char *code = in_folder(path, "kcore_dir");
	dir_remove(code);
	free(code);
	rmdir(path);
}

static bool is_recording(const char *path)
{
	char *file = in_folder(path, "data");
	struct stat st;
	bool is = !lstat(file, &st) && S_ISREG(st.st_mode);
	free(file);
	return is;
}

/* What has the name already becomes PATH.old, as a file does. */
static int make_room(const char *path)
{
	struct stat st;
	struct str old = STR_INIT;
	int err = 0;
	if (lstat(path, &st))
		return 0;
	str_addf(&old, "%s.old", path);
	if (!S_ISREG(st.st_mode) && !(S_ISDIR(st.st_mode) && is_recording(path)))
		err = error_set(EEXIST, "%s is there already, and is no recording", path);
	if (!err && !lstat(old.buf, &st) && S_ISDIR(st.st_mode) && is_recording(old.buf))
		remove_recording(old.buf);
	else if (!err)
		unlink(old.buf);
	if (!err && rename(path, old.buf))
		err = error_sys(errno, "cannot rename %s to %s", path, old.buf);
	str_release(&old);
	return err;
}

/* The copy is whole before the name is taken from what has it. */
int record_folder(const char *path, char **data)
{
	struct str begun = STR_INIT;
	str_addf(&begun, "%s.new-%d", path, (int)getpid());
	char *code = in_folder(begun.buf, "kcore_dir");
	int err = path_trusted(path);
	if (!err && mkdir(begun.buf, 0700))
		err = error_sys(errno, "cannot make the folder %s", begun.buf);
	else if (!err)
		err = kcore_copy(code) ?: make_room(path);
	if (!err && rename(begun.buf, path))
		err = error_sys(errno, "cannot rename %s to %s", begun.buf, path);
	if (err)
		remove_recording(begun.buf);
	else
		*data = in_folder(path, "data");
	free(code);
	str_release(&begun);
	return err;
}
