/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The threads that a BPF program counts or records: a byte each, in a map that both sides see (bpf/chosen.h). And what
 * else such a program takes to load. */
#ifndef ATTACH_CHOSEN_H
#define ATTACH_CHOSEN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "spec/target.h"
struct bpf_map;

/* Thread numbers inside a program are those of the first PID namespace: elsewhere ours mean nothing to it. */
bool chosen_possible(void);

struct chosen { uint8_t *tasks; size_t size; }; /* tasks: NULL before chosen_map, and where no thread is chosen */

/* Before loading: size and by_task decide the program's constant tid_max, which is returned, and its map. */
uint32_t chosen_size(struct chosen *c, struct bpf_map *tasks, bool by_task);
int chosen_map(struct chosen *c, struct bpf_map *tasks); /* -errno */
/* Every thread of the target gets that byte (enum in bpf/chosen.h). Nothing to do where none is chosen. */
void chosen_mark(struct chosen *c, const struct target *t, uint8_t state);
void chosen_clear(struct chosen *c); /* no thread any more */
void chosen_release(struct chosen *c);

/* A map's memory, *size rounded up to pages; NULL and errno. */
void *bpf_map_memory(struct bpf_map *m, size_t *size, int prot);
/* What libbpf has to say goes to -vv; false: as before. */
void libbpf_hushed(bool hush);
#endif
