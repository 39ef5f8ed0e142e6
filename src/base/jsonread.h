/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads JSON for its objects: lists of named texts, as the files of metrics and events are. */
#ifndef BASE_JSONREAD_H
#define BASE_JSONREAD_H
#include <stddef.h>
#include "base/vec.h"

struct json_pair { char *key, *value; }; /* a number or a truth as it is written; what is nested is not among them */
typedef VEC(struct json_pair) json_pairs;
const char *json_pair_get(const json_pairs *p, const char *key); /* NULL: not there */
/* Calls take with each object, inner ones first. Stops at a return that is not 0, and gives that. A text that is no JSON:
 * -EINVAL and a pending error with the line. */
int json_objects(const char *text, size_t n, int (*take)(void *ctx, const json_pairs *p), void *ctx);
#endif
