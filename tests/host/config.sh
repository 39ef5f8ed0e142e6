# SPDX-License-Identifier: GPL-2.0-or-later
# Settings in perf's files: shown, set, heeded; and the options before the command.
export HOME=$PWD/home; mkdir home; unset PERF_CONFIG
run "$SONDE" config; ok; same "$out" ''
printf '# mine\n[report]\n\tchildren = true # yes\n\n[a "b"]\n\tc = "x # y"\n; end\n' >home/.perfconfig
run "$SONDE" config report.children=false hist.percentage=absolute report.percent-limit=3; ok
same "$(cat home/.perfconfig)" $'# mine\n[report]\n\tchildren = false\n\n\tpercent-limit = 3\n[a "b"]\n\tc = "x # y"\n; end\n[hist]\n\tpercentage = absolute'
run "$SONDE" config -l; ok; same "$out" $'report.children=false\nreport.percent-limit=3\na.b.c=x # y\nhist.percentage=absolute'
run "$SONDE" config --user report.children; ok; same "$out" report.children=false
run "$SONDE" config -v a.b.c; ok; has 'does not heed it'
run "$SONDE" config x; exits 255; err_has 'no section'; run "$SONDE" config report.children=; exits 255; err_has 'no value'
run "$SONDE" config --user --system -l; exits 129; run "$SONDE" config -l report.children; exits 129
if command -v perf >/dev/null; then same "$(perf config -l | sort)" "$("$SONDE" config -l | sort)" "as perf reads it"; fi
printf 'nonsense here\n' >bad; PERF_CONFIG=bad run "$SONDE" config -l; exits 255; err_has 'line 1 of bad'; err_has '^hint: '
PERF_CONFIG=bad run "$SONDE" evlist -i nosuch; exits 255; err_has 'line 1 of bad .*left out'
mkfifo pipe; PERF_CONFIG=pipe run timeout 20 "$SONDE" config -l; exits 255
head -c 3000 /dev/urandom >bad; PERF_CONFIG=bad run "$SONDE" config -l; [ "$code" = 0 ] || exits 255
# heeded, and what is typed wins
"$SONDE" record -q -e cpu-clock -g -o r.data sh -c 'while [ $((i += 1)) -lt 90000 ]; do :; done'
rm home/.perfconfig; run "$SONDE" report --stdio -i r.data; ok; has 'Children +Self'
"$SONDE" config report.children=false; run "$SONDE" report --stdio -i r.data; ok; hasnt 'Children +Self'
run "$SONDE" report --stdio --children -i r.data; ok; has 'Children +Self'
"$SONDE" config report.children=perhaps; run "$SONDE" report --stdio -i r.data; ok; err_has 'neither true nor false'; rm home/.perfconfig
"$SONDE" config call-graph.record-mode=dwarf,4096; "$SONDE" record -q -e cpu-clock -g -o g.data true; "$SONDE" evlist -v -i g.data | grep -q 'sample_stack_user: 4096' || fail "record-mode is not heeded"
"$SONDE" record -q -e cpu-clock -g fp -o g.data true; ! "$SONDE" evlist -v -i g.data | grep -q sample_stack_user || fail "the typed method does not win"
# every key that stands for an option goes with the commands
for kv in trace.no_inherit=true record.build-id=mmap record.build-id=skip report.sort_order=comm report.percent-limit=5 hist.percentage=absolute \
	report.group=false report.skip-empty=false stat.big-num=false; do
	rm -f home/.perfconfig; "$SONDE" config $kv
	run "$SONDE" record -q -e cpu-clock -o k.data true; ok; run "$SONDE" report -i r.data --stdio; ok; run "$SONDE" stat -e cs true; ok
	run "$SONDE" trace -o /dev/null true; ok; run "$SONDE" trace record -o t.data true; ok; run "$SONDE" stat record -o s.data -e cs true; ok
done
"$SONDE" config stat.no-csv-summary=true; run "$SONDE" stat -x, -I 1000 --summary -e cs true; ok; err_hasnt '^summary'
"$SONDE" config buildid.dir="$PWD/ids"; "$SONDE" buildid-cache -a /bin/true; [ -d ids/.build-id ] || fail "buildid.dir is not heeded"
"$SONDE" --buildid-dir "$PWD/other" buildid-cache -a /bin/true; [ -d other/.build-id ] || fail "--buildid-dir is not heeded"
[ ! -e home/.debug ] || fail "it went to ~/.debug"
if [ "$(id -u)" = 0 ]; then
	chown nobody home/.perfconfig; run "$SONDE" config -l; exits 255; err_has 'belongs neither to you nor to root'; rm home/.perfconfig
fi
# a link of one's own is read and written through; the mode stays
printf '[report]\n\tchildren = true\n' >real; chmod 640 real; rm -f home/.perfconfig; ln -s "$PWD/real" home/.perfconfig
run "$SONDE" config report.children; ok; same "$out" report.children=true
run "$SONDE" config report.children=false; ok; [ -L home/.perfconfig ] || fail "the link is gone"
same "$(cat real)" $'[report]\n\tchildren = false'; same "$(stat -c %a real)" 640 "the mode"
rm real; run "$SONDE" config report.children=false; exits 255; err_has 'leads nowhere'; [ -L home/.perfconfig ] || fail "the link is gone"; rm home/.perfconfig
PERF_CONFIG=x run "$SONDE" config --system report.children=false; exits 255; err_has 'PERF_CONFIG is set'; err_hasnt HOME; err_has '^hint: '
if [ "$(id -u)" = 0 ]; then # everyone's is for everyone to read
	cat >system.sh <<'E'
mount -t tmpfs none /mnt && mkdir /mnt/up /mnt/work && mount -t overlay none -o lowerdir=/etc,upperdir=/mnt/up,workdir=/mnt/work /etc || exit 77
rm -f /etc/perfconfig
"$SONDE" config --system report.children=false && stat -c %a /etc/perfconfig
chmod 604 /etc/perfconfig; "$SONDE" config --system report.children=true && stat -c %a /etc/perfconfig
E
	run unshare -m sh system.sh; [ "$code" = 77 ] || same "$out" $'644\n604' "modes of /etc/perfconfig"
fi
mkdir -p d/.perfconfig; HOME=$PWD/d run "$SONDE" list sw; ok; err_hasnt '^hint: *$'
# before the command
run "$SONDE" --debug verbose=1 --debug-file told stat -x, -e cs true; ok; grep -q '^cs: [0-9]' told || fail "nothing in the debug file"; err_hasnt '^cs: '
run "$SONDE" --debug verbose stat -x, -e cs true; ok; err_has '^cs: '
run "$SONDE" --debug nosuch=1 list sw; exits 129; err_has "no variable 'nosuch'"; run "$SONDE" --debug verbose=99 list sw; exits 129
run "$SONDE" --list-cmds; ok; has 'trace .*version'; run "$SONDE" --list-opts; ok; has '^--version .*--no-pager'
for o in --exec-path --html-path '--debugfs-dir /x'; do
	# shellcheck disable=SC2086
	run "$SONDE" $o list; exits 129; err_has '^hint: '
done
run "$SONDE" --nosuch list; exits 129; run "$SONDE" -v; ok; has '^sonde [0-9]'; run "$SONDE" -vv; ok; has 'libelf: '
run "$SONDE" --no-pager; ok; has '^usage:'
if command -v script >/dev/null; then # on a terminal: with the pager, without, and all of it
	export SONDE_PAGER="sed s/^/paged:/" TERM=dumb
	run script -qec "'$SONDE' list sw" /dev/null; ok; has '^paged:.*cpu-clock'
	run script -qec "'$SONDE' --no-pager list sw" /dev/null; ok; hasnt paged; has cpu-clock
	run script -qec "'$SONDE' -p version --build-options" /dev/null; ok; has '^paged: .*libelf'
	unset SONDE_PAGER; "$SONDE" config pager.list=false; PAGER="sed s/^/paged:/" run script -qec "'$SONDE' list sw" /dev/null; ok; hasnt paged
	"$SONDE" config 'pager.list=sed s/^/other:/'; run script -qec "'$SONDE' list sw" /dev/null; ok; has '^other:'
fi
