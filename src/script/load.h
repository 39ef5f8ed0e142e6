/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps and programs in the kernel. What it holds goes with its descriptors, so that nothing is left when sonde is killed. */
#ifndef SCRIPT_LOAD_H
#define SCRIPT_LOAD_H
#include "script/globals.h"
#include "script/script.h"

struct script_load {
	struct run_script *s;
	int global, frames, ring, stacks, remains, slots; /* -1: not needed */
	int *calls; /* of each unit; -1 */
	int *maps; /* of each of script.maps */
	struct globals *shared;
	uint64_t *slot; /* of slots, mapped: code/slots.h; NULL */
	unsigned n_cpus; /* possible ones */
};
/* Makes the maps and loads the programs; nothing runs yet. -errno, pending error. */
int load_script(struct script_load *ld, struct run_script *s, unsigned ring_bytes);
int load_attach(struct script_load *ld); /* all but BEGIN and END */
void load_detach(struct script_load *ld);
void load_release(struct script_load *ld);
/* Runs a unit that is attached to nothing: BEGIN, END. */
int load_run(const struct script_unit *u);
/* Does the kernel (5.11) take keys as long as the deepest stack? */
bool load_takes_large_keys(void);
/* For providers: u->fd becomes a program of another type. -errno, pending error. */
int load_again(struct run_script *s, struct script_unit *u, unsigned type);
#endif
