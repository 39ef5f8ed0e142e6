# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests of SystemTap's example scripts: sourced. $dir is their folder; here is where they run, beside build/prog/busybody.
#
#   watched SCRIPT WORDS PATTERN...
#
# The script, with these words behind it, runs while busybody does, and each extended regular expression has to be in a line of
# what it prints (in colours or not). $at_once of them run at once, for at most $most seconds each; `all_watched` waits for the last.
# What lacked something, on a machine that was busy with other things, is run again by itself for longer, before it counts in $lacking.
here=$PWD lacking=0 at_once=3 most=40
mkdir results
cp "$(type -P sleep)" napper
busy=()
busy_begin() { rm -f stop; "$PROG/busybody" & busy+=($!); }
busy_end() { : >stop; wait "${busy[@]}" 2>/dev/null || true; }

# one NAME FOLDER SCRIPT WORDS PATTERN...: in results/NAME what it lacks
one() {
	local name=$1 folder=$2 script=$3 words=$4 pattern code=0; shift 4
	(cd "$folder" && eval "timeout -k 5 $((most * PATIENCE)) \"$SONDE\" run $script $words") >"results/$name.out" 2>"results/$name.err" </dev/null || code=$?
	[ "$code" = 0 ] || echo "$script ended with $code: $(head -c 300 "results/$name.err")" >>"results/$name"
	for pattern; do
		cat "results/$name.out" "results/$name.err" | sed 's/\x1b\[[0-9;]*[a-zA-Z]//g' | grep -Eae "$pattern" >/dev/null ||
			echo "$script has no line like '$pattern' but $(wc -l <"results/$name.out") others: $(head -n 4 "results/$name.out")" >>"results/$name"
	done
}
declare -A call_of
watched() {
	local script=$1; shift
	while [ "$(jobs -rp | grep -vxF -f <(printf '%s\n' "${busy[@]}") | wc -l)" -ge "$at_once" ]; do wait -n || true; done
	echo "$script" >>results/all
	call_of[$script]=$(printf '%q ' "$@")
	one "${script//\//_}" "$dir/${script%/*}" "${script##*/}" "$@" &
}
longer() { # SCRIPT TIMES: with so many times the seconds of its -T
	local script=$1 words; eval "set -- $2 ${call_of[$script]}"
	words=$2
	[[ ! $words =~ ^(.*-T\ )([0-9]+)(.*)$ ]] || words=${BASH_REMATCH[1]}$((BASH_REMATCH[2] * $1))${BASH_REMATCH[3]}
	rm "results/${script//\//_}"
	most=$((most * $1)) one "${script//\//_}" "$dir/${script%/*}" "${script##*/}" "$words" "${@:3}"
}
all_watched() {
	local f times
	while [ "$(jobs -rp | grep -vxF -f <(printf '%s\n' "${busy[@]}") | wc -l)" -ge 1 ]; do wait -n || true; done
	while read -r f; do
		for times in 2 5; do
			[ ! -e "results/${f//\//_}" ] || longer "$f" $times
		done
		[ ! -e "results/${f//\//_}" ] || { cat "results/${f//\//_}"; lacking=$((lacking + 1)); }
	done <results/all
	echo "$(wc -l <results/all) scripts watched, $lacking lack something"
}
