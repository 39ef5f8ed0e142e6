// SPDX-License-Identifier: GPL-2.0-or-later
/* System V IPC. Layouts: asm-generic/{ipc,msg,sem,shm}buf.h. */
#include <string.h>
#include "syscall/table.h"

void a_ipc_key(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	if ((uint32_t)arg(c, i))
		v_hexnum(c, (uint32_t)arg(c, i));
	else
		v_name(c, X_ipc_private, "IPC_PRIVATE");
}

/* IPC_CREAT|0600 */
void a_ipc_get_flags(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t v = arg(c, i);
	bool shm = !strcmp(c->row->def->name, "shmget");
	uint32_t huge = shm ? v >> 26 & 0x3f : 0, bits = v & ~0777u & (shm ? 0x3ffffffu : UINT32_MAX);
	v_parts_begin(c);
	if (bits & (shm ? 017000 : 07000) && bits)
		v_part_flags(c, shm ? X_shm_get_flags : X_ipc_flags, bits);
	else if (bits)
		v_part_hex(c, bits);
	v_part_huge(c, huge, "SHM_HUGE_SHIFT");
	v_part_oct(c, v & 0777);
	v_parts_end(c);
}

struct_fn struct_ipc_perm, struct_msqid_ds, struct_shmid_ds, struct_semid_ds, struct_sembuf;

enum { IPC_64_BIT = 0x100, C_RMID = 0, C_SET = 1, C_STAT = 2, C_INFO = 3, MSG_STAT_ = 11, MSG_INFO_ = 12, MSG_STAT_ANY_ = 13, SHM_LOCK_ = 11,
	SHM_UNLOCK_ = 12, SHM_STAT_ = 13, SHM_INFO_ = 14, SHM_STAT_ANY_ = 15, SEM_STAT_ = 18, SEM_INFO_ = 19, SEM_STAT_ANY_ = 20 };

/* mSg sHm sEm */
static char kind_of(const struct dc *c)
{
	return c->row->def->name[1];
}

static uint32_t cmd_of(const struct dc *c)
{
	return arg(c, kind_of(c) == 'e' ? 2 : 1) & ~(uint32_t)IPC_64_BIT;
}

/* Of what IPC_SET brings the kernel takes a few members; strace shows those. */
static bool all_members(const struct dc *c)
{
	return !c->strace || c->json || cmd_of(c) != C_SET;
}

void struct_ipc_perm(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "uid");
	v_uid(c, mem_u(m, 4, 4));
	v_field(c, "gid");
	v_uid(c, mem_u(m, 8, 4));
	v_field(c, "mode");
	v_oct(c, mem_u(m, 20, 4) & 0xffff);
	if (all_members(c)) {
		v_field(c, "key");
		v_u(c, mem_u(m, 0, 4));
		v_field(c, "cuid");
		v_uid(c, mem_u(m, 12, 4));
		v_field(c, "cgid");
		v_uid(c, mem_u(m, 16, 4));
	}
	v_close(c, '}');
}

static void perm(struct dc *c, const char *name, const struct mem *m)
{
	v_field(c, name);
	struct_ipc_perm(c, m);
}

static void number(struct dc *c, const char *name, const struct mem *m, size_t at, size_t size)
{
	v_field(c, name);
	v_s(c, mem_s(m, at, size));
}

void struct_shmid_ds(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	perm(c, "shm_perm", m);
	if (c->word == 8 && all_members(c)) {
		number(c, "shm_segsz", m, 48, 8);
		number(c, "shm_cpid", m, 80, 4);
		number(c, "shm_lpid", m, 84, 4);
		number(c, "shm_nattch", m, 88, 8);
		number(c, "shm_atime", m, 56, 8);
		number(c, "shm_dtime", m, 64, 8);
		number(c, "shm_ctime", m, 72, 8);
	}
	v_close(c, '}');
}

void struct_msqid_ds(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	perm(c, "msg_perm", m);
	if (c->word == 8 && !all_members(c)) {
		number(c, "msg_qbytes", m, 88, 8);
	} else if (c->word == 8) {
		number(c, "msg_stime", m, 48, 8);
		number(c, "msg_rtime", m, 56, 8);
		number(c, "msg_ctime", m, 64, 8);
		number(c, "msg_qnum", m, 80, 8);
		number(c, "msg_qbytes", m, 88, 8);
		number(c, "msg_lspid", m, 96, 4);
		number(c, "msg_lrpid", m, 100, 4);
	}
	v_close(c, '}');
}

void struct_semid_ds(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	perm(c, "sem_perm", m);
	if (c->word == 8 && all_members(c)) {
		number(c, "sem_otime", m, 48, 8);
		number(c, "sem_ctime", m, 64, 8);
		number(c, "sem_nsems", m, 80, 8);
	}
	v_close(c, '}');
}

void struct_sembuf(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "sem_num");
	v_u(c, mem_u(m, 0, 2));
	v_field(c, "sem_op");
	v_s(c, mem_s(m, 2, 2));
	v_field(c, "sem_flg");
	v_flags(c, X_sem_op_flags, mem_u(m, 4, 2));
	v_close(c, '}');
}

/* What a command fills. */
static int filled_by(char kind, uint32_t cmd)
{
	if (kind == 's')
		return cmd == C_INFO || cmd == MSG_INFO_ ? ST_msginfo : cmd == C_STAT || cmd == MSG_STAT_ || cmd == MSG_STAT_ANY_ ? ST_msqid_ds : 0;
	if (kind == 'e')
		return cmd == C_INFO || cmd == SEM_INFO_ ? ST_seminfo : cmd == C_STAT || cmd == SEM_STAT_ || cmd == SEM_STAT_ANY_ ? ST_semid_ds : 0;
	return cmd == C_INFO ? ST_shminfo : cmd == SHM_INFO_ ? ST_shm_info :
		cmd == C_STAT || cmd == SHM_STAT_ || cmd == SHM_STAT_ANY_ ? ST_shmid_ds : 0;
}

/* msgctl(id, cmd, buf), shmctl(id, cmd, buf), semctl(id, n, cmd, arg) */
void a_ipc_stat(struct dc *c, int i, const struct arg_def *a)
{
	char kind = kind_of(c);
	uint32_t cmd = cmd_of(c);
	int set = kind == 's' ? ST_msqid_ds : kind == 'h' ? ST_shmid_ds : ST_semid_ds, got = filled_by(kind, cmd);
	if (i == (kind == 'e' ? 2 : 1)) {
		if (arg(c, i) & IPC_64_BIT && !c->json && c->strace)
			str_add(c->out, "IPC_64|");
		v_enum(c, kind == 's' ? X_msg_cmd : kind == 'h' ? X_shm_cmd : X_sem_cmd, cmd);
	} else if (cmd == C_SET) {
		v_struct_at(c, set, arg(c, i), MEM_IN);
	} else if (got && !c->failed) {
		v_struct_at(c, got, arg(c, i), MEM_OUT);
	} else {
		a_ptr(c, i, a);
	}
}

void a_semctl_arg(struct dc *c, int i, const struct arg_def *a)
{
	a_ipc_stat(c, i, a);
}

/* struct msgbuf: a long and the text. */
static void msgbuf(struct dc *c, int i, const struct arg_def *a, enum mem_when when, uint64_t len)
{
	struct mem m;
	if (!mem_find(c, arg(c, i), when, &m) || m.n < c->word) {
		a_ptr(c, i, a);
		return;
	}
	struct mem text = mem_sub(&m, c->word, m.n);
	v_open(c, '{');
	v_field(c, "mtype");
	v_s(c, mem_s(&m, 0, c->word));
	v_field(c, "mtext");
	v_payload(c, &text, len);
	v_close(c, '}');
}

void a_ipc_msg_in(struct dc *c, int i, const struct arg_def *a)
{
	msgbuf(c, i, a, MEM_IN, arg(c, a->len));
}

void a_ipc_msg_out(struct dc *c, int i, const struct arg_def *a)
{
	if (c->failed)
		a_ptr(c, i, a);
	else
		msgbuf(c, i, a, MEM_OUT, c->e->ret);
}
