/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_PROVIDER_KPROBE_H
#define SCRIPT_PROVIDER_KPROBE_H
#include "script/provider/provider.h"
/* provider.expand for provider_kprobe and provider_kretprobe, also on behalf of others. */
int kprobe_points(struct run_script *s, const struct provider *provider, const struct attach *a, const char *rest);
/* provider.list: all functions, as probes of that provider. */
int kprobe_list(struct probe_list *l, const struct provider *p);
#endif
