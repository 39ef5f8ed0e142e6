/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code of a sample: bytes of its instruction, the text of its source line. */
#ifndef UI_SCRIPT_CODE_H
#define UI_SCRIPT_CODE_H
#include "ui/script/script.h"

/* -F insn, insnlen */
void script_insn_add(struct script *sc, struct str *s, const struct perfdata_record *r, uint64_t fields);
/* -F srccode: a line of its own, unless it is the one that the thread showed last */
void script_srccode_add(struct script *sc, struct str *s, const struct perfdata_record *r);
void script_code_release(struct script *sc);
#endif
