/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hash maps with open addressing. Values are plain words; the caller owns what they point to.
 * u64map: 64-bit keys. strmap: keys are copied. Iterate with a cursor that starts at 0. */
#ifndef BASE_MAP_H
#define BASE_MAP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct u64map {
	struct u64map_slot { uint64_t key; void *val; } *slot;
	uint8_t *state;
	size_t n, cap, used;
};
void u64map_release(struct u64map *m);
void *u64map_get(const struct u64map *m, uint64_t key); /* NULL when absent */
void *u64map_set(struct u64map *m, uint64_t key, void *val); /* the old value */
void *u64map_del(struct u64map *m, uint64_t key); /* the old value */
bool u64map_next(const struct u64map *m, size_t *cursor, uint64_t *key, void **val);

struct strmap {
	struct strmap_slot { char *key; uint32_t hash; void *val; } *slot;
	size_t n, cap;
};
void strmap_release(struct strmap *m);
void *strmap_get(const struct strmap *m, const char *key);
bool strmap_has(const struct strmap *m, const char *key);
void *strmap_set(struct strmap *m, const char *key, void *val);
bool strmap_next(const struct strmap *m, size_t *cursor, const char **key, void **val);

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed);
#endif
