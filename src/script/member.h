/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_MEMBER_H
#define SCRIPT_MEMBER_H
/* Where a member of one of the kernel's structs is, in bytes, from the kernel's own types (some milliseconds); -1: nobody can tell.
 * Members of unnamed ones inside are not found. */
int member_at(const char *type, const char *member);
#endif
