# SPDX-License-Identifier: GPL-2.0-or-later
# Every option of perf record is either done or refused with a sentence and a hint.
# needs: perf
perf612
[ "$(id -u)" -eq 0 ] || skip "needs root"
"$SONDE" record --option-words | sort >known
{ perf record -h 2>&1 || true; } | sed -nE 's/^ +(-[a-zA-Z], )?(--[a-z-]+).*/\2/p; s/^ +(-[a-zA-Z])[, ].*/\1/p' | sort -u >wanted
[ "$(wc -l <wanted)" -gt 60 ] || fail "perf record -h lists only $(wc -l <wanted) options"
run comm -23 wanted known; same "$out" "" "options of perf that sonde does not know"

rec() { run "$SONDE" record -o r.data "$@"; }
# refused
for o in '--kcore -o -' -S --snapshot=e --aux-sample '--switch-output-event nosuch' '--clang-path x' '--clang-opt x' '-m 16,16' '-m 0' -IZZ \
	--user-regs=eax '-D x' '-D 20-10' '-D 5,6' '-D 10-20,15-30' '--control x' '--control fd:77' '--control fifo:/nosuch' '--control fd:1,2,3' \
	'--synth x' '-z 99' '-k nosuch' '--max-size 5' '--switch-output=5x' '-F 0' '-c 0' '-j any,xx'; do
	# shellcheck disable=SC2086
	rec $o true; exits 129; err_has '^sonde: '; err_has '^hint: '
	[ ! -e r.data ] || fail "$o: recorded nevertheless"
done
# taken, as they change nothing
for o in -T -P -N --buildid-all --sample-identifier --timestamp-boundary --tail-synthesize '--proc-map-timeout 5' --aio --aio=3 \
	'--affinity node' '--mmap-flush 4K' --threads --threads=cpu '--num-thread-synthesize 2' '--vmlinux x' --debuginfod --strict-freq -i \
	--per-thread -B --no-buffering --no-bpf-event '-r 1' '-D 0' '-D 1-5,8-9' '-k mono' '-k CLOCK_REALTIME' '-k 7'; do
	# shellcheck disable=SC2086
	rec -e cpu-clock $o -- sh -c 'exit 3'; exits 3; err_hasnt '^sonde: .*(cannot|unknown)'
done
# what changes the records: both tools read them
for o in -W --transaction --phys-data --data-page-size --code-page-size --sample-cpu --all-user --all-kernel '-g --user-callchains' --switch-events \
	--namespaces --all-cgroups -n '--synth cgroup' '--synth all' --group -s -d -R; do
	# shellcheck disable=SC2086
	rec -e cpu-clock -e page-faults $o -- sh -c 'exit 3'; exits 3; err_hasnt '^sonde: .*(cannot|unknown)'
	run "$PERF612" script -i r.data -F comm,tid,time,event,ip; ok; mv "$T/out" by-perf
	run "$SONDE" script -i r.data -F comm,tid,time,event,ip; ok; cmp "$T/out" by-perf || fail "$o: perf reads it otherwise"
done
rec -v --threads true; ok; err_has 'threads changes nothing: one thread'
rm -f r.data; rec --dry-run true; ok; [ ! -e r.data ] || fail "a dry run recorded"
rec --dry-run -e nosuchevent true; [ "$code" -ne 0 ] || fail "a dry run took any event"

# registers
run "$SONDE" record '-I?'; ok; has '^available registers: AX BX '
work=(dd if=/dev/zero of=/dev/null bs=1 count=100k)
rec -e cpu-clock -F 999 -IAX,ip --user-regs=sp "${work[@]}"; ok
run "$SONDE" script -i r.data -F comm,ip,iregs,uregs; ok; has 'ABI:2 +AX:0x[0-9a-f]+ +IP:0x'; has 'SP:0x7f'; hasnt 'BX:'
same "$out" "$("$PERF612" script -i r.data -F comm,ip,iregs,uregs 2>/dev/null)" "perf shows other registers"
# names only, or nothing of what was there before
sleep 1000 & PID=$!
await "asleep $PID"
trap 'kill $PID' EXIT
maps() { "$SONDE" script -i r.data --show-mmap-events --show-task-events 2>/dev/null | grep -c "PERF_RECORD_$1.*[ :]$PID/" || true; }
rec -F 99 -e cpu-clock --synth mmap -p $PID sleep 0.1; ok; [ "$(maps MMAP2)" -gt 3 ] || fail "no maps"; [ "$(maps COMM)" -eq 1 ] || fail "no name"
rec -F 99 -e cpu-clock --synth task -p $PID sleep 0.1; ok; same "$(maps MMAP2)" 0 "maps, with names only"; [ "$(maps COMM)" -eq 1 ] || fail "no name"
rec -F 99 -e cpu-clock --synth no -p $PID sleep 0.1; ok; same "$(maps MMAP2) $(maps COMM)" "0 0" "nothing was asked for"
# a group read with each sample
rec -e '{task-clock,page-faults}:S' --running-time "${work[@]}"; ok
"$PERF612" report -i r.data -D >dump 2>/dev/null; grep -q 'time enabled' dump || fail "no times"
