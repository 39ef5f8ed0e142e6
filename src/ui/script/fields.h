/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which fields `script` prints, for each type of event, as -F says it. */
#ifndef UI_SCRIPT_FIELDS_H
#define UI_SCRIPT_FIELDS_H
#include <stdbool.h>
#include <stdint.h>
#include "perfdata/reader.h"

enum {
	FIELD_COMM, FIELD_TID, FIELD_PID, FIELD_TIME, FIELD_CPU, FIELD_EVENT, FIELD_TRACE, FIELD_IP, FIELD_SYM,
	FIELD_DSO, FIELD_ADDR, FIELD_SYMOFF, FIELD_SRCLINE, FIELD_PERIOD, FIELD_IREGS, FIELD_UREGS, FIELD_BRSTACK,
	FIELD_BRSTACKSYM, FIELD_BRSTACKOFF, FIELD_DATA_SRC, FIELD_WEIGHT, FIELD_BPF_OUTPUT, FIELD_SYNTH,
	FIELD_PHYS_ADDR, FIELD_MISC, FIELD_TOD, FIELD_DATA_PAGE_SIZE, FIELD_CODE_PAGE_SIZE, FIELD_INS_LAT,
	FIELD_CGROUP, FIELD_DSOFF, FIELD_INSN, FIELD_INSNLEN, FIELD_FLAGS, FIELD_SRCCODE, FIELD_RETIRE_LAT, FIELD_MACHINE_PID,
	FIELD_VCPU, FIELD_CALLINDENT, FIELD_IPC, FIELD_COUNT,
};
#define FIELD_BIT(f) (1ull << (f))

enum field_type { FIELDS_HW, FIELDS_SW, FIELDS_TRACE, FIELDS_CACHE, FIELDS_RAW, FIELDS_BREAK, FIELDS_SYNTH, FIELDS_OTHER, FIELDS_TYPES };

struct field_set {
	struct {
		uint64_t fields, asked, dropped; /* asked for, or taken away, by name */
		bool user, all; /* -F was given; for all types at once */
	} type[FIELDS_TYPES];
};
void fields_init(struct field_set *s);
/* One -F argument: "comm,ip", "sw:+srcline", "-period,+pid". -EINVAL with a pending error. */
int fields_parse(struct field_set *s, const char *text);
enum field_type fields_type(uint32_t attr_type);
/* Takes away what the recording does not hold; -EINVAL when that was asked for by name.
 * chains: call chains are shown. */
int fields_check(struct field_set *s, const struct perfdata *p, bool chains);
#endif
