# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 180
# needs: python3 curl
# The scripts that come with sonde, each beside something that it is to see. Those that take kprobes are tested in the guest.
# shellcheck disable=SC2154,SC2016
[ "$(id -u)" = 0 ] || skip "scripts are for root"
tools=$TOP/share/sonde/tools
tool() { local name=$1 command=$2; shift 2; run timeout 60 "$SONDE" run -q -c "$command" "$tools/$name.bt" "$@"; ok; }

# each has a line of help
for f in "$tools"/*.bt; do
	name=${f##*/}; name=${name%.bt}
	sed -n 2p "$f" | grep -Eq "^// $name( |:)" || fail "$f: its second line is no help"
done

cat >go <<'S'
#!/bin/sh
exec ls --version "$1"
S
chmod +x go
tool execsnoop './go "two words"'
has "^[0-9:.]+ +[0-9]+ +[0-9]+ +sonde +\./go two.words$"; has '^[0-9:.]+ +[0-9]+ +[0-9]+ +[^ ]+ +ls --version two.words$'
tool opensnoop 'sh -c "cat /etc/hosts absent; true"'
has '^[0-9]+ +cat +[0-9]+ +0 /etc/hosts$'; has '^[0-9]+ +cat +-1 +2 absent$'
tool opensnoop 'cat /etc/hosts' 1; hasnt ' /etc/hosts$'
tool statsnoop 'sh -c "stat absent /etc/hosts; true"'
has '^[0-9]+ +stat +2 absent$'; has '^[0-9]+ +stat +0 /etc/hosts$'
tool killsnoop 'sh -c "kill -USR1 99999999; kill -WINCH $$"'
has '^[0-9:]+ +[0-9]+ +sh +SIGUSR1 +99999999 +-3$'; has '^[0-9:]+ +[0-9]+ +sh +SIGWINCH +[0-9]+ +0$'
tool syscount 'dd if=/dev/zero of=/dev/null bs=1 count=100000'
has '^@calls\[write\]: [0-9]{6,}$'; has '^@programs\[dd\]: [0-9]{6,}$'; hasnt '^@seconds'
run timeout 60 "$SONDE" run -q "$tools/syscount.bt" 1; ok; has '^Top 10 programs:$'

# a second program has 10 threads' worth of waiting for a CPU that it shares
tool runqlat 'sh -c "for i in 1 2 3 4; do dd if=/dev/zero of=/dev/null bs=1 count=100000 & done; wait"'
has '^@usecs: $'; has '^\[.*\) +[1-9][0-9]* \|@'; hasnt '^@queued'
tool offcputime 'sleep 0.3'
# (the kernel calls the only tracer of a tracepoint straight, and several by way of __traceiter_...)
us=$(sed -nE 's/^sleep;.*clock_nanosleep.*;__schedule(;__traceiter_sched_switch)? ([0-9]+)$/\2/p' "$T/out" | sort -n | tail -n 1)
[ "${us:-0}" -ge 290000 ] || fail "sleep was away for ${us:-0} us"
if [ "$(df --output=source . | grep -c '^/dev/')" = 1 ]; then
	write='dd if=/dev/zero of=data bs=64k count=16 oflag=direct'
	tool biosnoop "$write"; has '^[0-9:.]+ dd +[0-9]+ +[0-9]+,[0-9]+ +W[A-Z]* +[0-9]+ +65536 +[0-9]+$'; hasnt '^@'
	tool biolatency "$write"; has '^@usecs: $'; hasnt '^@start'
fi
tool fileslower 'dd if=/dev/zero of=slow bs=1M count=64 oflag=dsync' 0
has '^[0-9:]+ +[0-9]+ +dd +write +1048576 +[0-9.]+ slow$'
tool funclatency "$PROG/generated 100" "$PROG/generated" pair_of
same "$(awk -F'|' '/^\[.*\|/ { split($1, w, " "); n += w[length(w)] } END { print n }' "$T/out")" 100; has '^@average: [0-9]+$'
tool funccount "$PROG/generated 100" "$PROG/generated" '*_*'
has '^@\[pair_of\]: 100$'; has '^@\[look_at\]: 100$'
tool gethostlatency 'getent ahosts localhost'; has '^[0-9:]+ +[0-9]+ +getent +[0-9]+\.[0-9]{2} localhost$'
cat >leak.c <<'C'
#include <stdlib.h>
void *volatile kept;
__attribute__((noinline)) void keeps(void) { kept = malloc(12345); __asm__ volatile(""); }
__attribute__((noinline)) void gives(void) { void *volatile p = malloc(54321); free(p); __asm__ volatile(""); }
int main(void) { keeps(); keeps(); gives(); return 0; }
C
gcc -O1 -fno-omit-frame-pointer -fno-builtin -o leak leak.c
tool memleak ./leak
has '^    keeps\+'; same "$(grep -c '^\]: 12345$' "$T/out")" 2; hasnt '^    gives\+'
# a line that is typed: bash on a terminal that script(1) gives it
printf 'echo typed here\nexit\n' >typed
"$SONDE" run -q -o lines "$tools/bashreadline.bt" & pid=$!
await 'ready $pid'
script -qc 'bash --norc -i' /dev/null <typed >/dev/null
await 'grep -q "echo typed here$" lines'
kill -INT $pid; wait $pid || fail "bashreadline ends with $?"

# TCP: one connection that is taken, one that is refused
cat >talk.py <<'P'
import socket
s = socket.create_server(("127.0.0.1", 0))
c = socket.create_connection(s.getsockname())
a, _ = s.accept()
c.close(); a.close()
with open("port", "w") as f:
    f.write(str(s.getsockname()[1]))
s.close()
P
for name in tcpconnect tcpaccept tcplife; do
	tool $name 'python3 talk.py'
	port=$(cat port)
	case $name in
	tcpconnect) has "^[0-9:]+ +[0-9]+ +python3 +127.0.0.1 +127.0.0.1 +$port$" ;;
	tcpaccept) has "^[0-9:]+ +127.0.0.1 +[0-9]+ +127.0.0.1 +$port$" ;;
	tcplife) has "^[0-9:]+ +[0-9]+ +python3 +127.0.0.1 +[0-9]+ +127.0.0.1 +$port +[0-9]+$" ;;
	esac
	hasnt '^@'
done
after 'grep -q "[0-9]\.[0-9]" "$T/out"' INT "$SONDE" run -q "$tools/loads.bt"; ok; has '^[0-9:]+ [0-9]+\.[0-9]+ [0-9]+\.[0-9]+ [0-9]+\.[0-9]+ '
