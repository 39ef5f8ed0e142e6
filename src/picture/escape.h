/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text from outside in pictures. Names of functions, threads and files are hostile: "</script>", quotes, control
 * characters, marks that turn the direction of what follows. All go through here: what cannot be seen becomes \x1b or
 * \xe2\x80\xae (as on a terminal: str_add_safe), the rest is escaped for where it goes. */
#ifndef PICTURE_ESCAPE_H
#define PICTURE_ESCAPE_H
#include "base/str.h"

/* For the text of an element, or an attribute between quotes of either kind, of HTML, SVG and XML. */
void escape_markup(struct str *s, const char *z, size_t n);
void escape_markupz(struct str *s, const char *z);
/* A string of JavaScript or JSON, quotes included, that may stand inside <script>: nothing in it ends that. */
void escape_scriptz(struct str *s, const char *z);
#endif
