/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A byte for each thread says whether its calls are counted or recorded (syscount.bpf.c, sysrecord.bpf.c). */
#ifndef BPF_CHOSEN_H
#define BPF_CHOSEN_H
enum { TASK_OFF, TASK_ON, TASK_AT_EXEC }; /* AT_EXEC: from its exec on */
#endif
