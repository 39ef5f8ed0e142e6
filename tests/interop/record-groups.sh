# SPDX-License-Identifier: GPL-2.0-or-later
# {a,b}:S: one sample tells what all events of its group counted; both tools take it for a sample of each.
# needs: perf
perf612
[ "$(id -u)" -eq 0 ] || skip "needs root"
work=(dd if=/dev/zero of=/dev/null bs=1 count=100k)
fields=comm,tid,time,event,period,ip
agree() { # FILE [OPTION...]: of report
	run "$PERF612" script --no-inline -i "$1" -F $fields; ok; mv "$T/out" by-perf
	run "$SONDE" script -i "$1" -F $fields; ok; has 'task-clock:'; has 'page-faults:'
	ended_alike by-perf "$T/out"
	cmp "$T/out" by-perf || { diff "$T/out" by-perf | head -n 5; fail "$1: perf reads it otherwise"; }
	"$PERF612" report --no-inline --stdio -g none -i "$@" -s comm 2>/dev/null | grep -v '^#' >by-perf
	run "$SONDE" report --stdio -g none -i "$@" -s comm; ok
	same "$(grep -v '^#' "$T/out" | sed 's/ *$//' | sort)" "$(sed 's/ *$//' by-perf | sort)" "$1: shares"
}
"$SONDE" record -q -e '{task-clock,page-faults}:S' -o g.data "${work[@]}" 2>/dev/null; agree g.data
"$SONDE" record -q -e '{task-clock,page-faults,context-switches}:S' --running-time -a -o t.data "${work[@]}" 2>/dev/null; agree t.data -c dd
perf record -q --buildid-mmap -e '{task-clock,page-faults}:S' -g -o p.data "${work[@]}" >/dev/null 2>&1; agree p.data
# as they are in the file: once
same "$("$SONDE" script -D -i g.data 2>/dev/null | grep -c PERF_RECORD_SAMPLE)" "$("$PERF612" script -D -i g.data 2>/dev/null | grep -c PERF_RECORD_SAMPLE)" "records"
