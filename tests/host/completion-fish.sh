# SPDX-License-Identifier: GPL-2.0-or-later
# needs: fish
# fish completion: commands, options, event names, comma lists.
mkdir bin; ln -s "$SONDE" bin/sonde; PATH=$PWD/bin:$PATH
try() { # LINE: the replies for the cursor at its end, without what fish says about them
	# shellcheck disable=SC2016
	fish --no-config -c 'source $TOP/tools/completion.fish; complete -C "$argv[1]"' "$1" | cut -f 1
}
run try 'sonde doc'; ok; same "$out" doctor; same "$err" ''
run try 'sonde '; has '^list$'; has '^doctor$'; has '^help$'; same "$err" ''
for c in $("$SONDE" | sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do has "^$c\$"; done
run try 'sonde --build'; same "$out" --buildid-dir
run try 'sonde --buildid-dir /x doc'; same "$out" doctor
run try 'sonde help doc'; same "$out" doctor
run try 'sonde --v'; same "$out" --version
run try 'sonde doctor --js'; same "$out" --json
run try 'sonde trace --engi'; same "$out" --engine
run try 'sonde stat -e page-fau'; has '^page-faults$'; hasnt '^cpu-clock$'
run try 'sonde stat -e cycl'; has '^cycles$'
run try 'sonde stat -e cpu-clock,page-fau'; same "$out" cpu-clock,page-faults
run try 'sonde stat -u nobo'; same "$out" nobody
run try "sonde stat -p 1,$$"; has "^1,$$\$"
if [ -r /sys/kernel/tracing/events ]; then
	run try 'sonde stat -e sched:sched_swi'; same "$out" sched:sched_switch
	run try 'sonde list sched:sched_swi'; same "$out" sched:sched_switch
fi
run try 'sonde list trac'; has '^tracepoint$'
touch unlike-any-other.data
run try 'sonde report -i unlike-any'; same "$out" unlike-any-other.data
run try 'sonde trace sond'; has '^sonde$' # a command to be traced
run try 'sonde ftrace rep'; has '^report$'; run try 'sonde ftrace record --max-g'; same "$out" --max-graph-depth; run try 'sonde ftrace --max-g'; same "$out" ''
run try 'sonde stat -e cs rec'; has '^record$'; run try 'sonde sched timehist --sum'; same "$out" --summary
run try 'sonde nosuch --x'; ok; same "$out$err" ''
