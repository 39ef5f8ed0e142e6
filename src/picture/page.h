/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every page begins with: it asks nobody for anything (Content-Security-Policy), and its title is text from outside. */
#ifndef PICTURE_PAGE_H
#define PICTURE_PAGE_H
#include "base/out.h"

/* <html> and all of <head>; maker: the command. */
void page_head(struct out *o, const char *maker, const char *title, const char *css);
#endif
