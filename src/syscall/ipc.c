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
	v_parts_begin(c);
	if (v & ~0777u)
		v_part_flags(c, shm ? X_shm_get_flags : X_ipc_flags, v & ~0777u);
	v_part_oct(c, v & 0777);
	v_parts_end(c);
}

struct_fn struct_ipc_perm, struct_msqid_ds, struct_shmid_ds, struct_semid_ds, struct_sembuf;

void struct_ipc_perm(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "uid");
	v_uid(c, mem_u(m, 4, 4));
	v_field(c, "gid");
	v_uid(c, mem_u(m, 8, 4));
	v_field(c, "mode");
	v_oct(c, mem_u(m, 20, 4) & 0xffff);
	v_field(c, "key");
	v_s(c, mem_s(m, 0, 4));
	v_field(c, "cuid");
	v_uid(c, mem_u(m, 12, 4));
	v_field(c, "cgid");
	v_uid(c, mem_u(m, 16, 4));
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
	if (c->word == 8) {
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
	if (c->word == 8) {
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
	if (c->word == 8) {
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

enum { IPC_64_BIT = 0x100, C_RMID = 0, C_SET = 1, C_STAT = 2 };

/* msgctl(id, cmd, buf), shmctl(id, cmd, buf), semctl(id, n, cmd, arg) */
void a_ipc_stat(struct dc *c, int i, const struct arg_def *a)
{
	char kind = c->row->def->name[1]; /* mSg sHm sEm */
	int cmd_at = kind == 'e' ? 2 : 1;
	uint32_t cmd = arg(c, cmd_at) & ~IPC_64_BIT;
	enum xlat_id table = kind == 's' ? X_msg_cmd : kind == 'h' ? X_shm_cmd : X_sem_cmd;
	int id = kind == 's' ? ST_msqid_ds : kind == 'h' ? ST_shmid_ds : ST_semid_ds;
	if (i == cmd_at) {
		if (arg(c, i) & IPC_64_BIT && !c->json && c->strace)
			str_add(c->out, "IPC_64|");
		v_enum(c, table, cmd);
	} else if (cmd == C_SET || (!c->failed && cmd != C_RMID)) {
		v_struct_at(c, id, arg(c, i), cmd == C_SET ? MEM_IN : MEM_OUT);
	} else {
		a_ptr(c, i, a);
	}
}

enum { SET_VAL = 16 };

void a_semctl_arg(struct dc *c, int i, const struct arg_def *a)
{
	if ((arg(c, 2) & ~IPC_64_BIT) == SET_VAL)
		a_hex(c, i, a);
	else
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
