#compdef sonde
# SPDX-License-Identifier: GPL-2.0-or-later
# zsh completion for sonde. Words come from sonde itself: commands from its table, verbs (`sonde ftrace record`) from each
# command's usage, options from its table (`sonde CMD [VERB] --option-words`), events from `sonde list`.

# Event names, kept for a minute: a list of two thousand is read from the kernel each time.
_sonde_events() {
	typeset -ga _sonde_event_list
	if (( ! $#_sonde_event_list || SECONDS - ${_sonde_event_time:-0} > 60 )); then
		_sonde_event_list=(${(f)"$($1 list --no-desc 2>/dev/null | awk '!/\[Metric/ {
			for (i = 1; i <= NF; i += 2) { # NAME OR NAME [Kind]
				if ($i ~ /^[a-zA-Z0-9_\/-]+(:[a-zA-Z0-9_]+)?$/) print $i
				if ($(i + 1) != "OR") break
			}
		}')"})
		typeset -g _sonde_event_time=$SECONDS
	fi
}

_sonde() {
	local self=${(Q)words[1]} command= verb= i
	local -a subcommands verbs flags # commands and options are names of zsh
	for ((i = 2; i < CURRENT; i++)); do
		case $words[i] in --buildid-dir|--debug|--debug-file) ((i++)); continue ;; esac
		[[ $words[i] == -* ]] || { command=$words[i]; break }
	done
	if [[ -z $command || $command == help ]]; then
		subcommands=(${(f)"$($self 2>/dev/null | sed -n 's/^  \([a-z][a-z0-9-]*\)  *\(.*\)/\1:\2/p')"})
		[[ -n $command ]] || subcommands+=('help:tell more about a command' $(${=:-$self --list-opts} 2>/dev/null))
		_describe command subcommands
		return
	fi
	verbs=(${(f)"$($self $command -h 2>/dev/null | sed -nE "s/^(usage|   or): sonde $command (\[[^]]*\] )*([a-z][a-z-]*)( .*)?\$/\3/p")"})
	for ((i++; i < CURRENT; i++)); do
		(( ! ${verbs[(Ie)$words[i]]} )) || { verb=$words[i]; verbs=(); break }
	done
	case $words[CURRENT-1] in
	-e|--event|--events)
		_sonde_events $self
		compset -P '*,'
		compadd -a _sonde_event_list
		return ;;
	-u|--uid|--user) _users; return ;;
	-p|--pid|-t|--tid) compset -P '*,'; compadd -- /proc/[0-9]*(N:t); return ;;
	esac
	if [[ $PREFIX == -* ]]; then
		flags=(${(f)"$($self $command $verb --option-words 2>/dev/null)"})
		compadd -- $flags
		return
	fi
	case $command in
	list|tpoint)
		_sonde_events $self
		[[ $command == tpoint ]] || verbs=(hw sw cache pmu tracepoint probe sdt subsys metric metricgroup)
		compadd -- $verbs $_sonde_event_list
		return ;;
	esac
	(( ! $#verbs )) || compadd -- $verbs
	_alternative 'files:file:_files' 'commands:command:_command_names -e'
}
_sonde "$@"
