# SPDX-License-Identifier: GPL-2.0-or-later
# What tests of script and report share. They print as perf 6.12 does ($PERF612).

# perf has no name for some entries of a procedure linkage table: those are made alike first.
# Nor for BPF programs, which other tests may run meanwhile.
alike() { sed -E 's/ [^ ]*@plt([+ ]|$)/ @plt\1/; s/ bpf_prog_[^ ]* \(\[bpf\]\)/ [unknown] ([unknown])/; s/ bpf_prog_[^ ]*$/ [unknown]/'; }
# plt_alike: the same for reports, whose columns are as wide as the longest name.
plt_alike() { sed -E 's/[^ ]*@plt */@plt/; s/ +$//; s/  \.+$//'; }
# compare NAME OPTIONS...: script of NAME.data is what perf prints. MAYBE=1: that may be nothing.
compare() {
	local name=$1; shift
	[ -n "${PERF612-}" ] || perf612
	"$PERF612" script --no-inline "$@" -i "$name.data" 2>/dev/null | alike >want
	run "$SONDE" script --no-inline "$@" -i "$name.data"; ok
	alike <"$T/out" >got
	ended_alike want got
	[ -s want ] || [ -n "${MAYBE-}" ] || fail "perf prints nothing for $name $*"
	diff want got >differ || { : >"$T/out"; fail "script of $name $* differs from perf's: $(head -c 600 differ)"; }
}
# pids_of NAME: of the program that is recorded in NAME.data. Others on the machine may have any names, and binaries that are gone
# when the second reader looks for them.
pids_of() { "$SONDE" script -i "$1.data" -c profiled -F pid | sort -un | paste -sd, | tr -d ' '; }
# record_until CHECK RECORD...: records until the check holds, which others on this machine may spoil: more and more
# patiently, half a minute in all. After that it may not hold.
record_until() {
	local check=$1 pause; shift
	for pause in 0 0 0 0 0 0 0.1 0.2 0.3 0.4 0.5 1 1 1 2 2 2 3 4 5 6; do
		sleep $pause # for the others to come to an end
		"$@"
		! eval "$check" || break
	done
}
# none_lost FILE: there was room for every event.
none_lost() { "$SONDE" script -i "$1" --show-lost-events 2>/dev/null | { ! grep RECORD_LOST >/dev/null; }; }
# no_bpf FILE: no BPF program of another tracer is in the chains.
no_bpf() { "$SONDE" script --no-inline -i "$1" -F ip,sym 2>/dev/null | { ! grep 'bpf_prog_\|bpf_trampoline_' >/dev/null; }; }
# all_named FILE: no thread was born between perf's look around and the recording's start. Such a one has a number for
# a name, and when its name comes perf gives it to what was counted before.
all_named() { "$SONDE" script -i "$1" -F comm 2>/dev/null | { ! grep '^ *:[0-9]' >/dev/null; }; }
# cut_anywhere CMD...: r.data cut at any place gives CMD a sentence, never a crash. CMD reads cut.data.
cut_anywhere() {
	local part size
	size=$(stat -c %s r.data)
	for part in 1 9 60 150 $((size / 3)) $((size / 2)) $((size - 5)); do
		head -c "$part" r.data >cut.data
		run "$@"
		[ "$code" -eq 0 ] || [ "$code" -eq 255 ] || fail "cut at $part: exit code $code"
		[ "$code" -eq 0 ] || err_has '^sonde: '
	done
}
