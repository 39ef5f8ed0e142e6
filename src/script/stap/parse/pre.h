/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The preprocessor: %( condition %? tokens %: tokens %), and @define name(a, b) %( tokens %). */
#ifndef SCRIPT_STAP_PRE_H
#define SCRIPT_STAP_PRE_H
#include "script/stap/parse/lex.h"

int stap_preprocess(struct script_source *s, stap_tokens *tokens); /* in place. -errno, pending error */
#endif
