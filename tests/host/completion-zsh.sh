# SPDX-License-Identifier: GPL-2.0-or-later
# needs: zsh
# zsh completion: commands, options, event names, comma lists. A zsh on a pseudo-terminal is typed into, and its Tab key
# writes what was offered to a file.
mkdir bin functions; ln -s "$SONDE" bin/sonde; cp "$TOP/tools/completion.zsh" functions/_sonde
export PATH=$PWD/bin:$PATH HOME=$PWD
cat >.zshrc <<'Z'
fpath=($HOME/functions $fpath)
autoload -Uz compinit; compinit -u -D
PROMPT=
compadd() { # what it would offer, then does
	local -a __hits __flags=(${argv[1,(i)-(|-)]}) # the words follow
	if (( ! ${__flags[(I)-[OAD]]} )); then
		builtin compadd -A __hits "$@"
		(( $#__hits )) && print -rl -- $IPREFIX${^__hits} >>$HOME/offered
	fi
	builtin compadd "$@"
}
tab() { zle complete-word; print >$HOME/done; zle kill-buffer }
zle -N tab; bindkey '^I' tab
print >$HOME/ready
Z
cat >type.zsh <<'Z'
zmodload zsh/zpty zsh/zselect
until_there() { for ((n = 0; n < 400; n++)); do [[ -e $1 ]] && return; zselect -t 5; done; print "never: $1"; exit 1 }
zpty -b shell zsh -i
until_there ready
while IFS= read -r line; do
	rm -f offered done
	zpty -w -n shell "$line"$'\t'
	until_there done
	print -r -- "== $line"
	[[ -e offered ]] && sort -u offered
	while zpty -r -t shell _; do :; done
done
zpty -d shell
Z
typed='sonde doc|sonde |sonde help doc|sonde --v|sonde doctor --js|sonde trace --engi|sonde stat -e page-fau|sonde stat -e cycl|sonde stat -e cpu-clock,page-fau|sonde stat -u nobo|sonde stat -e sched:sched_swi|sonde list sched:sched_swi|sonde list trac|sonde report -i unlike-any|sonde trace sond|sonde ftrace rep|sonde ftrace record --max-g|sonde ftrace --max-g|sonde stat -e cs rec|sonde sched timehist --sum|sonde nosuch --x|sonde stat -p 1,'$$
touch unlike-any-other.data
# shellcheck disable=SC2016
tr '|' '\n' <<<"$typed" | timeout 60 zsh -f type.zsh >offers 2>"$T/err" || { cp offers "$T/out"; fail "zsh"; }
offers() { awk -v l="== $1" '/^== / { on = $0 == l; next } on' offers; }
run offers 'sonde doc'; same "$out" doctor
run offers 'sonde '; has '^list$'; has '^doctor$'; has '^help$'
for c in $("$SONDE" | sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do has "^$c\$"; done
run offers 'sonde help doc'; same "$out" doctor
run offers 'sonde --v'; same "$out" --version
run offers 'sonde doctor --js'; same "$out" --json
run offers 'sonde trace --engi'; same "$out" --engine
run offers 'sonde stat -e page-fau'; has '^page-faults$'; hasnt '^cpu-clock$'
run offers 'sonde stat -e cycl'; has '^cycles$'
run offers 'sonde stat -e cpu-clock,page-fau'; same "$out" cpu-clock,page-faults
run offers 'sonde stat -u nobo'; same "$out" nobody
run offers "sonde stat -p 1,$$"; has "^1,$$\$"
if [ -r /sys/kernel/tracing/events ]; then
	run offers 'sonde stat -e sched:sched_swi'; same "$out" sched:sched_switch
	run offers 'sonde list sched:sched_swi'; same "$out" sched:sched_switch
fi
run offers 'sonde list trac'; has '^tracepoint$'
run offers 'sonde report -i unlike-any'; same "$out" unlike-any-other.data
run offers 'sonde trace sond'; has '^sonde$'
run offers 'sonde ftrace rep'; has '^report$'
run offers 'sonde ftrace record --max-g'; same "$out" --max-graph-depth
run offers 'sonde ftrace --max-g'; same "$out" ''
run offers 'sonde stat -e cs rec'; has '^record$'
run offers 'sonde sched timehist --sum'; same "$out" --summary
run offers 'sonde nosuch --x'; same "$out" ''
