# SPDX-License-Identifier: GPL-2.0-or-later
# Every command in poor surroundings: it works, or fails with one sentence and a hint; it never crashes or hangs.
# timeout: 170
cp "$SONDE" s; chmod 755 s; S=$PWD/s
chmod 777 .
bad=0
have() { "$S" | grep -q "^  $1 "; }
try() { # SURROUNDINGS, COMMAND WORDS...: in the present folder
	local where=$1 c=0; shift
	timeout -k 2 60 "$@" >"$T/o" 2>"$T/e" </dev/null || c=$?
	case $c in
	0) return ;;
	129) ;;
	255) grep -q '^hint: ' "$T/e" || { echo "$where: ${*: -4}: exit 255 without a hint:"; head -n 5 "$T/e"; bad=1; } ;;
	*) echo "$where: ${*: -4}: exit $c"; head -n 5 "$T/e"; bad=1 ;;
	esac
	grep -q '^sonde: ' "$T/e" || { echo "$where: ${*: -4}: exit $c without a sentence"; head -n 5 "$T/e"; bad=1; }
	[ "$(wc -l <"$T/e")" -le 25 ] || { echo "$where: ${*: -4}: $(wc -l <"$T/e") lines on standard error"; bad=1; }
}
all() { # SURROUNDINGS WRAPPER...
	local where=$1; shift
	have list && try "$where" "$@" "$S" list sched
	have stat && try "$where" "$@" "$S" stat true
	have stat && try "$where" "$@" "$S" stat -a -e sched:sched_switch true
	have record && try "$where" "$@" "$S" record -o "$T/perf.data" true
	have record && try "$where" "$@" "$S" record -a -o "$T/perf.data" true
	have trace && try "$where" "$@" "$S" trace -o "$T/trace" true
	have trace && try "$where" "$@" "$S" trace -a -o "$T/trace" true
	have probe && try "$where" "$@" "$S" probe -l
	have report && try "$where" "$@" "$S" report -i "$T/nosuch.data"
	rm -f "$T/perf.data" "$T/perf.data.old" "$T/trace"
}
all 'as nobody' runuser -u nobody --
all '16 descriptors' prlimit --nofile=16
all 'no locked memory, nobody' runuser -u nobody -- prlimit --memlock=0
all '300 MB of addresses' prlimit --as=300000000
all '256 kB stack' prlimit --stack=262144
all 'no environment' env -i
all 'files of 4 kB' prlimit --fsize=4096
if unshare --user --map-root-user --mount true 2>/dev/null; then
	all 'rootless container' unshare --user --map-root-user --mount
	all 'container of nobody' runuser -u nobody -- unshare --user --map-root-user --mount
fi
if unshare --mount true 2>/dev/null; then # not in a chroot
	# shellcheck disable=SC2016
	all 'no tracefs, nobody' unshare --mount bash -c 'umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug 2>/dev/null; exec runuser -u nobody -- "$@"' x
	# shellcheck disable=SC2016
	all 'no /sys' unshare --mount bash -c 'mount -t tmpfs none /sys; exec "$@"' x
	# shellcheck disable=SC2016
	all 'no /proc' unshare --mount bash -c 'mount -t tmpfs none /proc; exec "$@"' x
fi
# shellcheck disable=SC2016
all 'no capabilities' setpriv --bounding-set=-all --inh-caps=-all
# shellcheck disable=SC2016
all 'a folder that is gone' bash -c 'mkdir gone; cd gone; rmdir ../gone; exec "$@"' x
[ "$bad" = 0 ] || exit 1

# few open files: a soft limit is raised, a hard one told with its remedy
run bash -c 'ulimit -S -n 16; exec "$0" trace true' "$SONDE"; ok; err_has 'exited with 0'
for n in 8 16 24 32; do
	run bash -c "ulimit -n $n; exec '$SONDE' trace true"
	[ "$code" = 0 ] || { exits 255; err_has '^hint: at most .* ulimit -n 256'; }
done
