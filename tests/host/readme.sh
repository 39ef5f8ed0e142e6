# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3
# The README's examples of stat, list and doctor do print what it shows, numbers apart; README names every command and
# both of the two commands.
[ "$(id -u)" = 0 ] || skip "the examples are root's"
[ -d /sys/kernel/tracing/events/syscalls ] || skip "no syscall tracepoints"
cat >readme.py <<'P'
import os, re, subprocess, sys
def blank(line): return re.sub(r" +", " ", re.sub(r"[0-9]+", "9", line)).rstrip()
text = open(sys.argv[1]).read()
tried = 0
for block in re.findall(r"^```\n(.*?)^```$", text, re.S | re.M):
    for part in re.split(r"^(?=\$ )", block, flags=re.M):
        cmd, _, shown = part.partition("\n")
        if not re.match(r"\$ sonde (stat|list|doctor)\b", cmd): continue
        run = cmd[2:].split("  #")[0]
        if "as an ordinary user" in cmd:
            if open("/proc/sys/kernel/perf_event_paranoid").read().strip() != "2": continue
            run = f"runuser -u nobody -- {run}"
        got = subprocess.run(["bash", "-c", run], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        lines = [blank(x) for x in got.stdout.splitlines()]
        want = [blank(x) for x in shown.rstrip("\n").splitlines()]
        if [x for x in lines if x] != [x for x in want if x]:
            sys.exit(f"{cmd}\n--- README\n{shown}--- now\n{got.stdout}")
        tried += 1
print(tried, "examples hold")
if tried < 4: sys.exit("too few examples")
P
mkdir bin; ln -s "$SONDE" bin/sonde; export PATH=$PWD/bin:$PATH
run python3 readme.py "$TOP/README.md"; ok
for c in $("$SONDE" | sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do grep -q "\`.*$c" "$TOP/README.md" || fail "README does not name $c"; done
grep -q '^make run ' "$TOP/README.md"; grep -q '^make check ' "$TOP/README.md"
