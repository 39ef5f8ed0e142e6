// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens the counters, lets the command run (or waits), reads, prints. */
#include "job/stat/job.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "attach/counting.h"
#include "base/error.h"
#include "job/control.h"
#include "job/life.h"
#include "job/stat/file.h"
#include "job/stat/metrics.h"
#include "job/stat/page.h"
#include "kernel/clock.h"
#include "perfdata/reader.h"
#include "ui/statprint.h"

struct stat_work {
	struct stat_job *j;
	char **argv; /* NULL: no command */
	struct out out;
	struct stat_table table;
	struct stat_print print;
	struct counting counting;
	struct life life; /* of this run */
	struct control control;
	struct stat_file *file; /* NULL: none */
	struct stat_metrics *metrics; /* NULL: none */
	struct stat_times times;
	uint64_t start, last_print, next_print, enable_at, stop_at; /* ns; 0: never */
	int printed;
	int code; /* exit code */
	bool ready; /* table is set up */
};

/* ---- a run ---- */

/* Prints the counts of the interval that ends now. */
static int print_interval(struct stat_work *s)
{
	int err = counting_read(&s->counting, &s->j->events);
	uint64_t now = clock_ns();
	if (!err && s->file)
		err = stat_file_round(s->file, &s->counting, now - s->start, false);
	if (!err && s->metrics)
		err = stat_metrics_round(s->metrics, s->j, &s->counting, now - s->start);
	if (err)
		return err;
	stat_table_clear(&s->table);
	stat_table_add(&s->table, &s->counting, true, now - s->last_print);
	s->last_print = now;
	s->print.interval = (double)(now - s->start) / 1e9;
	if (s->metrics && !s->j->output && s->j->log_fd < 0) { /* that is where the intervals go */
		s->printed++;
		return 0;
	}
	if (s->j->interval_clear)
		out_puts(&s->out, "\033[H\033[2J");
	if (s->printed++ % 25 == 0 || s->j->interval_clear)
		stat_print_interval_header(&s->print);
	stat_print_table(&s->print);
	out_flush(&s->out);
	return 0;
}

/* Milliseconds until something is due. */
static int wait_ms(const struct stat_work *s, uint64_t now, bool watch_tasks)
{
	uint64_t due[] = { s->next_print, s->enable_at, s->stop_at, watch_tasks ? now + 50000000 : 0 }, first = 0;
	for (int i = 0; i < 4; i++)
		if (due[i] && (!first || due[i] < first))
			first = due[i];
	if (!first)
		return -1;
	return first <= now ? 0 : (int)((first - now + 999999) / 1000000 < 1000000 ? (first - now + 999999) / 1000000 : 1000000);
}

static bool tasks_alive(const struct target *t)
{
	vec_each(&t->threads, th) {
		struct pollfd p = { .events = POLLIN };
		if (th->gone)
			continue;
		if (th->tid != th->pid) {
			if (!syscall(SYS_tgkill, th->pid, th->tid, 0) || errno == EPERM)
				return true;
			continue;
		}
		/* a zombie has ended, although it can still be signalled */
		p.fd = (int)syscall(SYS_pidfd_open, th->pid, 0);
		bool ended = p.fd < 0 ? errno == ESRCH : poll(&p, 1, 0) > 0;
		if (p.fd >= 0)
			close(p.fd);
		if (!ended)
			return true;
	}
	return false;
}

static bool is_piped(const struct stat_job *j) /* stat record -o - */
{
	return j->data && !strcmp(j->data, "-");
}

/* Nobody would read what comes next; or the disk is full, of which out_close() tells. */
static bool is_unread(struct stat_work *s)
{
	return (is_piped(s->j) && fd_unread(1)) || (s->j->interval && (s->out.err || out_unread(&s->out)));
}

/* What the clock asks for. */
static int due(struct stat_work *s, uint64_t now)
{
	const struct stat_job *j = s->j;
	if (s->enable_at && now >= s->enable_at) {
		counting_enable(&s->counting);
		s->enable_at = 0;
	}
	if (s->next_print && now >= s->next_print) {
		int err = print_interval(s);
		if (err)
			return err;
		s->next_print += j->interval * 1000000ull;
		if (j->interval_count && s->printed >= j->interval_count)
			s->stop_at = now;
	}
	if (is_unread(s) || (s->stop_at && now >= s->stop_at)) {
		life_enough(&s->life);
		s->stop_at = s->next_print = 0;
	}
	return 0;
}

/* ---- --control ---- */

static int turn_one(struct stat_work *s, const char *name, bool on)
{
	const event_list *l = &s->j->events;
	bool known = false, done = false;
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->at[i].name, name)) {
			known = true;
			done |= opened_turn(&s->counting.opened, (int)i, on);
		}
	if (!done)
		warn(known ? "--control: '%s' has no counter that could be turned on and off by itself" : "--control: there is no event '%s'", name);
	return done;
}

/* On and off are also the bounds of an interval. */
static int turn(struct stat_work *s, const char *name, bool on)
{
	int err = s->j->interval ? print_interval(s) : 0;
	if (*name)
		return err ? err : turn_one(s, name, on) ? 1 : 2;
	if (on)
		counting_enable(&s->counting);
	else
		counting_disable(&s->counting);
	return err ? err : 1;
}

/* how: nothing, -v what was asked of the kernel, -g groups in braces, -F how often there is a sample. */
static int list(const struct stat_work *s, const char *how)
{
	const event_list *l = &s->j->events;
	char c = how[0] == '-' && how[1] && !how[2] ? how[1] : 0;
	struct str text = STR_INIT;
	if (*how && (!c || !strchr("vgF", c)))
		return 0;
	for (size_t i = 0; i < l->n; i++) {
		const struct event *e = &l->at[i];
		bool more = c == 'g' && i + 1 < l->n && l->at[i + 1].group == e->group, within = c == 'g' && e->group != (int)i;
		str_add(&text, more && !within ? "{" : "");
		str_add_safez(&text, e->name);
		if (c == 'v')
			perfdata_print_attr(&text, NULL, &e->attr, e->name);
		else if (c == 'F')
			str_addf(&text, ": sample_%s=%llu", e->attr.freq ? "freq" : "period", (unsigned long long)e->attr.sample_period);
		str_add(&text, more ? "," : within ? "}\n" : "\n");
	}
	fputs(text.buf ?: "", stderr);
	str_release(&text);
	return 1;
}

/* 2: understood, but it cannot be (told), 1: done, 0: not understood, -errno. */
static int obey(struct stat_work *s, const char *word)
{
	size_t n = strcspn(word, " ");
	const char *rest = word + n + strspn(word + n, " ");
	if ((n == 6 && !strncmp(word, "enable", n)) || (n == 7 && !strncmp(word, "disable", n)))
		return turn(s, rest, word[0] == 'e');
	if (n == 6 && !strncmp(word, "evlist", n))
		return list(s, rest);
	if (!strcmp(word, "stop")) {
		life_enough(&s->life);
		return 1;
	}
	return !strcmp(word, "ping") || !strcmp(word, "ack");
}

static int told(struct stat_work *s)
{
	int err = 0;
	for (char *word; err >= 0 && s->j->control && (word = control_next(&s->control)); free(word)) {
		if (!*word)
			continue;
		err = obey(s, word);
		if (err == 1) {
			control_ack(&s->control);
		} else if (!err) {
			warn("--control: '%s' is not understood", word);
			hint("the commands are enable [EVENT], disable [EVENT], evlist [-v | -g | -F], ping and stop");
		}
	}
	return err < 0 ? err : 0;
}

static int wait_loop(struct stat_work *s)
{
	bool watch = !s->argv && target_by_task(&s->j->target);
	struct pollfd p[] = { { .fd = signals_fd(), .events = POLLIN }, { .fd = s->j->interval ? s->out.fd : -1 },
			      { .fd = -1, .events = POLLIN }, { .fd = is_piped(s->j) ? 1 : -1 } };
	int err = 0;
	while (!err && !life_over(&s->life) && !life_ended(&s->life) && (!watch || tasks_alive(&s->j->target))) {
		p[2].fd = s->j->control ? s->control.fd : -1;
		(void)poll(p, 4, life_sleep(&s->life, wait_ms(s, clock_ns(), watch)));
		signals_drain();
		err = due(s, clock_ns());
		if (!err)
			err = told(s);
		if (s->out.err)
			p[1].fd = -1;
		if (p[3].revents) /* once is enough */
			p[3].fd = -1;
	}
	return err;
}

static double seconds(struct timeval a, struct timeval b)
{
	return (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_usec - a.tv_usec) / 1e6;
}

static int arm(struct stat_work *s)
{
	struct stat_job *j = s->j;
	struct counting_options how = { .inherit = !j->no_inherit, .no_bpf = j->no_bpf || j->data, .each_thread = j->aggr == STAT_THREAD };
	bool own = s->argv && !target_given(&j->target);
	int err = target_resolve(&j->target, own ? s->life.command.pid : 0);
	if (err)
		return err;
	how.enable_on_exec = own && !j->delay;
	if (j->events.n && (err = counting_open(&s->counting, &j->events, &j->target, &how)))
		return err;
	if (!s->ready) {
		s->table = (struct stat_table){ .aggr = j->aggr, .scale = j->scale, .cache_level = j->cache_level,
						.metrics = &j->metrics };
		stat_table_init(&s->table, &j->events, &j->target);
		s->ready = true;
	}
	if (j->data && !(s->file = stat_file_create(j, &s->counting)))
		return error_code();
	if (!how.enable_on_exec && !j->delay)
		counting_enable(&s->counting);
	return 0;
}

static void set_timers(struct stat_work *s)
{
	const struct stat_job *j = s->j;
	s->start = s->last_print = clock_ns();
	s->next_print = j->interval ? s->start + j->interval * 1000000ull : 0;
	s->stop_at = j->timeout ? s->start + j->timeout * 1000000ull : 0;
	s->enable_at = j->delay > 0 ? s->start + j->delay * 1000000ull : 0;
}

/* What was counted until now. */
static int take_counts(struct stat_work *s, uint64_t elapsed)
{
	const struct stat_job *j = s->j;
	int err = 0;
	if (j->interval) {
		bool more = !j->interval_count || s->printed < j->interval_count;
		err = more && !s->out.err ? print_interval(s) : 0;
		if (err || !j->summary)
			return err;
		stat_table_clear(&s->table);
	} else if ((err = counting_read(&s->counting, &j->events))) {
		return err;
	}
	if (s->file && !j->interval && (err = stat_file_round(s->file, &s->counting, elapsed, true)))
		return err;
	stat_table_add(&s->table, &s->counting, false, elapsed);
	vec_each(&s->counting.readings, r)
		note(1, "%s: %llu %llu %llu", j->events.at[r->event].name, (unsigned long long)r->now.value,
		     (unsigned long long)r->now.enabled, (unsigned long long)r->now.running);
	return 0;
}

static int measure(struct stat_work *s)
{
	const struct target *t = &s->j->target;
	struct rusage before, after;
	getrusage(RUSAGE_CHILDREN, &before);
	set_timers(s);
	counting_begin(&s->counting);
	int err = life_start(&s->life);
	if (err)
		return err;
	err = wait_loop(s);
	uint64_t elapsed = clock_ns() - s->start;
	if (!target_by_task(t) || target_given(t))
		counting_disable(&s->counting);
	getrusage(RUSAGE_CHILDREN, &after);
	s->times.user = seconds(before.ru_utime, after.ru_utime);
	s->times.sys = seconds(before.ru_stime, after.ru_stime);
	s->times.known = s->argv && !target_given(t);
	if (!err)
		err = take_counts(s, elapsed);
	if (err)
		err = life_failed(&s->life, err);
	life_finish(&s->life);
	return err;
}

static void hook(const char *command)
{
	if (command && system(command))
		warn("'%s' failed", command);
}

static int run_once(struct stat_work *s, bool last)
{
	struct workload_options how = { .user = s->j->command_user };
	hook(s->j->pre);
	if (s->j->sync)
		sync();
	counting_close(&s->counting); /* of the run before */
	int err = life_fork(&s->life, s->argv, &how);
	if (!err)
		err = arm(s);
	if (!err && last && !s->j->post) /* the descriptors are open: reading them takes no rights */
		life_give_up_rights(&s->life, 0);
	if (!err && s->metrics)
		err = stat_metrics_start(s->metrics);
	if (!err)
		err = measure(s);
	if (!err)
		s->code = life_code(&s->life);
	life_release(&s->life);
	hook(s->j->post);
	return err;
}

/* ---- the page ---- */

static void subject(const struct stat_work *s, struct str *text)
{
	if (s->argv && !target_given(&s->j->target)) {
		str_addc(text, '\'');
		for (char **a = s->argv; *a; a++)
			str_addf(text, "%s%s", a == s->argv ? "" : " ", *a);
		str_addc(text, '\'');
	} else {
		target_describe(&s->j->target, text);
	}
}

static void report(struct stat_work *s)
{
	struct str text = STR_INIT;
	if (s->table.elapsed.n < s->j->repeat && s->print.runs > 1)
		s->print.runs = (int)s->table.elapsed.n > 1 ? (int)s->table.elapsed.n : 1;
	if (!s->j->interval || s->j->summary) {
		s->print.summary = s->j->interval && s->j->csv_summary;
		s->print.interval = -1;
		subject(s, &text);
		if (!s->j->interval)
			stat_print_header(&s->print, text.buf);
		stat_print_table(&s->print);
		stat_print_footer(&s->print, &s->times);
	}
	str_release(&text);
}

static int finish_file(struct stat_work *s)
{
	int err = stat_file_finish(s->file);
	if (err != -EPIPE || !is_piped(s->j))
		return err;
	error_clear(); /* the reader has seen enough */
	return 0;
}

int stat_job_run(struct stat_job *j, char **command)
{
	struct stat_work s = { .j = j, .argv = command, .control = { .fd = -1, .ack = -1, .text = STR_INIT } };
	int err = stat_page_open(&s.print, &s.out, &s.table, j);
	if (!err && j->control)
		err = control_open(&s.control, j->control);
	if (!err && j->openmetrics && !(s.metrics = stat_metrics_open(j->openmetrics)))
		err = error_code();
	signals_arm(); /* before --pre, which may take long */
	for (int i = 0; i < j->repeat && !err && (!i || !signals_stop()); i++) {
		target_unresolve(&j->target);
		err = run_once(&s, i + 1 == j->repeat);
	}
	if (!err && s.file)
		err = finish_file(&s);
	if (!err && s.ready)
		report(&s);
	int code = err ? error_print() : s.code;
	if (!err && j->metric_only && !s.print.figures) {
		warn("nothing follows from these events by itself");
		hint("name metrics: -M Default; sonde list metric lists them");
	}
	if (err) /* no file with a heading and nothing below */
		str_clear(&s.out.buf);
	if (out_close(&s.out) < 0)
		code = error_print();
	stat_file_free(s.file);
	stat_metrics_close(s.metrics);
	if (j->control)
		control_close(&s.control);
	counting_close(&s.counting); /* last: closing tracepoints takes long, and the page is out by now */
	if (s.ready)
		stat_table_release(&s.table);
	return code;
}
