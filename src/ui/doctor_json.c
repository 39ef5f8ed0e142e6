// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/json.h"
#include "base/version.h"
#include "base/words.h"
#include "ui/doctor.h"

static void json_setting(struct json *j, const char *name, int v)
{
	json_key(j, name);
	if (v == SETTING_ABSENT)
		json_null(j);
	else
		json_s64(j, v);
}

static void json_answer(struct json *j, struct doctor_answer a)
{
	json_kstr(j, "works", doctor_word(a.is));
	json_kstr(j, "detail", a.detail);
	json_kstr(j, "remedy", a.is == FEATURE_NO ? a.remedy : NULL);
}

static void json_who(struct json *j, const struct doctor_who *w)
{
	json_key(j, "kernel");
	json_open(j, '{');
	json_kstr(j, "release", w->release);
	json_kstr(j, "machine", w->machine);
	json_ku64(j, "cpus", w->cpus);
	json_close(j, '}');
	json_key(j, "user");
	json_open(j, '{');
	json_ku64(j, "uid", w->uid);
	json_kbool(j, "user_namespace", w->in_user_namespace);
	json_key(j, "capabilities");
	json_open(j, '[');
	vec_each(&w->caps, c)
		json_strz(j, *c);
	json_close(j, ']');
	json_close(j, '}');
}

static void json_settings(struct json *j, const struct settings *s)
{
	json_key(j, "settings");
	json_open(j, '{');
	json_setting(j, "perf_event_paranoid", s->paranoid);
	json_setting(j, "kptr_restrict", s->kptr_restrict);
	json_setting(j, "ptrace_scope", s->ptrace_scope);
	json_setting(j, "unprivileged_bpf_disabled", s->unprivileged_bpf_disabled);
	json_setting(j, "perf_event_mlock_kb", s->perf_mlock_kb);
	json_setting(j, "perf_event_max_sample_rate", s->perf_max_rate);
	json_ks64(j, "memlock_bytes", s->memlock);
	json_ks64(j, "open_files", s->nofile);
	json_kstr(j, "lockdown", *s->lockdown ? s->lockdown : NULL);
	json_close(j, '}');
}

static void json_abilities(const struct doctor *d, struct json *j)
{
	json_key(j, "abilities");
	json_open(j, '[');
	for (int f = 0; f <= N_FEATURES; f++) {
		json_open(j, '{');
		json_kstr(j, "name", f == DOCTOR_DEBUGINFO ? "kernel-debuginfo" : feature_name(f));
		json_kstr(j, "title", f == DOCTOR_DEBUGINFO ? "debuginfo of this kernel" : feature_title(f));
		json_answer(j, doctor_ask(d, f));
		if (f == DOCTOR_DEBUGINFO) {
			wordlist places = { 0 };
			wordlist_split(&places, d->debug.looked.buf, '\n');
			json_key(j, "looked");
			json_open(j, '[');
			vec_each(&places, p)
				json_strz(j, *p);
			json_close(j, ']');
			wordlist_release(&places);
		}
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_engines(const struct doctor *d, struct json *j)
{
	struct str why = STR_INIT;
	json_kstr(j, "engine", d->engine ? d->engine->name : NULL);
	json_key(j, "engines");
	json_open(j, '[');
	for (int i = 0; engines[i]; i++) {
		bool usable = doctor_engine(i, &why);
		json_open(j, '{');
		json_kstr(j, "name", engines[i]->name);
		json_kbool(j, "usable", usable);
		json_kstr(j, "why", usable ? engines[i]->what : why.buf);
		json_close(j, '}');
	}
	json_close(j, ']');
	str_release(&why);
}

static void json_uses(const struct doctor *d, struct json *j)
{
	json_key(j, "commands");
	json_open(j, '[');
	for (const struct doctor_use *u = doctor_uses; u->command; u++) {
		json_open(j, '{');
		json_kstr(j, "command", u->command);
		json_kstr(j, "use", u->what);
		json_answer(j, doctor_ask_use(d, u));
		json_close(j, '}');
	}
	json_close(j, ']');
}

void doctor_print_json(const struct doctor *d, struct out *o)
{
	struct str s = STR_INIT;
	struct json j;
	json_init(&j, &s);
	json_open(&j, '{');
	json_ku64(&j, "schema", JSON_SCHEMA);
	json_kstr(&j, "sonde", SONDE_VERSION);
	json_who(&j, &d->who);
	json_settings(&j, d->settings);
	json_abilities(d, &j);
	json_engines(d, &j);
	json_uses(d, &j);
	json_close(&j, '}');
	str_addc(&s, '\n');
	out_str(o, &s);
	str_release(&s);
}
