# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion for sonde. Words come from sonde itself: commands from its table, verbs (`sonde ftrace record`) from each
# command's usage, options from its table (`sonde CMD [VERB] --option-words`), events from `sonde list`.

_sonde_commands() { "$1" 2>/dev/null | sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p'; }

_sonde_verbs() { "$1" "$2" -h 2>/dev/null | sed -nE "s/^(usage|   or): sonde $2 (\[[^]]*\] )*([a-z][a-z-]*)( .*)?\$/\3/p"; }

# Event names, kept for a minute: a list of two thousand is read from the kernel each time.
_sonde_events() {
	if [ -z "${_sonde_event_list-}" ] || [ $((SECONDS - ${_sonde_event_time:-0})) -gt 60 ]; then
		_sonde_event_list=$("$1" list --no-desc 2>/dev/null | awk '!/\[Metric/ {
			for (i = 1; i <= NF; i += 2) { # NAME OR NAME [Kind]
				if ($i ~ /^[a-zA-Z0-9_\/-]+(:[a-zA-Z0-9_]+)?$/) print $i
				if ($(i + 1) != "OR") break
			}
		}')
		_sonde_event_time=$SECONDS
	fi
	printf '%s\n' "$_sonde_event_list"
}

# What was typed of the present word, colons and equal signs included (bash splits words at them).
_sonde_typed() {
	local line=${COMP_LINE:0:COMP_POINT}
	printf '%s' "${line##*[[:space:]]}"
}

# The replies must lack what bash already took for an earlier word: all up to the last colon.
_sonde_reply() { # TYPED WORD...
	local typed=$1 word cut=
	shift
	[[ $typed == *[:=]* && $COMP_WORDBREAKS == *:* ]] && cut=${typed%"${typed##*[:=]}"}
	COMPREPLY=()
	for word; do COMPREPLY+=("${word#"$cut"}"); done
}

_sonde() {
	local self=${COMP_WORDS[0]} typed before command= verb= verbs= i words=()
	typed=$(_sonde_typed)
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in --buildid-dir | --debug | --debug-file) i=$((i + 1)); continue ;; esac
		[[ ${COMP_WORDS[i]} == -* ]] || { command=${COMP_WORDS[i]}; break; }
	done
	before=${COMP_LINE:0:COMP_POINT}; before=${before%"$typed"}; before=${before%"${before##*[![:space:]]}"}; before=${before##*[[:space:]]}
	COMPREPLY=()
	if [ -z "$command" ] || [ "$command" = help ]; then
		mapfile -t words < <(compgen -W "$(_sonde_commands "$self") help $("$self" --list-opts 2>/dev/null)" -- "$typed")
		_sonde_reply "$typed" "${words[@]}"
		return
	fi
	verbs=$(_sonde_verbs "$self" "$command")
	for ((i++; i < COMP_CWORD; i++)); do
		[[ " ${verbs//$'\n'/ } " != *" ${COMP_WORDS[i]} "* ]] || { verb=${COMP_WORDS[i]}; break; }
	done
	case $before in
	-e | --event | --events)
		local done= last=$typed
		case $typed in *,*) done=${typed%,*}, last=${typed##*,} ;; esac
		mapfile -t words < <(compgen -P "$done" -W "$(_sonde_events "$self")" -- "$last")
		_sonde_reply "$typed" "${words[@]}"
		return ;;
	-u | --uid | --user)
		mapfile -t COMPREPLY < <(compgen -u -- "$typed"); return ;;
	-p | --pid | -t | --tid)
		mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$typed"); return ;;
	esac
	if [[ $typed == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$("$self" "$command" $verb --option-words 2>/dev/null)" -- "$typed")
		return
	fi
	case $command in
	list | tpoint)
		[ "$command" = tpoint ] || verbs='hw sw cache pmu tracepoint probe sdt subsys metric metricgroup'
		mapfile -t words < <(compgen -W "$verbs $(_sonde_events "$self")" -- "$typed")
		_sonde_reply "$typed" "${words[@]}"
		return ;;
	esac
	[ -z "$verb" ] || verbs=
	mapfile -t COMPREPLY < <(compgen -W "$verbs" -- "$typed"; compgen -c -- "$typed"; compgen -f -- "$typed")
}
complete -o default -F _sonde sonde
