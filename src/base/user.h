/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users by name or number. The ordinary program asks the machine's name services (files, LDAP, systemd, ...); the
 * static one (make static) has no library to ask them with and reads /etc/passwd and /etc/group itself. */
#ifndef BASE_USER_H
#define BASE_USER_H
#include <stdbool.h>
#include <sys/types.h>

struct account {
	uid_t uid;
	gid_t gid;
	char *name, *home; /* owned */
};
/* What -u was given, a name or a number, with its entry. -ENOENT and a pending error when there is none. */
int user_find(const char *text, struct account *u);
/* Only its number; one that is given as a number needs no entry. */
int user_id(const char *text, uid_t *uid);
bool user_of_id(uid_t uid, struct account *u); /* false: it has no entry */
int user_take_groups(const struct account *u); /* gives this process the user's groups; -errno */
void user_release(struct account *u);
#endif
