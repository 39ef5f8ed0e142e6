/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that `annotate`, and `report` and `top` for their `a`, have in common: how instructions look. o is a struct listing_options. */
#ifndef CMD_SHARED_CODE_H
#define CMD_SHARED_CODE_H
#include "analysis/annotate/listing.h"
#include "base/options.h"

option_call code_on_style; /* struct disasm_options */
option_call code_on_percent_type; /* enum percent_type */
#define CODE_ROWS(o) \
	OPT_CALL_ON('M', "disassembler-style", "STYLE", o.disasm, code_on_style, "att or intel; other words are for objdump"), \
	OPT_STRING(0, "objdump", "FILE", o.disasm.objdump, "take code apart with that program, not with libcapstone"), \
	OPT_FLAG(0, "asm-raw", o.raw, "the bytes of each instruction"), \
	OPT_FLAG(0, "source", o.source, "source lines between the instructions (on; --no-source)"), \
	OPT_STRING(0, "prefix", "DIR", o.prefix, "put DIR before absolute paths of sources"), \
	OPT_INT(0, "prefix-strip", "N", o.prefix_strip, "take N folders off these paths first")
#endif
