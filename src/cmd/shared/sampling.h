/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that `record`, `top` and, of whom, `stat` have in common: what is sampled, how, and of whom. Each handler's value is the field itself. */
#ifndef CMD_SHARED_SAMPLING_H
#define CMD_SHARED_SAMPLING_H
#include "attach/sampling.h"
#include "base/options.h"

option_call sampling_on_event, sampling_on_filter; /* event_list */
option_call sampling_on_freq, sampling_on_period, sampling_on_graph, sampling_on_branches; /* struct sampling */
option_call sampling_on_target; /* struct target; told apart by their letters */
option_call sampling_on_ring; /* size_t */
bool sampling_is_method(const char *word); /* of call graphs */
/* Cgroups go to the events in order, the last one to all that are left. */
void sampling_set_cgroups(event_list *events, const struct target *t);
/* -F and -c exclude each other: -errno and a pending error. */
int sampling_check(const struct sampling *s);
#endif
