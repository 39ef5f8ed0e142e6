# SPDX-License-Identifier: GPL-2.0-or-later
"""diff with options drawn at random on three recordings: what sonde prints is what perf prints, to the letter."""
import argparse, random, subprocess, sys

def run(cmd):
    p = subprocess.run(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.stdout.decode(errors="replace")

def draw(rng):
    pool = [["-c", rng.choice(["delta", "delta-abs", "ratio", "wdiff:1,2", "wdiff:3,1"])], ["-p"], ["-F"], ["-b"], ["-q"], ["-t", ","],
            ["-s", rng.choice(["dso", "sym", "comm", "pid", "comm,dso", "pid,sym", "sym,dso", "comm,dso,sym"])],
            ["-d", "annotated"], ["-C", "annotated"], ["-S", "hash,walk"], ["--percentage", rng.choice(["relative", "absolute"])],
            ["--time", rng.choice(["0%-50%", "10%/2", "20%-80%"])]]
    words = [w for o in rng.sample(pool, rng.randint(0, 5)) for w in o]
    files = rng.sample(["a.data", "b.data", "c.data"], rng.choice([2, 2, 3]))
    if rng.random() < 0.4:
        words += ["-o", str(rng.randint(0, len(files) - 1))]
    return words + files

def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int); ap.add_argument("-n", type=int); ap.add_argument("sonde"); ap.add_argument("perf")
    a = ap.parse_args()
    rng, wrong, lines = random.Random(a.seed), 0, 0
    for _ in range(a.n):
        words = ["diff", *draw(rng)]
        theirs, ours = run([a.perf, *words]), run([a.sonde, *words])
        lines += theirs.count("\n")
        if ours == theirs:
            continue
        wrong += 1
        print("DIFFERS:", *words)
        o, t = ours.split("\n"), theirs.split("\n")
        print(*(f"  sonde: {x}\n  perf:  {y}" for x, y in [(x, y) for x, y in zip(o, t) if x != y][:4]), f"  {len(o)} and {len(t)} lines", sep="\n")
    print(f"{a.n} combinations, {lines} lines of perf, {wrong} differ")
    sys.exit(wrong > 0 or lines < a.n * 4)

main()
