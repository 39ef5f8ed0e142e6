# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 240
# needs: bpftrace
# The tools that come with Debian's bpftrace, as they are: sonde and bpftrace watch the same program (tests/prog/bt_work.c), and
# tell the same of it. Those that take kprobes need the guest.
# shellcheck disable=SC2154,SC2016
[ "$(id -u)" = 0 ] || skip "scripts are for root"
[ -e /usr/sbin/opensnoop.bt ] || skip "bpftrace's tools are not here"
# what they watch: the program, and then a while in which a CPU is busy and a second passes
printf '#!/bin/bash\n%q data\nend=$(($(date +%%s%%N) + 1200000000))\nwhile [ "$(date +%%s%%N)" -lt $end ]; do :; done\n' "$PROG/bt_work" >long
# beside TOOL WHAT [COMMAND]: WHAT, an awk program, takes of each what the program did
beside() {
	local tool=$1 what=$2 command="$PROG/bt_work data"
	[ $# -lt 3 ] || command="/bin/bash $PWD/$3"
	for _ in 1 2 3 4 5; do # it loses events on a busy machine
		timeout 100 bpftrace -c "$command" "/usr/sbin/$tool.bt" >theirs 2>their.err </dev/null || { cat theirs their.err; fail "bpftrace cannot do $tool.bt"; }
		grep -q '^Lost\|Lost [0-9]* events' theirs their.err || [ -z "$(awk "$what" theirs)" ] || break
	done
	run timeout 100 "$SONDE" run -c "$command" "/usr/sbin/$tool.bt"; ok
	awk "$what" theirs | sort -u >theirs.said; awk "$what" "$T/out" | sort -u >ours.said
	if grep -q 'Lost [0-9]* events' theirs their.err && [ ! -s theirs.said ]; then echo "bpftrace has lost it: $tool.bt is not compared"; return; fi
	[ -s theirs.said ] || { cat theirs their.err; fail "$tool.bt: bpftrace saw nothing"; }
	diff -u theirs.said ours.said || fail "$tool.bt: not as bpftrace"
}
beside opensnoop '/ bt_work / { $1 = ""; print }'
beside statsnoop '/ bt_work / { $1 = ""; print }'
beside syncsnoop '/ bt_work / { $1 = $2 = ""; print }'
beside killsnoop '/ bt_work / { $1 = $2 = $5 = ""; print }'
beside naptime '/ bt_work / { $1 = $2 = $3 = $4 = ""; print }'
beside setuids '/ bt_work / { $1 = $2 = ""; print }'
beside gethostlatency '/ bt_work / { $1 = $2 = $4 = ""; print }'
beside execsnoop '/bt_worker/ { $1 = $2 = ""; print }'
beside bitesize '/^@\[/ { mine = /^@\[bt_work\]/ } mine && /^\[8K, 16K\)/ { print $1, $2 }'
beside syscount '/^Top 10/ { print }'
beside pidpersec '/PIDs.sec: @: [1-9]/ { $1 = $4 = ""; print }' long
beside cpuwalk '/^@cpu:/ { print }' long
# What programs do that are not the command itself: bpftrace looks at all of them, sonde's probes in programs do without -c.
others() { # TOOL WHAT SCRIPT
	sed -i '1i exec >/dev/null' "$3"
	run timeout 100 bpftrace -c "/bin/bash $PWD/$3" "/usr/sbin/$1.bt"; ok; awk "$2" "$T/out" | sort -u >theirs.said
	"$SONDE" run -o seen "/usr/sbin/$1.bt" & local tool=$!
	await 'grep -qs Tracing seen'
	bash "$3"
	await "awk '$2' seen | sort -u | cmp -s - theirs.said"
	kill -INT $tool; wait $tool || fail "$1: exit code $?"
	[ -s theirs.said ] || fail "$1.bt: bpftrace saw nothing"
	rm seen
}
echo "echo 'echo a line for readline' | script -qec 'bash --norc -i' /dev/null" >line
others bashreadline '/a line for readline/ { $1 = $2 = ""; print }' line
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=sonde -days 9 2>req.log
port=$((20000 + $$ % 10000))
printf 'openssl s_server -accept %d -key key.pem -cert cert.pem -quiet </dev/null & server=$!\nuntil (echo one; sleep 0.3) | openssl s_client -connect 127.0.0.1:%d; do :; done\nkill $server\n' $port $port >ssl
others sslsnoop '$3 == "openssl" && $5 == 0 { print $3, $5 }' ssl
echo sync >flush
others writeback '$4 == "sync" { print $4 }' flush
# bpftrace wants the kernel's headers for these
run timeout 100 "$SONDE" run -c "/bin/bash $PWD/long" /usr/sbin/runqlat.bt; ok; has '^@usecs: $'; has '^\[.*\) +[1-9][0-9]* \|@'
