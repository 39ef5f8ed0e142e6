/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the registers in perf's samples. */
#ifndef ARCH_PERFREGS_H
#define ARCH_PERFREGS_H
const char *arch_perf_reg_name(int bit); /* NULL: unknown */
#endif
