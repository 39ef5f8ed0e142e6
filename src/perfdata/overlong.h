/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of kernel symbols and BPF programs are longer than they should be where several readers get them: the kernel adds
 * the length of each reader's trailer and does not take it back (seen on 6.18). Behind the trailer there is then what the
 * ring had there before, and who looks for ids and times at the record's end reads that. */
#ifndef PERFDATA_OVERLONG_H
#define PERFDATA_OVERLONG_H
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a record that are its own, body and trailer; size for all records that are as they should be.
 * rec: from its header on; nothing of the header is read. */
size_t overlong_size(uint32_t type, const void *rec, size_t size, size_t trailer);
size_t overlong_trailer(const struct perf_event_attr *a); /* the bytes of an event's trailer */
#endif
