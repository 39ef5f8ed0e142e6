# SPDX-License-Identifier: GPL-2.0-or-later
# needs: tmux
# However the browser ends, the terminal is the shell's again: its modes, its screen, no mouse. Ctrl-Z and fg.
. "$TOP/tests/tmux.sh"
"$SONDE" record -q -F 1999 -e cpu-clock:u -o perf.data "$PROG/profiled" 100 2>"$T/err" || skip "cannot record here: $(head -n 1 "$T/err")"
terminal 100 20
line 'stty -g; tty'; shows '^/dev/pts'; modes=$(screen | grep -m 1 :)
# usable: what is typed is seen, on the shell's own screen; nothing of the browser's is left
usable() {
	shows '^ready> *$'; tm display -p '#{alternate_on} #{mouse_any_flag} #{cursor_flag}' >state; same "$(cat state)" '0 0 1' "$1: alternate screen, mouse, cursor"
	line 'clear; stty -g'; shows '^[0-9a-f:]+$'; same "$(screen | grep -m 1 -E '^[0-9a-f]+:')" "$modes" "$1: modes"
	line 'echo its $((6*7))'; shows '^its 42$'
}
browse() { line 'clear'; line "'$SONDE' report"; shows '^Samples:'; }
sonde_of() { pgrep -x -P "$(tm display -p '#{pane_pid}')" sonde; }
for signal in KILL SEGV TERM HUP; do
	browse; await '[ "$(tm display -p "#{alternate_on}#{mouse_any_flag}")" = 11 ]'; sonde=$(sonde_of)
	kill -$signal "$sonde"; await "! kill -0 $sonde 2>/dev/null"; await '[ "$(tm display -p "#{alternate_on}")" = 0 ]'; tm send-keys Enter; usable "$signal"
done
browse; press q; usable q
browse; press C-c; usable Ctrl-C
# Ctrl-Z, whoever sends it, and back
for how in key signal; do
	browse; press d; shows 'only file'; sonde=$(sonde_of)
	if [ $how = key ]; then press C-z; else kill -TSTP "$sonde"; fi
	shows 'Stopped'; tm send-keys Enter; usable "Ctrl-Z by $how"
	line fg; shows 'only file'; await '[ "$(tm display -p "#{alternate_on}#{mouse_any_flag}")" = 11 ]'; press d; gone 'only file'; press q; usable "fg after a $how"
done
# no guardian is left
await '! pgrep -x sonde-guard -P 1 >/dev/null'
