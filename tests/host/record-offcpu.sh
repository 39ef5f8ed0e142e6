# SPDX-License-Identifier: GPL-2.0-or-later
# record --off-cpu: how long threads waited, and where.
[ "$(id -u)" -eq 0 ] || skip "needs root"
# shellcheck source=tests/offcpu.sh
. "$TOP/tests/offcpu.sh"

# more stacks than there is room for: the time is all there, and it is said how many have none
run "$SONDE" record --off-cpu -o many.data "$PROG/waits" many; ok; cp "$T/out" said
err_has '^sonde: [0-9]+ waits have no stack: there were too many different ones'
read -r asked took < <(sed -n 's/^many //p' said)
got=$("$SONDE" script -i many.data -F event,period 2>/dev/null | awk '/offcpu-time/ { n += $1 } END { printf "%d", n }')
[ "$got" -ge $((asked / 2)) ] || fail "$got of $asked ns"

# a pipe; compressed
"$SONDE" record --off-cpu -o - sh -c "$PROG/waits >said" >piped.data 2>"$T/err" || fail "into a pipe"
"$SONDE" script -i - -F event,period <piped.data 2>/dev/null | grep offcpu-time >/dev/null || fail "nothing in the pipe"
run "$SONDE" record --off-cpu -z -o z.data "$PROG/waits"; ok; cp "$T/out" said; between z.data "${all[@]}"

# with -g the kernel's part is there as well, from where the thread left its CPU on; without it, or on request, it is not
frames() { "$SONDE" script -i "$1" --comms sleep -F event,ip,sym 2>/dev/null | awk '/offcpu-time/ { on = 1; next } !NF { on = 0 } on { print $2 }' | tr '\n' ' '; }
for how in -g --call-graph=dwarf; do
	run "$SONDE" record --off-cpu $how -o g.data sleep 0.1; ok
	[[ $(frames g.data) =~ ^__schedule' 'schedule' '.*do_nanosleep' '.*clock_nanosleep@ ]] || fail "$how: $(frames g.data)"
done
for how in '' '-g --user-callchains'; do
	# shellcheck disable=SC2086
	run "$SONDE" record --off-cpu $how -o g.data sleep 0.1; ok
	[[ $(frames g.data) =~ ^[a-z_]*nanosleep@ ]] || fail "$how: $(frames g.data)"
done

# what does not go
run "$SONDE" record --off-cpu --overwrite true; exits 129; err_has 'exclude each other'; err_has '^hint: '
run as_nobody "$SONDE" record --off-cpu -o /dev/null true; exits 255; err_has 'BPF|lent rights'; err_has '^hint: '
