# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3
# On a real terminal: Ctrl-C ends the command and sonde, with the page; colour; list goes through the pager.
cat >onterm.py <<'P'
# onterm.py TEXT KEY CMD...: runs CMD on a terminal of its own, types KEY once TEXT has appeared (and the process catches
# SIGINT), prints what it wrote and the exit status. A child left in its session afterwards is told.
import os, pty, re, select, sys, time
text, key, cmd = sys.argv[1].encode(), sys.argv[2].encode(), sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(cmd[0], cmd)
out, typed, start = b"", not key, time.time()
def armed():
    m = re.search(r"SigCgt:\s*(\w+)", open(f"/proc/{pid}/status").read())
    return int(m[1], 16) >> 1 & 1
while time.time() - start < 60:
    if select.select([fd], [], [], 0.05)[0]:
        try: d = os.read(fd, 65536)
        except OSError: break
        if not d: break
        out += d
    if not typed and text in out and (key != b"\x03" or armed()):
        typed = True
        os.write(fd, key)
else:
    print("still running after 60 s")
    os.kill(pid, 9)
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.write(out.decode("utf-8", "replace").replace("\r\n", "\n"))
for p in filter(str.isdigit, os.listdir("/proc")):
    try: f = open(f"/proc/{p}/stat").read().rsplit(")", 1)[1].split()
    except OSError: continue
    if int(f[3]) == pid and f[0] != "Z": print(f"left behind: {p}", open(f"/proc/{p}/cmdline").read())
print(f"exit status {code if code >= 0 else 128 - code}") # as a shell has it
P
tty() { run python3 onterm.py "$@"; ok; hasnt 'still running|left behind'; }
export TERM=xterm; unset NO_COLOR # whatever the caller has
c=$'\x03'
# the command says when it has started: everything is armed by then. (Not a shell: dash lets a Ctrl-C pass that comes
# between its vfork and the exec.)
printf '%s\n' 'import signal, sys, time' 'signal.signal(signal.SIGINT, signal.SIG_DFL)' 'print("started", flush=True)' 'time.sleep(50)' >wait.py
tty started "$c" "$SONDE" stat -e task-clock python3 wait.py; has 'msec task-clock'; has '^exit status 130$'
tty started "$c" "$SONDE" stat -a -e cs python3 wait.py; has ' cs'; has '^exit status 130$'
tty started "$c" "$SONDE" stat -r 5 -e cs python3 wait.py; has '^exit status 130$'; has ' cs'
# a command that handles it has the last word
tty started "$c" "$SONDE" stat -e cs bash -c 'trap "echo handled; exit 4" INT; echo started; read -r -t 50 _'; has handled; has '^exit status 4$'; has ' cs'
tty started "$c" "$SONDE" trace python3 wait.py; has 'SIGINT'; has '^exit status 130$'
tty started "$c" "$SONDE" record -o r.data python3 wait.py; has '^exit status 130$'; [ -s r.data ] || fail "no recording"
# without a command: until Ctrl-C, and that is success
tty time "$c" "$SONDE" stat -I 50 -e cs -a; has ' cs'; has '^exit status 0$'
# no Ctrl-C: the whole machine, nothing else
tty '' '' "$SONDE" stat -e cs true; has '^exit status 0$'
# colour only on a terminal, and NO_COLOR keeps it away
esc=$'\x1b'
tty '' '' "$SONDE" stat -e cycles,task-clock true
grep -q '<not supported>' "$T/out" && has "${esc}\\["
tty '' '' env NO_COLOR=1 "$SONDE" stat -e cycles,task-clock true; hasnt "${esc}\\["
run "$SONDE" stat -e cycles,task-clock true; err_hasnt "${esc}\\["
# the pager
tty '' '' env PAGER='sed s/^/paged:/' "$SONDE" list sw; has '^paged:.*page-faults'
tty '' '' env PAGER='nosuchpager -x' "$SONDE" list sw; has 'page-faults'
tty '' '' env PAGER='cat=cat; $cat' "$SONDE" list sw; has 'page-faults'
run env PAGER='sed s/^/paged:/' "$SONDE" list sw; ok; hasnt paged; has page-faults
tty 'page-faults' q env -u PAGER LESS= "$SONDE" list sw; has '^exit status 0$|exit status 0$'
