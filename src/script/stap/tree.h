/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_STAP_TREE_H
#define SCRIPT_STAP_TREE_H
#include "base/str.h"
#include "script/stap/stap.h"

struct script_node *stap_clone_one(struct script_source *s, const struct script_node *n); /* without what follows it */
void stap_key(const struct script_node *n, struct str *out); /* the same for the same expressions */
/* Every node of a list, parents first, until see() says that it is enough; true: it did. */
bool stap_visit(struct script_node *n, bool (*see)(struct script_node *n, void *ctx), void *ctx);
#endif
