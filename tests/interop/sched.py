#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sched.py SONDE PERF SEED COUNT FILE...: random options of sched latency, timehist and map on both programs.

perf 6.12 forgets a thread when it ends, name and history: what it calls :TID is not compared, nor is the pid 0 that it
gives to tasks it has only heard of, nor names that it cuts at 31 characters. All else must be equal to the letter."""
import random, re, subprocess, sys
sonde, perf, seed, count, *files = sys.argv[1:]
rnd = random.Random(int(seed))
NAMELESS = re.compile(r"(^|\s):-?\d+([\[:]|\s|$)|=> :\d+:")

def output(program, words):
    r = subprocess.run([program, "sched", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if r.returncode: sys.exit(f"{program} sched {' '.join(words)}: {r.returncode}\n{r.stderr}")
    return r.stdout.splitlines()

def spans(f):
    times = [float(m[1]) for l in output(perf, ["timehist", "-i", f]) if (m := re.match(r" +(\d+\.\d+) \[", l))]
    a, b = sorted(rnd.sample(times, 2))
    return rnd.choice([f"{a:.6f},{b:.6f}", f"{a:.6f},", f",{b:.6f}"])

def tids(f):
    rows = output(perf, ["latency", "-p", "-i", f])
    return [m[1] for l in rows if (m := re.match(r"  [^:|]\S*:(\d+) +\|", l))]

def some(options, most):
    return [w for o in rnd.sample(options, rnd.randint(0, most)) for w in o.split()]

def combination(f):
    kind = rnd.choice(["latency", "timehist", "timehist", "timehist", "summary", "map"])
    if kind == "latency":
        keys = rnd.sample(["runtime", "switch", "avg", "max"], rnd.randint(1, 4))
        return kind, ["latency", "-p"] + rnd.choice([[], ["-s", ",".join(keys)], ["-C", "0"]])
    if kind == "map":
        return kind, ["map"] + some(["--compact", rnd.choice(["--task-name sh,sleep", "--task-name s --fuzzy-name"]), "--color-pids 1", "--color-cpus 0"], 3)
    words = some((["-w", "-n"] if kind == "timehist" else []) + [ "-V", "--state", "--show-prio", rnd.choice(["--prio 0-119", "--prio 120"]), "-I", f"-C {rnd.randint(0, 1)}", "-p " + rnd.choice(tids(f)),
                  "-t " + rnd.choice(tids(f)), "--time " + spans(f)], 4)
    # without -M perf has 0 for all migrations, which is not true
    return kind, ["timehist", "-M"] + (["-s"] if kind == "summary" else []) + words

def task(row): # of a summary
    m = re.search(r"\[(\d+)(/\d+)?\]", row)
    return m and m[1]

def among(theirs, ours, kind):
    """what perf has of tasks that it knows, ours has as well"""
    if kind == "map":
        times = lambda lines: {t for l in lines for t in re.findall(r"\d+\.\d+ secs", l)}
        return ("at", times(theirs) - times(ours)) if times(theirs) - times(ours) else None
    mine = {" ".join(l.split()) for l in ours}
    for l in theirs:
        run = re.match(r" +\d+\.\d+ \[", l)
        if run and not NAMELESS.search(l) and not re.search(r"(migrated|awakened):|\S{31}(\s|$)", l) and " ".join(l.split()) not in mine:
            return l, "no such line"
    return None

def agree(kind, words, theirs, ours):
    if kind == "summary":
        mine = {task(l): l.split() for l in ours if task(l)}
        for l in theirs:
            if task(l) and not NAMELESS.search(l) and (mine.get(task(l)) or [])[-9:] != l.split()[-9:]:
                # a number that is used again is one row for perf, or none
                if sum(task(o) == task(l) for o in ours) == 1: return l, mine.get(task(l))
        return None
    theirs = [l.rstrip() for l in theirs if "do not have callchains" not in l]
    # perf says so of a CPU that was never idle as well
    ours = [re.sub(r"was never idle$", "idle entire time window", l.rstrip()) for l in ours]
    if len(theirs) != len(ours):
        # who is chosen by process, priority or name is not found by perf any more when it has forgotten him, or found by chance
        chosen = {"-p", "-t", "--prio", "--task-name"} & set(words)
        return among(theirs, ours, kind) if chosen and abs(len(ours) - len(theirs)) < 50 + len(theirs) // 3 else (len(theirs), len(ours))
    for a, b in zip(theirs, ours):
        if a == b or NAMELESS.search(a): continue
        if re.search(r"\S{31}(\s|$)", a) and a.split()[:2] == b.split()[:2]: continue
        # perf has no pid of a task that it only heard of: its name stands alone
        if re.sub(r"\[\d+(/\d+)?\]", "", b).split() == re.sub(r"\[\d+(/\d+)?\]", "", a).split(): continue
        return a, b
    return None

lines = 0
for _ in range(int(count)):
    f = rnd.choice(files)
    kind, words = combination(f)
    theirs, ours = output(perf, words + ["-i", f]), output(sonde, words + ["-i", f])
    lines += len(ours)
    bad = agree(kind, words, theirs, ours)
    if bad: sys.exit(f"sched {' '.join(words)} -i {f} (seed {seed}):\nperf  {bad[0]}\nsonde {bad[1]}")
print(count, "combinations,", lines, "lines")
if lines < 500: sys.exit("too little was compared")
