/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A typed growable array:  VEC(int) v = {0};  *vec_push(&v) = 3;  v.at[0]; v.n
 * Elements may move when it grows: keep indices, not pointers. */
#ifndef BASE_VEC_H
#define BASE_VEC_H
#include <stddef.h>

#define VEC(type) struct { type *at; size_t n, cap; }

/* Appends one zeroed element and gives its address. */
#define vec_push(v) \
	((__typeof__((v)->at))vec_push_((void **)&(v)->at, &(v)->n, &(v)->cap, sizeof(*(v)->at)))
#define vec_last(v) (&(v)->at[(v)->n - 1])
#define vec_clear(v) ((void)((v)->n = 0))
#define vec_release(v) vec_release_((void **)&(v)->at, &(v)->n, &(v)->cap)
#define vec_each(v, it) \
	for (__typeof__((v)->at + 0) it = (v)->at; it && it < (v)->at + (v)->n; it++)

void *vec_push_(void **at, size_t *n, size_t *cap, size_t size);
void vec_release_(void **at, size_t *n, size_t *cap);
#endif
