/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `sonde doctor` found, as a page and as JSON (doc/JSON.md). */
#ifndef UI_DOCTOR_H
#define UI_DOCTOR_H
#include "analysis/doctor.h"
#include "base/out.h"

void doctor_print(const struct doctor *d, struct out *o);
void doctor_print_json(const struct doctor *d, struct out *o);
const char *doctor_word(enum feature_answer a); /* "yes", "no", "-" */
#endif
