/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters on signed bit fields of probes, as the kernel must have them. */
#ifndef SPEC_SIGNEDFILTER_H
#define SPEC_SIGNEDFILTER_H
#include "spec/spec.h"

/* The filter in terms of the bits that the kernel sees; NULL: it has no test of such a field. */
char *filter_with_signs(const char *filter, const tp_fields *fields);
#endif
