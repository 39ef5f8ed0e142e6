# SPDX-License-Identifier: GPL-2.0-or-later
# Output in a folder that others may write to: never by way of their links, never into their files; what root writes is 0600.
# needs: setpriv
[ "$(id -u)" = 0 ] || skip "needs root"
d=$(mktemp -d /tmp/shared.XXXXXX); trap 'rm -rf "$d"' EXIT
mkdir -m 777 "$d/s"; cd "$d/s" # not sticky: the kernel's fs.protected_* do not apply
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
echo precious >"$d/mine"; chmod 600 "$d/mine"
"$SONDE" record -q -e cpu-clock:u -o "$d/in.data" "$PROG/profiled" >/dev/null
writers=('record -q -e cpu-clock:u -o NAME true' 'trace -o NAME true' 'trace -A -o NAME true' 'stat -e task-clock -o NAME true'
	'trace record -o NAME true' "archive -i $d/in.data -o NAME" "script -g python -i $d/in.data -o NAME"
	"inject -b -i $d/in.data -o NAME" 'stat record -e task-clock -o NAME true' 'list -o NAME sw' 'run -q -o NAME -e BEGIN{printf("x\n");exit()}'
	'run --save NAME -e BEGIN{exit()}' 'stat -e task-clock --openmetrics ./NAME true' "flame --format svg -q -i $d/in.data -o NAME" "timeline -i $d/in.data -o NAME"
	"export --to pprof -i $d/in.data -o NAME" "annotate --stdio -i $d/in.data -o NAME" "diff --output NAME $d/in.data $d/in.data")
[ ! -r /sys/kernel/tracing/events/sched/sched_process_exec/id ] || writers+=('ftrace record -e sched:sched_process_exec -o NAME true'
	'ftrace trace -e sched:sched_process_exec -o NAME true' 'sched record -q -o NAME true')
mode() { stat -c %U:%a "$1"; }
for w in "${writers[@]}"; do
	rm -rf name ./*.old
	name=name; case $w in script*) w=${w/ -o NAME/}; name=perf-script.py; rm -f $name ;; esac
	wr() { run "$SONDE" ${w//NAME/$name}; }
	wr; ok; same "$(mode $name)" root:600 "$w"
	rm $name; nobody ln -s "$d/mine" $name
	wr; exits 255; err_has 'is a link of another user \(uid 65534\)'; err_has '^hint: '
	rm $name; nobody ln -s "$d/new" $name
	wr; exits 255; [ ! -e "$d/new" ] || fail "made a file by way of a link: $w"
	rm $name; nobody touch $name; nobody chmod 666 $name
	wr; exits 255; err_has 'belongs to another user \(uid 65534\)'; [ ! -s $name ] || fail "wrote into another's file: $w"
	rm $name; ln "$d/mine" $name # a second name, which anybody could make
	wr; case $w in *-A*) exits 255; err_has 'has another name too' ;; *) ok; same "$(mode $name)" root:600 "$w"; esac
	# one's own link is followed, and so is the file's other reader kept out
	rm -f $name; ln -s "$d/own" $name; rm -f "$d/own"
	wr; ok; [ -s "$d/own" ] && [ -L $name ] || fail "one's own link is not followed: $w"
	rm -f $name "$d/own"; echo old >$name; chmod 644 $name; exec 7<$name
	wr; case $w in *-A*) exits 255; err_has 'others may read it'; err_has '^hint: chmod 600' ;; *) ok; same "$(cat <&7)" old "$w"; same "$(mode $name)" root:600 "$w" ;; esac
	exec 7<&-
done
same "$(cat "$d/mine")" precious "the file behind the links"
# folders on the way
nobody ln -s "$d" there; run "$SONDE" trace -o there/x true; exits 255; err_has 'there is a link of another user'; [ ! -e "$d/x" ] || fail "by way of a folder"
mkdir home; nobody ln -s "$d" home/.debug 2>/dev/null || { chmod 777 home; nobody ln -s "$d" home/.debug; }
HOME=$PWD/home run "$SONDE" buildid-cache -a "$SONDE"; exits 255; err_has 'is a link of another user'
[ ! -e "$d/.build-id" ] || fail "a cache by way of a link"
# a folder as output
run "$SONDE" data convert -i "$d/in.data" --to-ctf ctf; ok; same "$(mode ctf)" root:700; same "$(mode ctf/metadata)" root:600
run "$SONDE" data convert -i "$d/in.data" --to-ctf there/ctf; exits 255; err_has 'there is a link of another user'; [ ! -e "$d/ctf" ] || fail "a folder by way of a link"
# settings are put in another's place by their new text
mkdir -m 777 his; nobody sh -c 'echo "[a]" >his/config'; PERF_CONFIG=$PWD/his/config run "$SONDE" config --user a.b=c; exits 255; same "$(cat his/config)" '[a]'
# files for each event and thread
nobody ln -s "$d/mine" in.data.cpu-clock:u.dump; cp "$d/in.data" .; run "$SONDE" script -i in.data --per-event-dump; exits 255; err_has 'link of another user'
# what the user names and is no file stays
for o in /dev/null /dev/stdout /dev/stderr; do run "$SONDE" trace -o $o true; ok; run "$SONDE" trace -A -o $o true; ok; done
mkfifo fifo; cat fifo >got & run "$SONDE" trace -o fifo true; ok; wait; grep -q execve got || fail "nothing came through the FIFO"
run bash -c '"$SONDE" trace -o /dev/stdout true | cat'; ok; has execve
"$SONDE" trace -o /dev/stdout true >stdout.txt; grep -q execve stdout.txt || fail "nothing in standard output"
# an ordinary user: by his umask, and again
chmod 777 .; run nobody sh -c "umask 022; '$SONDE' trace -o user.txt true && '$SONDE' trace -o user.txt true && '$SONDE' trace -A -o user.txt true"; ok
same "$(mode user.txt)" nobody:644; same "$(grep -c execve user.txt)" 2
touch roots; chmod 666 roots; run nobody "$SONDE" trace -o roots true; ok; nobody ln -s "$d/mine" his; run nobody "$SONDE" trace -o his true; exits 255
