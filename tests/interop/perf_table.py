#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf_table.py [--update] SONDE PERF MANUALS PERF.md: is the table of perf's options true?

Every option of perf 6.12 (its --list-opts, its -h and its man page) has a row in the section of its command, and sonde does what
the row says with the words under "tried as" (the option alone where that is empty), followed by --help:
    there     taken: the usage comes, exit status 0
    needless  the same; it changes nothing here, and the row says why
    refused   exit status not 0, a sentence and a hint
With --update missing rows are added and the states of all rows are set to what sonde does; reasons are then to be read and
written by hand."""
import concurrent.futures, re, subprocess, sys

COMMANDS = ["record", "report", "top", "script", "stat", "list", "probe", "trace", "buildid-cache", "buildid-list", "archive", "inject",
            "evlist", "version", "check", "config", "sched latency", "sched timehist", "sched map", "lock contention"]
NO_LIST = {"archive"}  # a shell script: it knows no --list-opts
update = "--update" in sys.argv
sonde, perf, manuals, table = [a for a in sys.argv[1:] if a != "--update"]


def run(*words):
    p = subprocess.run(["timeout", "60", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, errors="replace")
    return p.returncode, p.stdout, p.stderr


def options_of(command):
    """name without dashes -> how perf writes it (short name too)"""
    found = {}
    if command == "perf":
        for word in run(perf, "--list-opts")[1].split() or []:
            found.setdefault(word.lstrip("-"), f"`{word}`")
        text = manual("perf")
    else:
        text = manual("perf-" + command) if " " not in command else ""  # a page for several: its -h has all
    if command not in NO_LIST and command != "perf":
        _, out, err = run(perf, *command.split(), "-h")
        for m in re.finditer(r"(?m)^ {4}(?:(-\S), | {4})?(--[a-zA-Z][\w-]*)?", out + err):
            short, name = m.groups()
            if name:
                found[name[2:]] = f"`{short}`, `{name}`" if short else f"`{name}`"
        for m in re.finditer(r"(?m)^ {4}(-\S)(?: <| {3})", out + err):
            found.setdefault(m.group(1)[1:], f"`{m.group(1)}`")
        for word in run(perf, *command.split(), "--list-opts")[1].split() if " " not in command else []:
            if word.startswith("--"):
                found.setdefault(word[2:], f"`{word}`")
    for line in re.findall(r"(?m)^ {7}(-\S.*)$", text):
        if not re.match(r"--?[a-zA-Z]", line):
            continue
        names = re.findall(r"(?:^|[ ,\[])--([a-zA-Z][\w-]*)", line)
        shorts = re.findall(r"(?:^|, )-([a-zA-Z])\b", line)
        for name in names[:2]:
            found.setdefault(name, f"`-{shorts[0]}`, `--{name}`" if shorts and name == names[0] else f"`--{name}`")
        known = " ".join(found.values())
        for short in shorts if not names else []:
            if f"`-{short}`" not in known:
                found[short] = f"`-{short}`"
    return found


def manual(name):
    page = subprocess.run(f"zcat {manuals}/{name}.1.gz | mandoc -T ascii -O width=200", shell=True, capture_output=True, text=True).stdout
    return re.sub(r".\x08", "", page)


def word_of(key):
    return "--" + key if len(key) > 1 else "-" + key


def outcome(command, words):
    if command == "perf":
        code, out, err = run(sonde, *words, "report", "--help")
    else:
        tell = ["-v"] if command in TELL else []
        code, out, err = run(sonde, *command.split(), *tell, *words, "--help")
    if code == 0 and (command == "perf" or "usage:" in out):
        return "needless" if re.search(r"changes nothing: |is the only view", err) else "there", err or out
    if "unknown option" in err or "'--help'" in err:
        return "unknown", err
    return "refused" if re.search(r"(?m)^hint: ", err) and err.startswith("sonde: ") else "silent", err


TELL = {"lock contention", "top", "record", "report", "script", "stat", "list", "trace", "probe", "buildid-cache"}  # -v tells what changes nothing
VALUES = {"branch-filter": "any", "clockid": "mono", "cpu": "0", "event": "cpu-clock", "freq": "99", "max-size": "1M", "mmap-pages": "8",
          "pid": "1", "tid": "1", "realtime": "1", "synth": "all", "percentage": "relative", "time-quantum": "1ms", "sort": "comm",
          "fields": "comm", "log-fd": "2", "target-ns": "1", "filter-pids": "1", "affinity": "node", "mmap-flush": "1",
          "num-thread-synthesize": "1", "proc-map-timeout": "1", "disassembler-style": "intel", "percent-type": "local-period",
          "prefix-strip": "1", "samples": "1", "max-blocks": "1", "gen-script": "python", "debug": "verbose=1", "time": "1,2",
          "column-widths": "8", "percent-limit": "1", "max-stack": "9", "count": "1000", "delay": "100", "interval-count": "2",
          "interval-print": "100", "timeout": "100", "repeat": "2", "max-events": "9", "min-stack": "1", "duration": "1.5",
          "max-probes": "9", "count-filter": "3", "switch-max-files": "2", "socket-filter": "0", "group-sort-idx": "1", "uid": "0", "expr": "open",
          "CPU": "1", "cpus": "0", "color-cpus": "0", "color-pids": "1", "prio": "0,120", "entries": "5", "field": "contended", "key": "wait_max",
          "lock-filter": "0x1000", "type-filter": "mutex", "addr-range": "16", "control": "fd:3", "td-level": "1", "pf": "maj", "for-each-cgroup": "x", "bpf-prog": "1", "unit": "cpu", "switch-output-event": "cpu-clock"}
FILTERED = "--event=sched:sched_switch --filter=prev_pid>1"
perf_usage, usage = {}, {}


def guess(command, key):
    """the words to try, and what sonde says of the option"""
    if command not in usage:
        usage[command] = run(sonde, *command.split(), "--help")[1]
        perf_usage[command] = "".join(run(perf, *command.split(), "-h")[1:]) if command not in NO_LIST | {"perf"} else ""
    m = re.search(rf"(?m)^  (?:-\S, |    )?{re.escape(word_of(key))}(?:\b|\|)(\[?[A-Z][^\s]*|[ =][A-Za-z|,:.]+)?  +(\S.*)$", usage[command])
    arg, text = m.groups() if m else (None, "")
    if re.search(rf"(?m)^ {{4}}(?:-\S, | {{4}})?{re.escape(word_of(key))} <", perf_usage[command]) or (arg and not arg.startswith("[")):
        value = VALUES.get(key, "x")
        if key == "filter" and command in ("record", "top", "stat", "trace"):
            return FILTERED, text
        if key == "call-graph":
            return "--call-graph=" + ("graph" if command == "report" else "fp"), text
        return f"-{key} {value}" if len(key) == 1 else f"--{key}={value}", text
    return "", text


def parse(lines):
    """command -> {name: [option, state, tried, text]}; the lines between tables stay"""
    sections, at = {}, None
    for line in lines:
        m = re.match(r"## (?:perf )?([\w-]+(?: [\w-]+)?)$", line)
        if m:
            at = sections.setdefault(m.group(1), {})
        cells = [c.strip() for c in line.strip().strip("|").split(" | ")] if line.startswith("| ") else []
        if at is None or len(cells) != 4 or not cells[0].startswith("`"):
            continue
        name = re.findall(r"`-+([^`]+)`", cells[0])[-1]
        at[name] = cells
    return sections


def main():
    lines = open(table).read().splitlines()
    rows = parse(lines)
    wrong = []
    for command in ["perf"] + COMMANDS:
        have = rows.setdefault(command, {})
        for key, written in options_of(command).items():
            if key in have:
                continue
            wrong.append(f"{command}: no row for {word_of(key)}")
            if update:
                tried, text = guess(command, key)
                have[key] = [written, "?", f"`{tried}`" if tried else "", text]
        for key, row in have.items():
            if update and not row[2] and command != "perf":
                tried = guess(command, key)[0]
                row[2] = f"`{tried}`" if tried else ""
        asked = {key: row[2].strip("`").split() or [word_of(key)] for key, row in have.items()}
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            told = dict(zip(asked, pool.map(lambda words, c=command: outcome(c, words), asked.values())))
        for key, row in have.items():
            words, (state, said) = asked[key], told[key]
            if update and state == "refused" and (row[1] != "refused" or not row[3] or row[3].endswith("is not a sonde command")):
                row[3] = re.sub(r"^sonde: (?:-+[\w-]+: )?", "", said.splitlines()[0])
            elif update and state == "needless" and row[1] != "needless":
                row[3] = re.sub(r".*changes nothing: ", "", said.splitlines()[0])
            elif update and state == "there" and (row[1] != "there" or not row[3]):
                row[3] = guess(command, key)[1]
            if state != row[1]:
                wrong.append(f"{command} {' '.join(words)}: the row says {row[1]}, sonde: {state} {said.strip()[:200]!r}")
                row[1] = state if update else row[1]
            if not row[3]:
                wrong.append(f"{command} {word_of(key)}: the row says nothing of it")
    if update:
        write(lines, rows)
    for line in wrong:
        print(line)
    n = [r[1] for c in rows.values() for r in c.values()]
    print(f"{len(n)} options: {n.count('there')} there, {n.count('needless')} needless, {n.count('refused')} refused")
    sys.exit(bool(wrong))


def write(lines, rows):
    head = []
    for line in lines:
        if line.startswith("## "):
            break
        head.append(line)
    texts, at = {}, None  # what else a section says, above its table
    for line in lines:
        m = re.match(r"## (?:perf )?([\w-]+(?: [\w-]+)?)$", line)
        at = m.group(1) if m else at
        if at and not m and not line.startswith("|"):
            texts.setdefault(at, []).append(line)
    with open(table, "w") as f:
        print("\n".join(head).rstrip(), file=f)
        for command in ["perf"] + COMMANDS:
            print(f"\n## {'perf ' if command != 'perf' else ''}{command}\n", file=f)
            text = "\n".join(texts.get(command, [])).strip()
            if text:
                print(text + "\n", file=f)
            print("| perf's option | here | tried as | what it is here, or why it is not |\n|---|---|---|---|", file=f)
            for key in sorted(rows[command], key=lambda k: (k.lower(), k)):
                print("| " + " | ".join(c.replace("|", "/") for c in rows[command][key]) + " |", file=f)


main()
