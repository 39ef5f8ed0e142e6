/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sonde was built with, by the names that perf has for it (`version --build-options`, `check feature`). */
#ifndef UI_BUILDINFO_H
#define UI_BUILDINFO_H
#include <stdbool.h>
#include "base/out.h"

struct build_feature { const char *name, *macro; bool there; };
const struct build_feature *build_features(void); /* ends with a row whose name is NULL */
const struct build_feature *build_feature_find(const char *word); /* by either name; NULL: perf has none of that name */
void build_feature_print(struct out *o, const struct build_feature *f);
#endif
