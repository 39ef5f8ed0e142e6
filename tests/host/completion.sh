# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion: commands, options, event names with colons, comma lists.
mkdir bin; ln -s "$SONDE" bin/sonde; PATH=$PWD/bin:$PATH
try() { # LINE: the replies for the cursor at its end
	bash --norc -c '. "$TOP/tools/completion.bash"
		COMP_LINE=$1 COMP_POINT=${#1}
		read -ra COMP_WORDS <<<"${1//:/ : }"; [[ $1 == *" " ]] && COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); [[ ${COMP_WORDS[COMP_CWORD]} == : ]] && COMP_WORDS+=("") && COMP_CWORD=$((COMP_CWORD + 1))
		_sonde; printf "%s\n" "${COMPREPLY[@]}"' x "$1"
}
run try 'sonde doc'; ok; same "$out" doctor
run try 'sonde '; has '^list$'; has '^doctor$'; has '^help$'
run try 'sonde --build'; same "$out" --buildid-dir
run try 'sonde --buildid-dir /x doc'; same "$out" doctor
run try 'sonde help doc'; same "$out" doctor
run try 'sonde doctor --js'; same "$out" --json
run try 'sonde stat -e page-fau'; has '^page-faults$'
run try 'sonde stat -e cycl'; has '^cycles$'
run try 'sonde stat -e cpu-clock,page-fau'; has '^cpu-clock,page-faults$'
if [ -r /sys/kernel/tracing/events ]; then
	run try 'sonde stat -e sched:sched_swi'; has '^sched_switch$' # bash took "sched:" for a word of its own
	run try 'sonde list sched:sched_swi'; has '^sched_switch$'
fi
run try 'sonde list trac'; has '^tracepoint$'
run try 'sonde ftrace rep'; has '^report$'; run try 'sonde ftrace record --max-g'; same "$out" --max-graph-depth; run try 'sonde ftrace --max-g'; same "$out" ''
run try 'sonde stat -e cs rec'; has '^record$'; run try 'sonde sched timehist --sum'; same "$out" --summary
run try 'sonde nosuch --x'; ok
