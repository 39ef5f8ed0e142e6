// SPDX-License-Identifier: GPL-2.0-or-later
/* What a script says: printf and its kin, log, warn, error, exit; and the terminal. */
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "script/stap/calls.h"
#include "script/stap/run.h"

#define CALL(name) static struct interp_value name(struct interp *ip, const struct script_node *n, const struct interp_value *args, unsigned n_args)
#define UNUSED (void)ip, (void)n, (void)args, (void)n_args
static const struct interp_value nothing;

static void add(struct interp *ip, struct str *to, const struct interp_value *v)
{
	size_t len;
	const char *t = interp_string(ip, v, &len);
	if (v->kind == VALUE_NONE)
		str_addc(to, '0');
	else
		str_addn(to, t, len);
}

static struct interp_value made(struct interp *ip, struct str *s)
{
	struct interp_value v = interp_text(ip, s->buf, s->len);
	str_release(s);
	return v;
}

static void format(struct interp *ip, const struct script_node *n, struct str *to, const struct interp_value *args, unsigned n_args)
{
	size_t len;
	const char *f = interp_string(ip, &args[0], &len), *why = interp_format(ip, to, f, len, args + 1, n_args - 1);
	if (why)
		interp_fail(ip, n, "%s", why);
}

CALL(print_format)
{
	UNUSED;
	format(ip, n, &ip->out, args, n_args);
	return nothing;
}

CALL(text_format)
{
	struct str s = STR_INIT;
	format(ip, n, &s, args, n_args);
	return made(ip, &s);
}

static void all(struct interp *ip, struct str *to, const struct interp_value *args, unsigned n, const char *between, size_t len)
{
	for (unsigned i = 0; i < n; i++) {
		if (i)
			str_addn(to, between, len);
		add(ip, to, &args[i]);
	}
}

CALL(print) { UNUSED; all(ip, &ip->out, args, n_args, "", 0); return nothing; }

CALL(println)
{
	UNUSED;
	all(ip, &ip->out, args, n_args, "", 0);
	str_addc(&ip->out, '\n');
	return nothing;
}

CALL(printd)
{
	size_t len;
	const char *between = interp_string(ip, &args[0], &len);
	UNUSED;
	all(ip, &ip->out, args + 1, n_args - 1, between, len);
	return nothing;
}

CALL(printdln)
{
	printd(ip, n, args, n_args);
	str_addc(&ip->out, '\n');
	return nothing;
}

CALL(sprint)
{
	struct str s = STR_INIT;
	UNUSED;
	all(ip, &s, args, n_args, "", 0);
	return made(ip, &s);
}

CALL(sprintln)
{
	struct str s = STR_INIT;
	UNUSED;
	all(ip, &s, args, n_args, "", 0);
	str_addc(&s, '\n');
	return made(ip, &s);
}

CALL(sprintd)
{
	struct str s = STR_INIT;
	size_t len;
	const char *between = interp_string(ip, &args[0], &len);
	UNUSED;
	all(ip, &s, args + 1, n_args - 1, between, len);
	return made(ip, &s);
}

CALL(say_warning)
{
	struct stap_run *r = ip->host;
	size_t len;
	const char *t = interp_string(ip, &args[0], &len);
	UNUSED;
	if (r->out) {
		out_str(r->out, &ip->out);
		out_flush(r->out);
	}
	while (len && t[len - 1] == '\n')
		len--;
	warn("%.*s", (int)len, t);
	return nothing;
}

CALL(say_error)
{
	size_t len;
	const char *t = interp_string(ip, &args[0], &len);
	UNUSED;
	return interp_fail(ip, n, "%.*s", (int)len, t);
}

CALL(leave)
{
	UNUSED;
	ip->leaving = true;
	return nothing;
}

CALL(run_command)
{
	struct stap_run *r = ip->host;
	size_t len;
	const char *t = interp_string(ip, &args[0], &len);
	char *command = xstrndup(t, len);
	UNUSED;
	if (r->out) { /* what was said before comes before what it says */
		out_str(r->out, &ip->out);
		out_flush(r->out);
	}
	if (system(command) < 0)
		warn("cannot run '%s'", command);
	free(command);
	return nothing;
}

/* ---- the terminal ---- */

CALL(clear_screen) { UNUSED; str_add(&ip->out, "\033[1;1H\033[2J"); return nothing; }
CALL(new_line) { UNUSED; str_add(&ip->out, "\n"); return nothing; }
CALL(reset_color) { UNUSED; str_add(&ip->out, "\033[0;0m"); return nothing; }
CALL(cursor_hide) { UNUSED; str_add(&ip->out, "\033[?25l"); return nothing; }
CALL(cursor_show) { UNUSED; str_add(&ip->out, "\033[?25h"); return nothing; }
CALL(cursor_save) { UNUSED; str_add(&ip->out, "\033[s"); return nothing; }
CALL(cursor_restore) { UNUSED; str_add(&ip->out, "\033[u"); return nothing; }

CALL(cursor_move)
{
	UNUSED;
	str_addf(&ip->out, "\033[%lld;%lldH", (long long)interp_number(&args[1]), (long long)interp_number(&args[0]));
	return nothing;
}

CALL(set_color)
{
	UNUSED;
	str_add(&ip->out, "\033[");
	for (unsigned i = 0; i < n_args; i++) /* the attribute comes first */
		str_addf(&ip->out, "%s%lld", i ? ";" : "", (long long)interp_number(&args[n_args > 2 ? (i + 2) % 3 : i]));
	str_addc(&ip->out, 'm');
	return nothing;
}

const struct interp_call stap_calls_output[] = {
	{ "printf", 1, 0, print_format }, { "sprintf", 1, 0, text_format },
	{ "print", 1, 0, print }, { "println", 0, 255, println }, { "printd", 2, 0, printd }, { "printdln", 2, 0, printdln },
	{ "sprint", 1, 0, sprint }, { "sprintln", 1, 0, sprintln }, { "sprintd", 2, 0, sprintd },
	{ "log", 1, 1, println }, { "warn", 1, 1, say_warning }, { "error", 1, 1, say_error },
	{ "exit", 0, 0, leave }, { "abort", 0, 0, leave }, { "system", 1, 1, run_command },
	{ "ansi_clear_screen", 0, 0, clear_screen }, { "ansi_new_line", 0, 0, new_line }, { "ansi_reset_color", 0, 0, reset_color },
	{ "ansi_cursor_hide", 0, 0, cursor_hide }, { "ansi_cursor_show", 0, 0, cursor_show }, { "ansi_cursor_save", 0, 0, cursor_save },
	{ "ansi_cursor_restore", 0, 0, cursor_restore }, { "ansi_cursor_move", 2, 2, cursor_move }, { "ansi_set_color", 1, 3, set_color }, { "ansi_set_color3", 3, 3, set_color },
	{ "ansi_set_color2", 2, 2, set_color },
	{ 0 },
};
