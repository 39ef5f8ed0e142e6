#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""combinations.py [--seed N] [--report N] [--script N] [--least PERCENT] [--jobs N] SONDE PERF PROGRAMS: random option
combinations of `report` and `script`, drawn from the options that both have, on recordings by perf 6.12 and by sonde in the
working folder (made when they are not there); what sonde prints is compared with what PERF prints, to the letter.

What is made alike first, and why:
 - the tip of the day, which is random;
 - the order of call-graph branches of equal weight (ties.py: perf's is that of its heap's addresses), tried when the plain
   comparison failed, and only for reports with call graphs;
 - the order of lines of equal weight that have addresses for names, see runs();
 - names of BPF programs ([bpf]) of other tracers on the machine, which perf finds or not by when they were loaded;
 - names of PLT slots (NAME@plt): perf 6.12 has none for some kinds of PLT, or its neighbour's;
 - the name of a thread that has ended (perf: ":TID"), see named();
 - "[...] (inlined)": what a graph leaves out has no name that could be inlined;
 - the source file of libc's __libc_start_call_main: perf 6.12 names the unit's file for a line of an included one;
 - the letter that -v shows for where symbols come from (B, d, D), the letter s or p of --mmaps (perf 6.12 has s for all);
 - lines about BPF programs in the header;
 - the name of anonymous code in --mmaps (perf shows the file that its names would be in, /tmp/perf-PID.map);
 - trailing blanks.
Inlined functions are compared with gdb's elsewhere. Not drawn are also --socket-filter (perf applies it with some keys only).
srcline and srcfile are not drawn: perf 6.12 names the unit's file, not the included one.
--show-round-events is not drawn: perf then prints samples in the order of the file, sonde in that of time.
-a recordings are read with --no-demangle, and pipes without -I: see doc/PERF.md.
Nothing else. Refusals: perf's exit status is not 0 and sonde's is not either."""
import argparse, concurrent.futures, os, random, re, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
from ties import read as read_report  # noqa: E402
ap = argparse.ArgumentParser()
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--report", type=int, default=40)
ap.add_argument("--script", type=int, default=40)
ap.add_argument("--least", type=float, default=95)
ap.add_argument("--jobs", type=int, default=os.cpu_count())
ap.add_argument("--keep", action="store_true", help="leave differences as NAME.want and NAME.got")
ap.add_argument("--only", type=int, help="one combination by its number")
ap.add_argument("sonde"), ap.add_argument("perf"), ap.add_argument("programs")
A = ap.parse_args()
PROFILED, THREADS = A.programs + "/profiled", A.programs + "/threads"
SCHED = "sched:sched_switch,sched:sched_wakeup,sched:sched_process_exec"

# name: options of record, the command; by both tools
RECORDINGS = {
    "fp": (["-g", "-F", "999", "-e", "cpu-clock:u"], [PROFILED, "250"]),
    "kernel": (["-g", "-F", "999", "-e", "cpu-clock"], [PROFILED, "200"]),
    "dwarf": (["--call-graph", "dwarf,8192", "-F", "49", "-e", "cpu-clock:u"], [PROFILED, "250"]),
    "plain": (["-F", "999", "-e", "cpu-clock", "--sample-cpu"], [PROFILED, "250"]),
    "trace": (["-a", "-e", SCHED], ["sh", "-c", "ls >/dev/null; sleep 0.05; cat /dev/null"]),
    "events": (["-F", "999", "-e", "cpu-clock:u,page-faults:u,context-switches:u"], [PROFILED, "200"]),
    "group": (["-g", "-F", "999", "-e", "{cpu-clock:u,page-faults:u}"], [PROFILED, "200"]),
    "all": (["-a", "-g", "-F", "199", "-e", "cpu-clock"], [PROFILED, "250"]),
    "threads": (["-s", "-F", "3999", "-e", "cpu-clock:u,page-faults:u"], [THREADS, "20"]),
    "packed": (["-z", "-g", "-F", "999", "-e", "cpu-clock:u"], [PROFILED, "250"]),
    "data": (["-d", "-F", "999", "-e", "cpu-clock:u,page-faults:u"], [PROFILED, "200"]),
    "pipe": (["-g", "-F", "999", "-e", "cpu-clock:u"], [PROFILED, "250"]),
}


def spoilt(name, path):
    """nothing is in it, or another tracer's programs; or a stack that perf 6.12 cannot follow to its end, and sonde can"""
    text = [subprocess.run([tool, "script", "--no-inline", "-i", path], capture_output=True, text=True).stdout for tool in (A.perf, A.sonde)]
    return not text[0] or "bpf_prog_" in text[0] or (name == "dwarf" and text[0].count("\n") != text[1].count("\n"))


def make(name, tool, by, tries=15):
    out = f"{name}-{by}.data"
    if os.path.exists(out):
        return out
    options, command = RECORDINGS[name]
    extra = ["-N"] if by == "perf" else []  # nothing into ~/.debug, where the two look in another order
    if name == "pipe":
        with open(out + ".new", "wb") as f:
            subprocess.run([tool, "record", "-q", *extra, *options, "-o", "-", *command], stdout=f, stderr=subprocess.DEVNULL, check=True)
    else:
        subprocess.run([tool, "record", "-q", *extra, *options, "-o", out + ".new", *command], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)
    if tries and spoilt(name, out + ".new"):
        time.sleep(0.2)
        os.unlink(out + ".new")
        return make(name, tool, by, tries - 1)
    os.rename(out + ".new", out)
    return out


FILES = []
for name in RECORDINGS:
    for tool, by in ((A.perf, "perf"), (A.sonde, "sonde")):
        FILES.append((name, make(name, tool, by)))


def some(r, values, least=1, most=4):
    return ",".join(r.sample(values, r.randint(least, min(most, len(values)))))


class Facts:
    """What occurs in a recording: names to filter by."""

    def __init__(self, path):
        told = subprocess.run([A.perf, "script", "--no-inline", "-i", path, "-F", "comm,pid,tid,time,event"], capture_output=True, text=True)
        self.comms, self.pids, self.tids, self.times = [], [], [], []
        for line in told.stdout.splitlines():
            m = re.match(r"\s*(\S.*?)\s+(-?\d+)/(-?\d+)\s+(\d+\.\d+):", line)
            if m:
                for kept, value in zip((self.comms, self.pids, self.tids), m.groups()):
                    if value not in kept and not value.startswith(":"):
                        kept.append(value)
                self.times.append(float(m.group(4)))
        assert self.times, (path, told.returncode, told.stdout[:300], told.stderr[-600:])
        self.times.sort()

    def span(self, r):
        a, b = sorted(r.sample(range(len(self.times)), 2)) if len(self.times) > 1 else (0, 0)
        form = r.randrange(4)
        return [f"{self.times[a]:.6f},{self.times[b]:.6f}", f",{self.times[b]:.6f}", f"{self.times[a]:.6f},", "10%-60%"][form]


FACTS = {path: Facts(path) for _, path in FILES}
SYMBOLS = ["leaf_a", "leaf_b", "descend", "compare", "quick", "sorter", "main", "__random", "random_r", "work"]
DSOS = ["profiled", "libc.so.6", "[kernel.kallsyms]", "[unknown]", "ld-linux-x86-64.so.2", "threads"]
SORT = ["comm", "pid", "dso", "sym", "symbol", "parent", "cpu", "time", "symbol_size", "addr", "overhead",
        "weight", "local_weight", "cgroup", "cgroup_id", "socket", "code_page_size"]
COLUMNS = ["overhead", "overhead_sys", "overhead_us", "overhead_children", "sample", "period", "comm", "dso", "sym", "pid"]


def report_options(name, f):
    chains = name in ("fp", "kernel", "dwarf", "all", "group", "packed", "pipe")
    # parent is for chains; for callers perf 6.12 shows "sorter+94561058697287" as source line, and more than 100 % by time
    sort = [k for k in SORT if k not in (SORT[6:] if chains else ["parent"])]
    if name == "dwarf":  # nor does it look for parents in unwound stacks
        sort.remove("parent")
    o = [
        (6, lambda r: ["-s", ("+" if r.random() < 0.2 else "") + some(r, sort[:7] if r.random() < 0.6 else sort)]),
        (2, lambda r: ["-F", ("+" if r.random() < 0.3 else "") + some(r, COLUMNS)]),
        (2, lambda r: ["-n"]),
        (2, lambda r: ["--show-total-period"]),
        (2, lambda r: ["--showcpuutilization"]),
        (2, lambda r: ["--percent-limit", r.choice(["1", "5", "20", "100"])]),
        (1, lambda r: ["--percentage", r.choice(["relative", "absolute"])]),
        (1, lambda r: ["--hierarchy"]),
        (1, lambda r: [r.choice(["--group", "--no-group"])]),
        (2, lambda r: ["-t", r.choice([";", ",", ":", "|"])]),
        (1, lambda r: ["-w", r.choice(["5", "8,12", "0,3,4", "20,20,20,20"])]),
        (1, lambda r: ["--time-quantum", r.choice(["1ms", "10ms", "1s"])]),
        (1, lambda r: ["--ns"]),
        (1, lambda r: [r.choice(["--no-children", "--children"])]),
        (2, lambda r: ["-c", some(r, f.comms, 1, 2)]),
        (1, lambda r: ["--pid", some(r, f.pids, 1, 2)]),
        (1, lambda r: ["--tid", some(r, f.tids, 1, 2)]),
        (1, lambda r: ["-C", r.choice(["0", "1", "0-1"])]),
        (2, lambda r: ["-S", some(r, SYMBOLS, 1, 3)]),
        (2, lambda r: ["-d", some(r, DSOS, 1, 2)]),
        (1, lambda r: ["--symbol-filter", r.choice(["leaf", "a", "quick", "nosuch", "_"])]),
        (1, lambda r: ["-U"]),
        (2, lambda r: ["--time", f.span(r)]),
        (1, lambda r: ["-q"]),
        (1, lambda r: [r.choice(["--stats", "--tasks", "--mmaps", "--header-only", "--header"])]),
        (1, lambda r: ["-T"]),
        (1, lambda r: ["--full-source-path"]),
        *([(1, lambda r: ["-I"])] if name != "pipe" else []),
        (1, lambda r: ["-v"]),
        (1, lambda r: ["--skip-empty"]),
        (1, lambda r: ["--ignore-vmlinux"]),
        (1, lambda r: ["--max-stack", r.choice(["1", "2", "5", "127"])]),
    ]
    if chains:
        o += [
            (5, lambda r: ["-g", ",".join([r.choice(["graph", "fractal", "flat", "folded", "none", "caller", "callee"])] +
                                          r.sample(["0.5", "caller", "callee", "function", "address", "percent", "period", "count", "10"], r.randint(0, 2)))]),
            (1, lambda r: ["-G"]),
            (2, lambda r: [r.choice(["--no-children", "--children"])]),
            (1, lambda r: ["--max-stack", r.choice(["1", "2", "5"])]),
        ]
    if chains and name != "dwarf":
        o += [
            (1, lambda r: ["-p", r.choice(["main", "work|descend", "nosuch"])]),
            (1, lambda r: ["-x"]),
            (1, lambda r: ["--no-children", "-g", "callee", "--ignore-callees", r.choice(["descend", "quick|sorter"])]),
        ]
    if name == "trace":
        o += [(3, lambda r: ["-s", some(r, ["prev_comm", "next_pid", "trace", "trace_fields", "prev_state", "comm", "target_cpu",
                                            "sched_wakeup.pid", "switch.next_comm", "filename"], 1, 3)]),
              (1, lambda r: ["--raw-trace"]), (1, lambda r: ["--switch-on", "sched:sched_wakeup"]),
              (1, lambda r: ["--switch-off", "sched:sched_switch"]), (1, lambda r: ["--show-on-off-events"])]
    return o


FIELDS = ["comm", "tid", "pid", "time", "cpu", "event", "ip", "sym", "dso", "symoff", "period", "addr", "srcline", "misc", "dsoff",
          "tod", "phys_addr", "weight", "data_src", "cgroup", "iregs", "uregs", "insn", "insnlen", "flags", "machine_pid", "vcpu",
          "synth", "callindent", "ipc", "brstack", "data_page_size", "code_page_size", "ins_lat", "retire_lat", "srccode"]


def script_options(name, f):
    usual = FIELDS[:12]
    return [
        (6, lambda r: ["-F", some(r, usual, 1, 7)]),
        (2, lambda r: ["-F", some(r, FIELDS, 1, 5)]),
        (4, lambda r: ["-F", ",".join(r.choice("++-") + x for x in r.sample(usual if r.random() < 0.7 else FIELDS, r.randint(1, 3)))]),
        (1, lambda r: ["-F", r.choice(["sw:", "trace:", "hw:"]) + some(r, usual, 1, 5)]),
        (2, lambda r: ["-c", some(r, f.comms, 1, 2)]),
        (1, lambda r: ["--pid", some(r, f.pids, 1, 2)]),
        (1, lambda r: ["--tid", some(r, f.tids, 1, 2)]),
        (1, lambda r: ["-C", r.choice(["0", "1", "0-1"])]),
        (2, lambda r: ["-S", some(r, SYMBOLS, 1, 3)]),
        (1, lambda r: ["--dsos", some(r, DSOS, 1, 2)]),
        (2, lambda r: ["--time", f.span(r)]),
        (1, lambda r: ["-G"]),
        (1, lambda r: ["--max-stack", r.choice(["1", "2", "5"])]),
        (1, lambda r: ["--stop-bt", some(r, SYMBOLS, 1, 2)]),
        (1, lambda r: ["--ns"]),
        (1, lambda r: ["--reltime"]),
        (1, lambda r: ["--deltatime"]),
        (1, lambda r: ["-L"]),
        (1, lambda r: ["--full-source-path"]),
        (1, lambda r: ["--show-task-events"]),
        (1, lambda r: ["--show-mmap-events"]),
        (1, lambda r: ["--show-switch-events"]),
        (1, lambda r: ["--show-lost-events"]),
        (1, lambda r: ["--show-namespace-events"]),
        (1, lambda r: ["--show-cgroup-events"]),
        (1, lambda r: ["--show-bpf-events"]),
        (1, lambda r: ["--header"]),
        (1, lambda r: ["-v"]),
        (1, lambda r: ["-d"]),
        *([(1, lambda r: ["-I"])] if name != "pipe" else []),
    ] + ([(1, lambda r: ["--switch-on", "sched:sched_wakeup"]), (1, lambda r: ["--switch-off", "sched:sched_switch"])] if name == "trace" else [])


def drop(words, option):
    while option in words:
        i = words.index(option)
        del words[i:i + 2]


def draw(r, command):
    name, path = r.choice(FILES)
    rows = (report_options if command == "report" else script_options)(name, FACTS[path])
    words = []
    for _ in range(r.randint(1, 4)):
        row = r.choices(rows, [w for w, _ in rows])[0]
        rows.remove(row)
        words += row[1](r)
    if "--header" in words and "-I" in words:
        words.remove("-I")
    if name in ("trace", "all"):  # perf forgets names
        drop(words, "-c")
    if "--symbol-filter" in words:  # perf has it with its usual keys and for the first event only
        drop(words, "-s"), drop(words, "-F")
        if name in ("events", "data", "threads", "trace", "group"):
            drop(words, "--symbol-filter")
    if "--hierarchy" in words:  # see doc/PERF.md
        drop(words, "-t"), drop(words, "-w"), drop(words, "-g")
        words += ["-g", "none"]
    if "--ignore-callees" in words and "-G" in words:  # among callers perf looks for the innermost
        words.remove("-G")
    if name == "all":  # C++ programs of others: see doc/PERF.md
        words.append("--no-demangle")
    return path, words + ["--no-inline"]


def output(tool, command, path, words):
    pipe = path.startswith("pipe")
    with open(path if pipe else "/dev/null", "rb") as stdin:
        p = subprocess.run(["timeout", "100", tool, command, *(["--stdio"] if command == "report" else []), *words, "-i", "-" if pipe else path],
                           stdin=stdin, capture_output=True, env={**os.environ, "PAGER": "cat", "LC_ALL": "C.UTF-8"})
    return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")


def alike(text):
    text = re.sub(r"(?m)^# \(Tip: .*\n", "", text)
    text = re.sub(r"(?m)^# (bpf_prog_info|btf info|\tsub_prog) .*\n", "", text)
    if "bpf_prog_" in text:  # columns are as wide as the longest name
        text = re.sub(r"(?m)^(#.*| {0,9}\S.*)$", lambda m: re.sub(r"(?<=\S)  +", "  ", re.sub(r"\.\.\.+", "...", m.group())), text)
    text = re.sub(r"(0x[0-9a-f]+ +)[A-Za-z!] (\[.\])", r"\1? \2", text)
    text = re.sub(r"(?m)^( +[0-9a-f]+-[0-9a-f]+ ...)[sp] ", r"\1? ", text)
    text = re.sub(r"(?m)^( +[0-9a-f]+-[0-9a-f]+ ..x. \S+ \d+ )/tmp/perf-\d+\.map$", r"\1//anon", text)
    text = text.replace("[...] (inlined)", "[...]")
    text = text.replace("libc_start_call_main.h:", "libc-start.c:")
    text = re.sub(r"[^\s;|-]*@plt", "@plt", text)
    text = re.sub(r"bpf_prog_\S+ \(\[?bpf[^)]*\)", "[unknown] ([unknown])", text)
    text = re.sub(r"bpf_prog_\S+", "[unknown]", text)
    return re.sub(r"(?m)[ \t]+$", "", text)


def flat(text):
    """-g flat: the chains of a line are blocks with their share on top; those of equal share in any order"""
    out, block, run = [], [], []
    for line in text.split("\n") + [""]:
        if re.match(r" {5,}\S|^ +[\d.]+%?$", line) and not re.match(r" +[\d.]+%  ", line):
            block.append(line)
            continue
        if block:
            run.append(block)
            block = []
        if line == "":
            continue
        out += [x for b in sorted(run) for x in b] + [line]
        run = []
    return out + [x for b in sorted(run) for x in b]


def named(want, got):
    """perf forgets the name of a thread when it ends, and shows :TID in what comes from it after that; sonde keeps it"""
    a, b = want.split("\n"), got.split("\n")
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if x == y:
            continue
        x, y = (re.sub(r"(?<=\S)  +", " ", z) for z in (x, y))  # a long name moves what is behind it
        m = re.match(r" *:\d+( +\d.*|)$", x)
        if not m or not re.match(r" *\S.*?" + re.escape(m.group(1)) + "$", y):
            return False
    return True


def ties(want, got, n):
    if flat(want) == flat(got):
        return True
    sides = []
    for text in (want, got):
        with open(f"ties{n}", "w") as f:
            f.write(text)
        sides.append(runs(read_report(f"ties{n}")))
        os.unlink(f"ties{n}")
    return sides[0] == sides[1]


def runs(entries):
    """Lines that follow each other with the same numbers: those with a name in their order, and those with mere addresses,
    whose order in perf is that of a tree that subtracts them, as a set."""
    out = []
    for entry in entries:
        line = entry[0] if entry and isinstance(entry[0], str) else ""
        m = re.match(r"((?: +[\d.]+%?)+)  ", line)
        key = m.group(1) if m else None
        if not out or key is None or out[-1][0] != key:
            out.append((key, [], []))
        out[-1][2 if re.search(r"0x[0-9a-f]{5,}", line) else 1].append(entry)
    return [(key, names, sorted(addresses, key=repr)) for key, names, addresses in out]


def one(job):
    n, command, path, words = job
    code, want, told = output(A.perf, command, path, words)
    if re.search(r"(?m)^Error:|^Can't |^incorrect |^Invalid |^File does not contain", told) and not code:
        code = 1  # perf says why not, and ends with 0
    mine, got, err = output(A.sonde, command, path, words)
    line = f"{n}: {command} {' '.join(words)} -i {path}"
    if code != 0 or mine != 0:
        if (code != 0) == (mine != 0):
            return n, True, "", line
        return n, False, f"exit status {mine}, perf's {code}: {err.strip().splitlines()[:2]}", line
    want, got = alike(want), alike(got)
    if want == got or (command == "report" and ties(want, got, n)) or (command == "script" and named(want, got)):
        return n, True, "", line
    if A.keep:
        for suffix, text in (("want", want), ("got", got)):
            with open(f"{n}.{suffix}", "w") as f:
                f.write(text)
    a, b = want.splitlines(), got.splitlines()
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return n, False, f"line {at + 1} of {len(a)}/{len(b)}\n   perf:  {(a + ['(end)'])[min(at, len(a))]!r:.200}\n   sonde: {(b + ['(end)'])[min(at, len(b))]!r:.200}", line


jobs = []
for command, count in (("report", A.report), ("script", A.script)):
    r = random.Random(f"{A.seed} {command}")
    jobs += [(len(jobs) + i, command, *draw(r, command)) for i in range(count)]
if A.only is not None:
    jobs = [j for j in jobs if j[0] == A.only]
bad = {"report": 0, "script": 0}
with concurrent.futures.ThreadPoolExecutor(A.jobs) as pool:
    for n, same, why, line in pool.map(one, jobs):
        if not same:
            bad[line.split()[1]] += 1
            print(line, "\n  ", why, flush=True)
failed = False
for command, count in (("report", A.report), ("script", A.script)):
    if count:
        equal = 100 * (count - bad[command]) / count
        failed |= equal < A.least
        print(f"{command}: {count - bad[command]} of {count} equal ({equal:.1f} %)")
sys.exit(failed)
