# SPDX-License-Identifier: GPL-2.0-or-later
"""annotate with options drawn at random: what sonde prints is what perf prints, to the letter. Made alike: the names that objdump
gives to data without a symbol ("# 301e <_IO_stdin_used+0x1e>", which it is not)."""
import argparse, random, re, subprocess, sys

def run(cmd):
    p = subprocess.run(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout.decode(errors="replace")

def alike(text):
    return re.sub(r"( # [0-9a-f]+)( <[^>]*>+)?", r"\1", text)

def draw(rng):
    pool = [["-l"], ["-P"], ["-n"], ["--show-total-period"], ["--asm-raw"], ["-M", "intel"], ["--no-source"], ["--group"],
            ["--percent-type", rng.choice(["local-period", "local-hits", "global-period"])], ["--percent-limit", str(rng.choice([1, 5, 20, 60]))],
            ["--prefix=/nowhere", "--prefix-strip=1"], ["-C", rng.choice(["0", "1", "0-1"])], ["--skip-empty"], ["-d", "annotated"]]
    words = [w for o in rng.sample(pool, rng.randint(0, 4)) for w in o]
    form = "--stdio2" if rng.random() < 0.3 else "--stdio"
    if form == "--stdio2" and "--asm-raw" in words: # perf takes the bytes for the instruction's name
        words.remove("--asm-raw")
    if rng.random() < 0.5:
        words.append(rng.choice(["walk", "hash", "weigh"]))
    elif "-d" not in words: # slots of libc's own functions have no name in objdump
        words += ["-d", "annotated"]
    if rng.random() < 0.2:
        return form, words, ["--objdump", "objdump"]
    return form, words, []

def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int); ap.add_argument("-n", type=int)
    ap.add_argument("sonde"); ap.add_argument("perf"); ap.add_argument("files", nargs="+")
    a = ap.parse_args()
    rng, wrong, lines = random.Random(a.seed), 0, 0
    for _ in range(a.n):
        form, words, own = draw(rng)
        what = ["annotate", "-i", rng.choice(a.files), form, *words]
        code, theirs = run([a.perf, *what])
        _, ours = run([a.sonde, *what, *own])
        lines += theirs.count("\n")
        if code < 0: # perf 6.12 crashes now and then: what it printed counts
            theirs = theirs[:theirs.rfind("\n") + 1]
            ours = ours[:len(theirs)]
        if alike(ours) == alike(theirs):
            continue
        wrong += 1
        print("DIFFERS:", *what, *own)
        o, t = alike(ours).split("\n"), alike(theirs).split("\n")
        shown = [(x, y) for x, y in zip(o, t) if x != y][:4]
        print(*(f"  sonde: {x}\n  perf:  {y}" for x, y in shown), f"  {len(o)} and {len(t)} lines", sep="\n")
    print(f"{a.n} combinations, {lines} lines of perf, {wrong} differ")
    sys.exit(wrong > 0 or lines < a.n * 20)

main()
