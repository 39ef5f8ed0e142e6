# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 560
# needs: qemu-system-x86_64 curl bpftrace
# The tools that come with Debian's bpftrace and have probes in the kernel, as they are: sonde and bpftrace, one after the other,
# in the guest, under a program that gives them something to see (tests/prog/bt_kernel.c).
# shellcheck disable=SC2154,SC2016
[ -e /usr/sbin/tcplife.bt ] || skip "bpftrace's tools are not here"
cat >job <<'J'
# beside TOOL WHAT COMMAND...: WHAT, an awk program, takes of each what the program did
beside() {
	local tool=$1 what=$2; shift 2
	timeout 300 bpftrace -c "$*" "/usr/sbin/$tool.bt" >theirs 2>their.err </dev/null || { echo "$tool: bpftrace cannot do it"; cat their.err; return; }
	timeout 300 sonde run -c "$*" "/usr/sbin/$tool.bt" >ours 2>our.err </dev/null || { echo "$tool: sonde cannot do it"; cat our.err; return; }
	awk "$what" theirs | sort -u >theirs.said; awk "$what" ours | sort -u >ours.said
	[ -s theirs.said ] || { echo "$tool: bpftrace saw nothing"; cat theirs; return; }
	if diff theirs.said ours.said; then echo "$tool: the same"; else echo "$tool: not the same"; fi
}
busybox ifconfig lo up
modprobe dummy numdummies=2
busybox ifconfig dummy0 10.9.9.1 netmask 255.255.255.0 up # nobody answers,
busybox ip link set dummy1 arp on; busybox ifconfig dummy1 10.9.8.1 netmask 255.255.255.0 up # nor says that he is there
modprobe brd rd_size=40960 rd_nr=1; busybox mkswap /dev/ram0 >mkswap.log; busybox swapon /dev/ram0
mkdir groups; mount -t cgroup2 none groups; echo +memory >groups/cgroup.subtree_control; mkdir groups/bt; echo 8M >groups/bt/memory.max
group=$PWD/groups/bt/cgroup.procs work=$PROG/bt_kernel
beside dcsnoop '/ bt_kernel / && /bt_folder|absent/ { $1 = $2 = ""; print }' $work names
beside capable '/ bt_kernel / && /KILL|CHOWN|SETUID/ { sub(/^.* bt_kernel/, ""); print }' $work rights # lines of two CPUs may be mixed
beside tcpconnect '/ bt_kernel / { sub(/^.* bt_kernel/, ""); print $1, $3 }' $work tcp
beside tcpaccept '/ bt_kernel / { sub(/^.* bt_kernel/, ""); print $1, $3, $5 }' $work tcp
beside tcplife '/ bt_kernel / { print $2, $3, $5, $7, $8 }' $work tcp
beside tcpsynbl '/^@backlog|^\[/ { print }' $work tcp
sonde run -c "$work unreachable 10.9.8.2" /usr/sbin/tcpdrop.bt 2>err | awk '/10\.9\.8\.2:4242 *SYN_SENT/ { print "tcpdrop: as it should be"; exit }' # bpftrace wants the kernel's headers
beside tcpretrans '/10\.9\.9\.2/ { sub(/:.*/, "", $3); print $3, $(NF - 1), $NF }' $work retransmit 10.9.9.2
beside undump '/ bt_kernel / { sub(/^.* bt_kernel +[0-9]+/, ""); print }' $work unix
beside vfscount '/^@\[vfs_(mkdir|rmdir|symlink|rename|unlink|create)\]/ { print }' $work names
for seconds in 2 8 30; do # it prints, and forgets, once a second
	beside vfsstat '/^@\[vfs_create\]/ { print }' $work slow_names $seconds >said
	! grep -q 'the same$' said || break
done
cat said
beside swapin '/^@\[bt_kernel,/ { print "read" }' $work swap "$group"
busybox swapoff /dev/ram0
beside oomkill '/Triggered/ { sub(/PID [0-9]+/, "PID"); sub(/PID [0-9]+/, "PID"); sub(/,? loadavg.*/, ""); $1 = ""; print }' $work oom "$group"
J
files=(-f /usr/bin/bpftrace)
for header in $(gcc -M -x c - <<<$'#include <sys/socket.h>\n#include <linux/types.h>' | tr ' ' '\n' | grep '^/usr/include/'); do files+=(-f "$header"); done # what these tools include
for tool in /usr/sbin/*.bt; do files+=(-f "$tool"); done
run timeout -k 5 $((540 * ${PATIENCE:-1})) "$TOP/tests/guest/shell" -m dummy -m brd "${files[@]}" -t $((530 * ${PATIENCE:-1})) "$(cat job)"
[ "$code" != 77 ] || skip "no guest: $err"
cat "$T/out"
ok; same "$(grep -c ': the same$' "$T/out")" 12 "tools that tell the same"; has '^tcpdrop: as it should be$'
