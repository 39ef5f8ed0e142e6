// SPDX-License-Identifier: GPL-2.0-or-later
/* perf script's lines, to the letter: other tools read them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "analysis/memory.h"
#include "analysis/recorded.h"
#include "arch/perfregs.h"
#include "ui/framelines.h"
#include "ui/recordtext.h"
#include "ui/script/code.h"
#include "ui/script/script.h"

#define HAS(f) (fields & FIELD_BIT(f))
enum { NS = 1000000000, PID_WIDTH = 7 };

static void add_padded_u64(struct str *s, uint64_t v, int width, char fill)
{
	char buf[24], *p = buf + sizeof(buf);
	do
		*--p = '0' + v % 10;
	while (v /= 10);
	while (buf + sizeof(buf) - p < width && p > buf)
		*--p = fill;
	str_addn(s, p, buf + sizeof(buf) - p);
}

static void add_padded_int(struct str *s, int v, int width, bool left)
{
	if (v < 0 || left)
		str_addf(s, left ? "%-*d" : "%*d", width, v);
	else
		add_padded_u64(s, v, width, ' ');
}

static void add_right(struct str *s, const char *z, int width)
{
	int n = strlen(z);
	for (; n < width; n++)
		str_addc(s, ' ');
	str_add_safez(s, z);
}

static void add_hex16(struct str *s, uint64_t v)
{
	str_addf(s, "%16" PRIx64, v);
}

static void add_misc(struct str *s, const struct perfdata_record *r)
{
	static const char *const mode[] = { "", "K", "U", "KUH", "G", "KGg" };
	size_t start = s->len;
	unsigned m = r->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	str_add(s, m < 6 ? mode[m] : "");
	switch (r->header->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		str_add(s, r->misc & PERF_RECORD_MISC_MMAP_DATA ? "M" : "");
		break;
	case PERF_RECORD_COMM:
		str_add(s, r->misc & PERF_RECORD_MISC_COMM_EXEC ? "E" : "");
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		str_add(s, !(r->misc & PERF_RECORD_MISC_SWITCH_OUT) ? "" : r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "Sp" : "S");
		break;
	}
	str_pad(s, start + 6, ' ');
}

static void add_tod(struct script *sc, struct str *s, uint64_t time)
{
	const struct perfdata_info *i = perfdata_info(sc->data);
	uint64_t ns = i->clock_wall_ns + time - i->clock_ns;
	time_t sec = ns / NS;
	struct tm tm;
	char date[64] = "";
	if (localtime_r(&sec, &tm))
		strftime(date, sizeof(date), "%F %H:%M:%S", &tm);
	str_addf(s, "%s.%0*" PRIu64 " ", date, sc->nanosecs ? 9 : 6, sc->nanosecs ? ns % NS : ns % NS / 1000);
}

static void add_time(struct script *sc, struct str *s, uint64_t t)
{
	uint64_t base = sc->time_base;
	if (sc->time != TIME_ABSOLUTE) {
		if (!base || sc->time == TIME_DELTA) /* records from before the recording are at 0 */
			sc->time_base = t;
		t = base && t > base ? t - base : 0;
	}
	add_padded_u64(s, t / NS, 5, ' ');
	str_addc(s, '.');
	add_padded_u64(s, sc->nanosecs ? t % NS : t % NS / 1000, sc->nanosecs ? 9 : 6, '0');
	str_add(s, ": ");
}

/* The thread's name, and its numbers: the same for many lines after each other, so they are kept. */
static void add_thread(struct script *sc, struct str *s, const struct perfdata_record *r, const struct thread *t,
		       uint64_t fields, bool chain)
{
	const char *comm = t ? t->comm : ":-1";
	struct script_head *h = &sc->head;
	if (h->comm == comm && h->pid == r->pid && h->tid == r->tid && h->fields == fields && h->chain == chain) {
		str_addn(s, h->text.buf, h->text.len);
		return;
	}
	*h = (struct script_head){ comm, r->pid, r->tid, fields, chain, h->text };
	str_clear(&h->text);
	if (HAS(FIELD_COMM)) {
		if (sc->latency) {
			str_addf(&h->text, "%*s", 8 - (int)strnlen(comm, 8), "");
			str_add_safe(&h->text, comm, strnlen(comm, 8));
		} else {
			add_right(&h->text, comm, chain ? 0 : 16);
		}
		str_addc(&h->text, ' ');
	}
	if (HAS(FIELD_PID)) {
		add_padded_int(&h->text, r->pid, PID_WIDTH, false);
		if (HAS(FIELD_TID)) {
			str_addc(&h->text, '/');
			add_padded_int(&h->text, r->tid, PID_WIDTH, true);
		}
		str_addc(&h->text, ' ');
	} else if (HAS(FIELD_TID)) {
		add_padded_int(&h->text, r->tid, PID_WIDTH, false);
		str_addc(&h->text, ' ');
	}
	str_addn(s, h->text.buf, h->text.len);
}

static void add_start(struct script *sc, struct str *s, const struct perfdata_record *r, const struct thread *t, uint64_t fields)
{
	bool chain = HAS(FIELD_IP) && sc->chains && r->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	add_thread(sc, s, r, t, fields, chain);
	if (HAS(FIELD_CPU) && sc->latency) {
		str_addf(s, "%3d ", r->cpu);
	} else if (HAS(FIELD_CPU)) {
		str_addc(s, '[');
		if (r->cpu >= 0)
			add_padded_u64(s, r->cpu, 3, '0');
		else
			str_addf(s, "%03d", r->cpu);
		str_add(s, "] ");
	}
	if (HAS(FIELD_MISC))
		add_misc(s, r);
	if (HAS(FIELD_TOD))
		add_tod(sc, s, r->time);
	if (HAS(FIELD_TIME))
		add_time(sc, s, r->time);
}

static unsigned line_of(uint64_t fields)
{
	return (HAS(FIELD_IP) ? LINE_IP : 0) | (HAS(FIELD_SYM) ? LINE_SYM : 0) | (HAS(FIELD_DSO) ? LINE_DSO : 0) |
	       (HAS(FIELD_SYMOFF) ? LINE_OFF : 0) | (HAS(FIELD_SRCLINE) ? LINE_SRC : 0) |
	       (HAS(FIELD_DSOFF) ? LINE_DSOFF : 0);
}

/* --stop-bt */
static bool ends_chain(struct script *sc, const struct perfdata_record *r, const struct chain_ip *c)
{
	struct frame f;
	symbols_resolve(sc->syms, r->pid, c->ip, c->mode, &f);
	return wordlist_has(sc->stop, f.sym);
}

static void add_where(struct script *sc, struct str *s, const struct perfdata_record *r, uint64_t fields)
{
	struct chain_ip ips[CALLCHAIN_MAX];
	if (!sc->chains || !(r->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN)) {
		ips[0] = (struct chain_ip){ r->ip, sample_mode(r->misc), false, false };
		str_addc(s, ' ');
		frame_lines_add(sc->lines, s, r->pid, ips, line_of(fields));
		return;
	}
	bool truncated;
	int n = callchain_ips(sc->syms, r, (struct chain_limit){ sc->max_stack, false }, ips, &truncated);
	sc->truncated_stacks += truncated;
	str_addc(s, '\n');
	for (int i = 0; i < n; i++) {
		frame_lines_add(sc->lines, s, r->pid, &ips[i], line_of(fields) | LINE_CHAIN);
		if (sc->stop && sc->stop->n && ends_chain(sc, r, &ips[i]))
			break;
	}
}

static bool addr_has_symbol(const struct perf_event_attr *a)
{
	if (a->type == PERF_TYPE_SOFTWARE)
		return a->config == PERF_COUNT_SW_PAGE_FAULTS || a->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       a->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return a->type != PERF_TYPE_TRACEPOINT && a->sample_type & PERF_SAMPLE_ADDR && a->type == PERF_TYPE_HARDWARE &&
	       a->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
}

static void add_addr(struct script *sc, struct str *s, const struct perfdata_record *r, uint64_t fields)
{
	/* the kernel touches the process's memory too */
	struct chain_ip c = { r->addr, (int64_t)r->addr < 0 ? sample_mode(r->misc) : SYM_USER, false, false };
	unsigned what = line_of(fields) & (LINE_SYM | LINE_DSO | LINE_OFF);
	add_hex16(s, r->addr);
	if (addr_has_symbol(&r->event->attr) && what)
		frame_lines_add(sc->lines, s, r->pid, &c, what);
}

/* As wide as the widest so far, as perf has it. */
static void add_data_src(struct script *sc, struct str *s, const struct perfdata_record *r)
{
	size_t start = s->len;
	str_addf(s, "%16" PRIx64 " ", r->data_src);
	memory_all_add(s, r->data_src);
	if (s->len - start > sc->data_src_width)
		sc->data_src_width = s->len - start;
	str_pad(s, start + sc->data_src_width, ' ');
}

static void add_regs(struct str *s, uint64_t abi, uint64_t mask, const uint64_t *regs)
{
	if (!regs)
		return;
	str_addf(s, " ABI:%" PRIu64 " ", abi);
	for (int bit = 0, i = 0; bit < 64; bit++)
		if (mask >> bit & 1) {
			const char *name = arch_perf_reg_name(bit);
			str_addf(s, "%5s:0x%" PRIx64 " ", name ? name : "unknown", regs[i++]);
		}
}

static void add_branches(struct script *sc, struct str *s, const struct perfdata_record *r, uint64_t fields)
{
	static const char *const kinds[] = { "", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET", "SYSCALL", "SYSRET", "COND_CALL",
					     "COND_RET", "ERET", "IRQ", "SERROR", "NO_TX" };
	static const char *const speculated[] = { "-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH", "SPEC_CORRECT_PATH" };
	for (uint64_t i = 0; i < r->n_branch; i++) {
		const struct perf_branch_entry *b = &r->branch[i];
		const uint64_t end[2] = { b->from, b->to };
		for (int k = 0; k < 2; k++) {
			struct chain_ip c = { end[k], (int64_t)end[k] < 0 ? SYM_KERNEL : SYM_USER, false, false };
			struct frame f;
			if (k || !HAS(FIELD_BRSTACKSYM))
				str_addc(s, k ? '/' : ' ');
			symbols_resolve(sc->syms, r->pid, c.ip, c.mode, &f);
			if (HAS(FIELD_BRSTACKSYM)) {
				str_add_safez(s, f.sym ? f.sym : "[unknown]");
				if (f.sym)
					str_addf(s, "+0x%" PRIx64, f.addr - f.sym_addr);
			} else {
				str_addf(s, "0x%" PRIx64, end[k]); /* brstackoff too, as perf does with ELF files */
			}
			if (HAS(FIELD_DSO)) {
				str_add(s, " (");
				str_add_safez(s, f.dso && f.dso->path ? f.dso->path : "[unknown]");
				if (HAS(FIELD_DSOFF) && f.dso && !f.dso->kernel)
					str_addf(s, "+0x%" PRIx64, f.offset);
				str_addc(s, ')');
			}
		}
		str_addf(s, "/%c/%c/%c/%d/%s/%s ", !b->mispred && !b->predicted ? '-' : b->predicted ? 'P' : 'M', b->in_tx ? 'X' : '-',
			 b->abort ? 'A' : '-', (int)b->cycles, b->type < sizeof(kinds) / sizeof(kinds[0]) ? kinds[b->type] : "",
			 speculated[b->spec]);
	}
}

static void add_bpf_output(struct str *s, const struct perfdata_record *r)
{
	const uint8_t *p = r->raw;
	for (uint32_t i = 0; i < r->raw_size; i += 8) {
		str_addf(s, "%s%17s %04x:", i ? "" : "\n", i ? "           " : "BPF output:", i);
		for (uint32_t j = i; j < i + 8; j++) {
			if (j < r->raw_size)
				str_addf(s, " %02x", p[j]);
			else
				str_add(s, "   ");
		}
		str_add(s, "  ");
		for (uint32_t j = i; j < i + 8 && j < r->raw_size; j++)
			str_addc(s, p[j] >= 0x20 && p[j] < 0x7f ? p[j] : '.');
		str_addc(s, '\n');
	}
}

/* What only some recordings have. */
static void add_rare(struct script *sc, struct str *s, const struct perfdata_record *r, uint64_t fields)
{
	char buf[24];
	if (HAS(FIELD_IREGS))
		add_regs(s, r->iregs_abi, r->iregs_mask, r->iregs);
	if (HAS(FIELD_UREGS))
		add_regs(s, r->regs_abi, r->regs_mask, r->regs);
	if (HAS(FIELD_BRSTACK) || HAS(FIELD_BRSTACKSYM) || HAS(FIELD_BRSTACKOFF))
		add_branches(sc, s, r, fields);
	if (HAS(FIELD_BPF_OUTPUT) && r->raw && r->event->attr.type == PERF_TYPE_SOFTWARE && r->event->attr.config == PERF_COUNT_SW_BPF_OUTPUT)
		add_bpf_output(s, r);
	if (HAS(FIELD_INSN) || HAS(FIELD_INSNLEN))
		script_insn_add(sc, s, r, fields);
	if (HAS(FIELD_PHYS_ADDR))
		add_hex16(s, r->phys_addr);
	if (HAS(FIELD_DATA_PAGE_SIZE))
		str_addf(s, " %s", recorded_page_size(r->data_page_size, buf, sizeof(buf)));
	if (HAS(FIELD_CODE_PAGE_SIZE))
		str_addf(s, " %s", recorded_page_size(r->code_page_size, buf, sizeof(buf)));
}

static void add_cgroup(struct script *sc, struct str *s, const struct perfdata_record *r)
{
	const char *z = session_cgroup(sc->session, r->cgroup);
	str_addc(s, ' ');
	str_add_safez(s, z ? z : "unknown");
}

/* The event's name as it stands in every line of it. */
static const struct script_name *event_text(struct script *sc, const struct perfdata_record *r)
{
	while (sc->name.n <= (size_t)r->event_index)
		vec_push(&sc->name);
	struct script_name *n = &sc->name.at[r->event_index];
	if (!n->text) {
		struct str s = STR_INIT;
		add_right(&s, r->event->name ? r->event->name : "[unknown]", sc->name_width);
		str_add(&s, ": ");
		n->len = s.len;
		n->text = str_detach(&s);
	}
	return n;
}

static int text_sample(struct script *sc, const struct perfdata_record *r, const struct thread *t)
{
	static const uint64_t rare = FIELD_BIT(FIELD_IREGS) | FIELD_BIT(FIELD_UREGS) | FIELD_BIT(FIELD_BRSTACK) |
		FIELD_BIT(FIELD_BRSTACKSYM) | FIELD_BIT(FIELD_BRSTACKOFF) | FIELD_BIT(FIELD_BPF_OUTPUT) | FIELD_BIT(FIELD_PHYS_ADDR) |
		FIELD_BIT(FIELD_DATA_PAGE_SIZE) | FIELD_BIT(FIELD_CODE_PAGE_SIZE) | FIELD_BIT(FIELD_INSN) | FIELD_BIT(FIELD_INSNLEN);
	uint64_t fields = sc->fields.type[fields_type(r->event->attr.type)].fields;
	struct str *s = &sc->out->buf;
	if (!fields || sc->out->err)
		return sc->out->err;
	add_start(sc, s, r, t, fields);
	if (HAS(FIELD_PERIOD)) {
		add_padded_u64(s, r->period, 10, ' ');
		str_addc(s, ' ');
	}
	if (HAS(FIELD_EVENT)) {
		const struct script_name *n = event_text(sc, r);
		str_addn(s, n->text, n->len);
	}
	if (HAS(FIELD_FLAGS))
		str_addf(s, "  %-21s ", ""); /* none: see fields.c */
	struct tp_format *f = HAS(FIELD_TRACE) && r->raw ? script_format(sc, r->event_index) : NULL;
	if (f)
		tp_format_print(f, s, r->raw, r->raw_size, r->cpu);
	if (HAS(FIELD_ADDR))
		add_addr(sc, s, r, fields);
	if (HAS(FIELD_DATA_SRC))
		add_data_src(sc, s, r);
	if (HAS(FIELD_WEIGHT))
		str_addf(s, "%16" PRIu64, sample_weights(r).cost);
	if (HAS(FIELD_INS_LAT))
		str_addf(s, "%16" PRIu32, sample_weights(r).latency);
	if (HAS(FIELD_RETIRE_LAT))
		str_addf(s, "%16" PRIu32, sample_weights(r).retire);
	if (HAS(FIELD_CGROUP))
		add_cgroup(sc, s, r);
	if (HAS(FIELD_IP))
		add_where(sc, s, r, fields);
	if (fields & rare)
		add_rare(sc, s, r, fields);
	str_addc(s, '\n');
	if (HAS(FIELD_SRCCODE))
		script_srccode_add(sc, s, r);
	if (s->len >= 64 * 1024)
		out_flush(sc->out);
	return sc->out->err;
}

static void text_record(struct script *sc, const struct perfdata_record *r)
{
	int pid, tid;
	struct str *s = &sc->out->buf;
	const struct thread *t = record_thread(r, &pid, &tid) ? session_thread(sc->session, pid, tid) : NULL;
	if (r->event)
		add_start(sc, s, r, t, sc->fields.type[fields_type(r->event->attr.type)].fields);
	record_text(s, r);
	if (s->len >= 64 * 1024)
		out_flush(sc->out);
}

static void text_seen(struct script *sc, const struct perfdata_record *r)
{
	frame_lines_seen(sc->lines, r);
}

static int text_begin(struct script *sc)
{
	for (size_t i = 0; i < perfdata_n_events(sc->data); i++) {
		int n = strlen(perfdata_event_at(sc->data, i)->name);
		if (n > sc->name_width)
			sc->name_width = n;
	}
	sc->lines = frame_lines_new(sc->syms, sc->inlines, sc->full_path);
	return 0;
}

static int text_end(struct script *sc)
{
	return out_flush(sc->out);
}

const struct script_view script_text = { text_begin, text_sample, text_record, text_seen, text_end };

/* ---- what the views share ---- */

struct tp_format *script_format(struct script *s, int event)
{
	while (s->format.n <= (size_t)event)
		*vec_push(&s->format) = NULL;
	const struct perfdata_event *e = perfdata_event_at(s->data, event);
	if (!s->format.at[event] && e->tep) {
		bool own = perfdata_names_functions(s->data);
		s->format.at[event] = tp_format_new(perfdata_tep(s->data), e->tep, own ? NULL : s->syms);
		if (own)
			tp_format_namer(s->format.at[event], perfdata_function, s->data);
	}
	return s->format.at[event];
}

int script_frames(struct script *s, const struct perfdata_record *r, struct frame *out, int max)
{
	struct chain_ip ips[CALLCHAIN_MAX];
	bool truncated;
	int k = callchain_ips(s->syms, r, (struct chain_limit){ s->max_stack, false }, ips, &truncated), n = 0;
	s->truncated_stacks += truncated;
	for (int i = 0; i < k && n < max; i++) {
		symbols_resolve(s->syms, r->pid, ips[i].ip, ips[i].mode, &out[n]);
		struct frame f = out[n];
		int in = chain_inlines(&ips[i], s->inlines) && f.dso && f.sym && !f.dso->kernel ? symbols_inline(s->syms, &f, out + n, max - n) : 0;
		if (!in)
			out[n] = f;
		n += in ? in : 1;
	}
	return n;
}

void script_release(struct script *s)
{
	vec_each(&s->format, f)
		tp_format_free(*f);
	vec_release(&s->format);
	frame_lines_free(s->lines);
	script_code_release(s);
	vec_each(&s->name, n)
		free(n->text);
	vec_release(&s->name);
	str_release(&s->head.text);
	str_release(&s->text);
}
