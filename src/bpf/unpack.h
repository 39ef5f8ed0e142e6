/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The eBPF programs are compressed in sonde (tools/pack-skeleton.c); a skeleton asks for its bytes through this. */
#ifndef BPF_UNPACK_H
#define BPF_UNPACK_H
#include <stddef.h>

/* The bytes behind a packed string, unpacked once and kept. */
#define BPF_UNPACKED(size, packed) \
	({ static void *at_; bpf_unpack(&at_, packed, sizeof(packed) - 1, size); })
/* NULL when they cannot be: the kernel then refuses to load what is not there. */
const void *bpf_unpack(void **at, const void *packed, size_t packed_size, size_t size);
#endif
