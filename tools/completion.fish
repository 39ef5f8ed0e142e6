# SPDX-License-Identifier: GPL-2.0-or-later
# fish completion for sonde. Words come from sonde itself: commands from its table, verbs (`sonde ftrace record`) from each
# command's usage, options from its table (`sonde CMD [VERB] --option-words`), events from `sonde list`.

# Event names, kept for a minute: a list of two thousand is read from the kernel each time.
function __sonde_events --argument-names self
	set -l now (date +%s)
	if not set -q __sonde_event_list[1]; or test (math $now - $__sonde_event_time) -gt 60
		set -g __sonde_event_time $now
		set -g __sonde_event_list ($self list --no-desc 2>/dev/null | awk '!/\[Metric/ {
			for (i = 1; i <= NF; i += 2) { # NAME OR NAME [Kind]
				if ($i ~ /^[a-zA-Z0-9_\/-]+(:[a-zA-Z0-9_]+)?$/) print $i
				if ($(i + 1) != "OR") break
			}
		}')
	end
	printf '%s\n' $__sonde_event_list
end

function __sonde_verbs --argument-names self command
	$self $command -h 2>/dev/null | string replace -rf "^(?:usage|   or): sonde $command (?:\\[[^]]*\\] )*([a-z][a-z-]*)(?: .*)?\$" '$1'
end

# What stands before the last comma of the typed word.
function __sonde_before_comma --argument-names typed
	string match -rq '^(?<list>.*,)' -- $typed; and printf '%s' $list
end

function __sonde_complete
	set -l before (commandline -opc)
	set -l typed (commandline -ct)
	set -l self $before[1]
	set -l command
	set -l takes
	for word in $before[2..-1]
		if test -n "$takes" # the value of the option before it
			set takes
			continue
		end
		contains -- $word --buildid-dir --debug --debug-file; and set takes yes
		string match -q -- '-*' $word; or set command $word
		test -n "$command"; and break
	end
	if test -z "$command"; or test "$command" = help
		$self 2>/dev/null | string replace -rf '^  ([a-z][a-z0-9-]*) +(.*)' '$1\t$2'
		test -n "$command"; or printf '%s\n' help\t'tell more about a command' (string split -n ' ' -- ($self --list-opts 2>/dev/null))
		return
	end
	set -l verbs (__sonde_verbs $self $command)
	set -l verb
	for word in $before[2..-1]
		if contains -- $word $verbs
			set verb $word
			break
		end
	end
	set -l list (__sonde_before_comma $typed)
	switch $before[-1]
		case -e --event --events
			__sonde_events $self | string replace -r '^' "$list"
			return
		case -u --uid --user
			__fish_complete_users
			return
		case -p --pid -t --tid
			__fish_complete_pids | string replace -r '^' "$list"
			return
	end
	switch $typed
		case '-*'
			$self $command $verb --option-words 2>/dev/null
			return
	end
	switch $command
		case list
			printf '%s\n' hw sw cache pmu tracepoint probe sdt subsys metric metricgroup
			__sonde_events $self
			return
		case tpoint
			__sonde_events $self
			return
	end
	test -n "$verb"; or printf '%s\n' $verbs
	__fish_complete_path $typed
	complete -C "$typed" # as the first word of a command line
end
complete -c sonde -f -a '(__sonde_complete)'
