# SPDX-License-Identifier: GPL-2.0-or-later
# sonde list: kinds, globs, families, JSON, and what an ordinary user sees.
run "$SONDE" list; ok
has '^  context-switches OR cs +\[Software event\]'
has '^  sched:sched_switch +\[Tracepoint event\]'
has '^  cpu-cycles OR cycles +\[Hardware event\]'
run "$SONDE" list sw; ok; has 'page-faults OR faults'; hasnt 'sched:sched_switch'; has '^  duration_time +\[Tool event\]'
run "$SONDE" list hw cache; ok; has 'instructions'; has 'LLC-load-misses'; hasnt 'page-faults'
run "$SONDE" list 'net:*'; ok; has '^  net:net_dev_xmit '; hasnt '^  sock'
run "$SONDE" list block; ok; has '^  block:block_rq_issue '
[ "$(cut -d: -f1 "$T/out" | sort -u)" = "  block" ] || fail "list block shows other families"
run "$SONDE" list subsys 'block:*'; ok; has '^  block:block_rq_issue '; hasnt '^  net:'
run "$SONDE" list subsys; ok; has '^  block:\* +\[Tracepoint family\] [0-9]+ events'
run "$SONDE" list 'syscalls:sys_exit_a*'; ok; has 'sys_exit_accept '; hasnt 'sys_enter'
run "$SONDE" list -v sched:sched_switch; ok; has '^ +char prev_comm\[16\]'
run "$SONDE" list --json pmu sched:sched_switch -v; ok
python3 - "$T/out" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["schema"] == 1
e = [x for x in d["events"] if x["name"] == "sched:sched_switch"][0]
assert e["kind"] == "tracepoint" and any(f["name"] == "prev_pid" and f["signed"] for f in e["fields"])
PY
run "$SONDE" list nosuchevent; exits 255; err_has "no event matches 'nosuchevent'"; err_has '^hint: '
run "$SONDE" list --bogus; exits 129
code=0; "$SONDE" list >/dev/full 2>"$T/err" || code=$?; exits 255; err_has 'No space left'
"$SONDE" list | head -1 >/dev/null || fail "a closed pipe is not quiet"
# Every tracepoint of the kernel is there, each once (probes that other tests set may come and go meanwhile).
available() { grep -v '^ftrace:' /sys/kernel/tracing/available_events | sort; }
available >"$T/before"
"$SONDE" list tracepoint probe | sed -n 's/^  \([a-zA-Z0-9_-]*:[^ ]*\) .*/\1/p' | sort >"$T/ours"
[ -z "$(uniq -d "$T/ours")" ] || fail "twice: $(uniq -d "$T/ours")"
available | comm -12 - "$T/before" >"$T/theirs"
comm -13 "$T/ours" "$T/theirs" >"$T/lacks"
[ ! -s "$T/lacks" ] || fail "list lacks: $(head -n 3 "$T/lacks")"
# a probe is a tracepoint, too, and stands once however it is asked for
if [ "$(id -u)" = 0 ] && run "$SONDE" probe -q -x "$PROG/profiled" --add "once_$$=main" && [ $code = 0 ]; then
	for words in tracepoint probe 'tracepoint probe' 'probe tracepoint'; do
		# shellcheck disable=SC2086
		[ "$("$SONDE" list $words | grep -c ":once_$$ ")" = 1 ] || again=$words
	done
	"$SONDE" probe -q -d "once_$$"
	[ -z "${again-}" ] || fail "list $again: not once"
fi
if [ "$(id -u)" = 0 ] && [ "$(stat -c %a /sys/kernel/tracing)" = 700 ]; then
	run as_nobody "$SONDE" list; ok; has 'cs'; err_has 'tracepoints are left out'; err_has '^hint: .*remount'
	run as_nobody "$SONDE" list tracepoint; exits 255; err_has 'no permission to read tracefs'
fi
# the nearest names; an empty list says so to people, and is empty for programs
run "$SONDE" list sw:nosuch; exits 255; err_has 'sonde list shows all'
run "$SONDE" list context-swiches; exits 255; err_has "did you mean 'context-switches'"
# every event that has a number is listed (probes that other tests set may come and go meanwhile)
if [ "$(id -u)" = 0 ]; then
	numbered() { (cd /sys/kernel/tracing/events && ls -d */*/id 2>/dev/null | sed 's,/id$,,; s,/,:,' | sort) || :; }
	numbered >"$T/before"
	run "$SONDE" list tracepoint probe; ok
	numbered | comm -12 - "$T/before" | comm -23 - <(awk '/event\]/ { print $1 }' "$T/out" | sort) >"$T/missing"
	[ ! -s "$T/missing" ] || fail "not listed: $(head -n 3 "$T/missing")"
	[ "$(wc -l <"$T/before")" -gt 100 ] || fail "no events in tracefs"
fi
run "$SONDE" list --raw-dump sw; ok; has '^alignment-faults .*cpu-clock .*task-clock'
run "$SONDE" list --cputype core; exits 129; err_has '^hint: --unit'
