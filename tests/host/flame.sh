# SPDX-License-Identifier: GPL-2.0-or-later
# sonde flame: pictures of folded text and of recordings; their numbers against a few lines of Python that fold by themselves.
# needs: python3
# timeout: 180

# ---- folded text to SVG: every frame's weight and width ----
cat >stacks <<'E'
main;work;inner loop 40
main;work;inner loop;deep 2
main;work 8
main;idle(int, char) 30
other;work_[k] 20
main;work;inner loop 5
E
cat >check.py <<'P'
import re, sys, xml.dom.minidom
want, total = {}, 0
for line in open(sys.argv[1]):
    stack, weight = line.rstrip("\n").rsplit(" ", 1)
    names = [re.sub(r"_\[[kji]\]$", "", n) for n in stack.split(";")]
    total += int(weight)
    for i in range(len(names)):
        key = (i + 1, names[i])
        want[key] = want.get(key, 0) + int(weight)
want[(0, "all")] = total
doc = xml.dom.minidom.parse(sys.argv[2])
got, boxes = {}, []
for g in [e for e in doc.getElementsByTagName("g") if e.getElementsByTagName("title") and not e.hasAttribute("id")]:
    title = g.getElementsByTagName("title")[0].firstChild.data
    rect = g.getElementsByTagName("rect")[0]
    name, weight, share = re.fullmatch(r"(.*) \(([\d,]+) samples, ([\d.]+)%\)", title).groups()
    weight, y = int(weight.replace(",", "")), int(rect.getAttribute("y"))
    x, width = (float(rect.getAttribute(a)) for a in ("x", "width"))
    boxes.append((y, x, width))
    got.setdefault((y, name), 0)
    got[(y, name)] += weight
    assert abs(width - 1180 * weight / total) < 0.02, (title, width)
    assert abs(float(share) - 100 * weight / total) < 0.006, title
rows = sorted({y for y, _ in got}, reverse=True)
got = {(rows.index(y), n): w for (y, n), w in got.items()}
assert got == want, (got, want)
boxes.sort()
for (y, x, w), (y2, x2, _) in zip(boxes, boxes[1:]):
    assert y != y2 or x2 >= x + w - 0.02, "frames overlap"
P
run "$SONDE" flame --folded stacks -o x.svg; ok; err_has '105 samples in x.svg'
python3 check.py stacks x.svg
"$SONDE" flame -q --folded - -o - <stacks >y.svg; same "$(cat y.svg)" "$(cat x.svg)"
run "$SONDE" flame -i stacks -q -o x.folded; ok
same "$(cat x.folded)" 'main;idle(int, char) 30
main;work 8
main;work;inner loop 45
main;work;inner loop;deep 2
other;work_[k] 20'
run "$SONDE" flame -i stacks --reverse -q -o r.folded; ok
same "$(grep -c '^inner loop;work;main 45$' r.folded)" 1
run "$SONDE" flame -i stacks --flamechart -q -o c.svg; ok # nothing is sorted: the second "main" is a frame of its own
same "$(grep -c '<title>main (' c.svg)" 2
run "$SONDE" flame -i stacks --unit bytes --title 'a <b>' --inverted --width 600 -q -o i.svg; ok
grep -q '<title>all (105 bytes, 100.00%)</title><rect x="10.00" y="48" width="580.00"' i.svg || fail "inverted, unit, width"
grep -q '>a &lt;b&gt;</text>' i.svg || fail "title"

# a picture says how much it is, and what its colours are; a pipe is read, a file that is taken for a command is told of
grep -q '<text id="details"[^>]*>105 samples</text>' x.svg || fail "the picture does not say how much it is"
grep -q '<g id="legend">.*>user</text>.*>kernel</text>' x.svg || fail "no legend"
sed '' stacks | "$SONDE" flame -q -o p.svg; cmp p.svg x.svg || fail "through a pipe"
"$SONDE" flame -q -i - -o p.svg <stacks; cmp p.svg x.svg || fail "on standard input"
run "$SONDE" flame stacks; exits 129; err_has "'stacks' is a file and no command"; err_has 'hint: sonde flame -i stacks'

# ---- maps of sonde run: the words of a key stand below the stack, no weight is left out ----
cat >map <<'E'
attached 1 probe

@[
    inner+12
    outer+3
]: 4
@[
]: 2
@both[sh, 
    kernel_inner+1
    kernel_outer+2
, 
    user+0x7
, 12]: 3
@s[
    f+1
]: count 2, average 8, total 16
@words[sh]: 7
@: 9
@h[
    f+1
]: 
[1]                    3 |@@@@|
E
run "$SONDE" flame --folded map -o m.folded; ok; err_has '25 samples'; err_has '5 lines were no stacks'
same "$(cat m.folded)" '[no stack] 2
f 16
outer;inner 4
sh;12;user+0x7;kernel_outer;kernel_inner 3'
echo '{"type": "map", "data": {"@": {"sh,\n    inner+12\n    outer\n,7": 5, "sh": 8}}}' >map.json
run "$SONDE" flame -i map.json -q -o m.folded; ok
same "$(cat m.folded)" 'sh;7;outer;inner 5'

# what is cut is said, and --all keeps it
{ echo 'a;b 999990'; for i in 1 2 3; do echo "a;c;rare$i 3"; done; } >many
run "$SONDE" flame -i many -o m.svg; ok; err_has '4 frames below 0.01 % are cut, with the ends of stacks that are 0.001 % of the weight'
! grep -q rare m.svg || fail "cut frames are there"
run "$SONDE" flame -i many --all -o m.svg; ok; err_hasnt 'cut'; grep -q rare3 m.svg || fail "--all"

# as flamegraph.pl is called
run "$SONDE" flame -i many --minwidth 0.1 -q -o m1.svg; ok
run "$SONDE" flame -i many --min 0.00847457627 -q -o m2.svg; ok; cmp m1.svg m2.svg || fail "--minwidth in pixels"
run "$SONDE" flame -i many --minwidth 0.00001% -q -o m1.svg; ok; grep -q rare3 m1.svg || fail "--minwidth in percent"
run "$SONDE" flame -i many --minwidth x; exits 129; err_has "'x' is no width"
run "$SONDE" flame -i many --hash --cp --colors java --fontsize 12 --countname samples --nametype Name: -o m1.svg; ok; err_has 'nametype.*begin with the name itself'
run "$SONDE" flame -i many --negate; exits 129; err_has 'hint: --diff AFTER BEFORE'

# ---- two compared ----
printf 'a;same 10\na;less 30\na;gone;deep 5\n' >before
printf 'a;same 10\na;less 15\na;new 20\n' >after
run "$SONDE" flame --diff before after --no-normalize -q -o d.folded; ok
same "$(cat d.folded)" 'a;less 30 15
a;new 0 20
a;same 10 10
a;gone;deep 5 0'
run "$SONDE" flame --diff before after -q -o d.svg; ok
grep -q '<title>new (20 samples, 44.44%; new)</title><rect [^>]*class="new"' d.svg || fail "new frames are marked"
grep -q '<title>less (15 samples, 33.33%; -33.33%)' d.svg || fail "difference"
grep -q 'Gone: 1 stacks that the first has and the second has not' d.svg || fail "gone"
grep -q '<g id="legend">.*>more than before</text>.*>new (dashed)</text>' d.svg || fail "no legend of a comparison"
python3 -c 'print("a;" + ";".join("quite_a_long_name_%d" % i for i in range(99)), 5)' >>before
run "$SONDE" flame --diff before after -q -o d.svg; ok
grep 'class="gone"' d.svg | awk 'length > 300 { exit 1 }' || fail "a line runs out of the picture"
run "$SONDE" flame --folded d.folded -q -o d2.folded --no-normalize; ok; same "$(cat d2.folded)" "$(cat d.folded)"

# ---- recordings: as the same recording printed and folded by hand ----
run "$SONDE" record -q -e cpu-clock -F 999 -g -o data "$PROG/profiled" 100; ok
run "$SONDE" flame -i data --by none -q -o x.folded; ok
"$SONDE" script -i data -F comm,ip,sym,period >script.txt
python3 - script.txt x.folded <<'P'
import re, sys
sum_, now, frames, period = {}, None, [], 0
def flush():
    global frames
    if frames: sum_[";".join(reversed(frames))] = sum_.get(";".join(reversed(frames)), 0) + period
    frames = []
for line in open(sys.argv[1]):
    line = line.rstrip("\n")
    if not line: flush()
    elif line[0].isspace() and re.match(r"\s+[0-9a-f]+ \S", line): frames.append(line.split(None, 1)[1])
    else: period = int(re.search(r"(\d+)\s*$", line).group(1))
flush()
got = {}
for line in open(sys.argv[2]):
    stack, w = line.rsplit(" ", 1)
    got[re.sub(r"_\[[kji]\]", "", stack)] = int(w)
assert sum(got.values()) == sum(sum_.values()) > 0, (sum(got.values()), sum(sum_.values()))
named = {k: v for k, v in sum_.items() if "[" not in k}
assert named and all(got.get(k) == v for k, v in named.items()), [(k, v, got.get(k)) for k, v in named.items() if got.get(k) != v]
P
run "$SONDE" flame -i data -o x.svg; ok; err_has 'ms of CPU, [0-9]+ samples in x.svg'
grep -q '<title>all ([0-9.,]* ms of CPU, 100.00%)' x.svg || fail "the weight is named"
run "$SONDE" flame -i data --comm nobody -o x.svg; exits 255; err_has 'there are no samples to draw: the choice of samples leaves none'
run "$SONDE" flame -i data --by thread -q -o t.folded; ok; grep -q '^profiled-[0-9]*;' t.folded || fail "by thread"
# of hot and cold one may be all there is
run "$SONDE" flame --hot-cold -o x.svg sleep 0.1; ok; grep -Eq '<title>off CPU \(|only waits are drawn' x.svg "$T/err" || fail "no waits"
sh -c 'while :; do :; done' & busy=$!
for time in 0.3 3 20; do run "$SONDE" flame --hot-cold -p $busy -o x.svg sleep $time; [ "$code" != 0 ] || break; done
kill $busy; ok; grep -Eq '<title>(on CPU|all) \(' x.svg || fail "nothing hot"
run "$SONDE" flame -i data --off-cpu -o x.svg; exits 255; err_has 'no event offcpu-time'; err_has 'hint: record with --off-cpu'
run "$SONDE" flame --diff data stacks -o x.svg; exits 255; err_has 'the first counts ms of CPU, the second samples'

run "$SONDE" record -q -e cpu-clock:u -o flat.data "$PROG/profiled" 50; ok
run "$SONDE" flame -i flat.data -o flat.svg; ok; err_has 'no call chains: record with -g'; grep -q 'record with -g for stacks</text>' flat.svg || fail "the picture does not say why it is flat"
run "$SONDE" flame -i data -o x.svg; ok; err_hasnt 'no call chains'
# names of events are a file's, too: what they hold does not reach the terminal; %2 is the second
run "$SONDE" record -q -e cpu-clock:u -e page-faults:u -g -o two.data "$PROG/profiled" 50; ok
python3 -c 'b = open("two.data", "rb").read(); open("evil.data", "wb").write(b.replace(b"page-faults", b"p\x1b[31m</b>s"))'
for e in %1 %2; do
	run "$SONDE" flame -i evil.data -e $e -o evil.svg; ok
	! grep -q $'\033' "$T/err" evil.svg || fail "an escape sequence: $(cat -v "$T/err")"
done
err_has '[0-9]+ p.x1b\[31m</b>s'; err_has 'event cpu-clock:u draws another'
grep -q '<title>all ([0-9]* p\\x1b\[31m&lt;/b&gt;s, 100' evil.svg || fail "the event's name in the picture"

# ---- straight ----
export TMPDIR=$PWD # its recording is made there, and is gone in the end
run "$SONDE" flame -e cpu-clock -F 999 -o live.svg sh -c "$PROG/profiled 50; exit 3"; exits 3; err_has 'ms of CPU, [0-9]+ samples in live.svg'
grep -q '<title>profiled (' live.svg || fail "the command is not in the picture"
[ -z "$(find "$TMPDIR" -name 'sonde-flame.*')" ] || fail "the recording was left"
run "$SONDE" flame -o none.svg /no/such/program; exits 255; err_has "no/such/program"; [ ! -e none.svg ] || fail "a picture of nothing"

if [ "$(id -u)" = 0 ]; then # where threads wait: in the program and in the kernel
	run "$SONDE" flame --off-cpu -o off.folded sh -c 'sleep 0.2'; ok; err_has 'ms blocked'
	grep -Eq '^sleep;.*clock_nanosleep.*;do_nanosleep;schedule;__schedule [0-9]{9,}$' off.folded || fail "off the CPU: $(cat off.folded)"
fi

if [ "$(id -u)" = 0 ]; then # sudo's picture is not the user's to open
	run env SUDO_USER=nobody "$SONDE" flame -i stacks -o sudo.svg; ok; err_has "hint: sudo.svg is root's alone: sudo chown nobody sudo.svg"
	run "$SONDE" flame -i stacks -o sudo.svg; ok; err_hasnt 'hint'
fi

# ---- refusals ----
run "$SONDE" flame -i nowhere -o x.svg; exits 255; err_has 'nowhere'; same "$(grep -c '^sonde: ' "$T/err")" 1
printf 'hello\nworld\n' >words; run "$SONDE" flame --folded words -o x.svg; exits 255; err_has 'has no folded stacks'; err_has "hint: a line is 'outer;inner 12'"
run "$SONDE" flame -i stacks -o x.png; exits 129; err_has 'hint: a name that ends in .html, .svg or .folded'
run "$SONDE" flame --diff stacks; exits 129; err_has 'takes two files'
run "$SONDE" flame -i stacks --by cpu -o x.svg; exits 255; err_has 'folded text does not tell'
run "$SONDE" flame -i stacks -o /dev/full --format html; exits 255; err_has 'No space left'
run "$SONDE" flame -i data -e one -e two -o x.svg; exits 129; err_has 'one event of a recording is drawn'
# A trace.dat with function_graph: chosen from as other recordings are, and as a chart, where each stack of the graph is found again
dat=$TOP/tests/fuzz/corpus/tracedat/v6-graph
run "$SONDE" flame -q -i "$dat" --by thread -o graph.folded; ok
run "$SONDE" flame -q -i "$dat" --flamechart -o chart.folded; ok
sed 's/ [0-9]*$//' chart.folded | sort -u >charted
sed 's/ [0-9]*$//' graph.folded | sort -u | comm -23 - charted >missing; [ -s graph.folded ] && [ ! -s missing ] || fail "not in the chart: $(cat missing)"
[ "$(wc -l <chart.folded)" -gt "$(wc -l <graph.folded)" ] || fail "a chart with no more lines than the graph"
same "$(awk '$1 == "ls-139;fn10_[k]" { s += $2 } END { print s }' chart.folded)" "$(awk '$1 == "ls-139;fn10_[k]" { print $2 }' graph.folded)" 'one that calls nothing'
run "$SONDE" flame -q -i "$dat" --by thread -S fn10 -o some.folded; ok
grep 'fn10_\[k\] [0-9]*$' graph.folded | cmp - some.folded || fail "-S: $(cat some.folded)"
for half in 1 2; do run "$SONDE" flame -q -i "$dat" --by thread --time "50%/$half" -o "half$half.folded"; ok; done
same "$(awk '{ s += $NF } END { print s }' half[12].folded)" "$(awk '{ s += $NF } END { print s }' graph.folded)" 'two halves'
run "$SONDE" flame -i "$dat" --time nonsense -o no.html; exits 255; [ ! -e no.html ] || fail 'a page of no time'
