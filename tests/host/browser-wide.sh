# SPDX-License-Identifier: GPL-2.0-or-later
# needs: tmux python3
# Names of wide characters, of accents and of control characters: the columns behind them stand where they do in other lines.
. "$TOP/tests/tmux.sh"
cat >named.py <<'P'
import ctypes, sys
ctypes.CDLL(None).prctl(15, sys.argv[1].encode(), 0, 0, 0)
x = 0
while x < 3000000: x += 1
P
names=(日本語 plain ünïcode $'a\t語')
"$SONDE" record -q -F 499 -e cpu-clock:u -g -o perf.data sh -c 'for n; do python3 named.py "$n"; done' sh "${names[@]}" 2>"$T/err" || skip "cannot record here: $(head -n 1 "$T/err")"
cp perf.data other.data
cat >aligned.py <<'P'
import re, sys, unicodedata
def columns(z): return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in z)
at = {}
for line in open("screen", encoding="utf-8"):
    name = re.search("日本語|plain|ünïcode|語", line)
    behind = re.search(r" (\[[.k]\]|lib\S+\.so\S*|python3\S*) ", line)
    if name and behind and "%" in line:
        at.setdefault(name.group(), set()).add(columns(line[:behind.start()]))
print(at)
sys.exit(len(at) < 3 or len(set.union(*at.values())) > 1)
P
terminal 110 40
line "'$SONDE' report --no-children -s comm,dso,sym"; shows '日本語'; shows 'ünïcode'; shows 'plain'
screen >screen; python3 aligned.py || { cat screen; fail "columns of report are not below each other"; }
press g; shows 'Flame view'; press q q; shows '^ready>'
tm send-keys C-l; line "'$SONDE' diff -s comm,dso,sym perf.data other.data"; shows '日本語'; shows 'ünïcode'; shows 'plain'
screen >screen; python3 aligned.py || { cat screen; fail "columns of diff are not below each other"; }
press q; shows '^ready>'
