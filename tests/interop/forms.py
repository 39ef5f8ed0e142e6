#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# forms.py STRACE SONDE: two traces of one program, line by line. What differs from run to run (process numbers, addresses,
# clocks, durations) is replaced by what it looks like, width and all; everything else must be the same.
import difflib, re, sys

RESULT = re.compile(r"(.*\))( +)(= .*)$")

# Every process number becomes five characters, in its column: the next run's may have more digits, or fewer.
def letters(n):
    return "P" + "".join(chr(ord("a") + n // 26 ** i % 26) for i in (3, 2, 1, 0))

def without_pids(l, pids):
    def pid(m):
        return m.group(1) + pids.setdefault(m.group(2), letters(len(pids))) + (m.group(3) if m.lastindex > 2 else "")
    def head(m):
        behind = len(m.group(3)) - max(5 - len(m.group(2)), 0) - 1  # it fills up five columns
        return m.group(0) if behind < 0 else pid(m).rstrip() + " " * (1 + behind)
    before = RESULT.match(l)
    l = re.sub(r"^(\[pid +)(\d+)(\])", lambda m: pid(m) if len(m.group(0)) != max(len(m.group(2)), 5) + 6 else re.sub(" +", " ", pid(m)), l)
    l = re.sub(r"^()(\d{1,7})( +)(?=\S)", head, l)
    l = re.sub(r"^()(\d+)(<[^>]*> )", pid, l)
    l = re.sub(r"(si_pid=|execve in pid |vfork\(\) += |set_tid_address\([^)]*\) += |wait4\(-1, .* = |kill\(|pidfd_open\(|<pid:|get[p]?pid\(\) += )(\d+)", pid, l)
    after = RESULT.match(l)
    if not before or not after:
        return l
    wider = len(after.group(1)) - len(before.group(1))
    return after.group(1) + " " * max(1, len(before.group(2)) - wider) + after.group(3)

def lines(path):
    pids = {}
    def shape(m):
        return re.sub("[0-9]", "9", m.group(0))
    for l in open(path, errors="surrogateescape"):
        l = without_pids(l.rstrip("\n"), pids)
        l = re.sub(r"0x[0-9a-f]{9,}", lambda m: "0x" + "f" * (len(m.group(0)) - 2), l)
        l = re.sub(r"\[[0-9a-f]{16}\]", "[%s]" % ("f" * 16), l)
        l = re.sub(r"(?<![\w.])\d\d:\d\d:\d\d(\.\d+)?(?= )", shape, l)
        l = re.sub(r"(?<![\w.])\d{10}(\.\d+)? (?=\S)", shape, l)
        l = re.sub(r"(^|P[a-z]{4} |\(\+) +\d+(\.\d+)?(?=\)? )", shape, l)
        l = re.sub(r" <\d+(\.\d+)?>$", shape, l)
        l = re.sub(r"si_([us])time=[^,}]*", r"si_\1time", l)
        l = re.sub(r"st_[amc]time(_nsec)?=[^,}]*", "st_time", l)
        l = re.sub(r'^(.*getrandom\()"(\\x[0-9a-f]{2})+"', r'\1"RANDOM"', l)
        yield l

# Where results stand: -a says it, and lines that are short enough show it.
def column(text):
    at = [len(m.group(1)) + len(m.group(2)) for m in map(RESULT.match, text) if m and len(m.group(2)) > 1]
    return max(at, key=at.count) - 1 if at else 39

# A call that took long on a busy machine is told in two lines: in one again, with the result where it would be.
def joined(path):
    out, tail = [], " <unfinished ...>"
    text = list(lines(path))
    for l in text:
        m = re.match(r"((?:P[a-z]{4}(?:<[^>]*>)? +|\[pid +P[a-z]{4}\] )?(?:[\d:. ]+ )?)<\.\.\. \w+ resumed>(.*)$", l)
        if m and out and out[-1].endswith(tail) and out[-1].startswith(m.group(1).split(" ")[0]):
            r = re.match(r"(.*\)) += (.*)$", out.pop()[:-len(tail)] + m.group(2))
            l = "%s = %s" % (r.group(1).ljust(column(text)), r.group(2))
        out.append(l)
    return out

a, b = joined(sys.argv[1]), joined(sys.argv[2])
diff = list(difflib.unified_diff(a, b, "strace", "sonde", lineterm="", n=0))
print("\n".join(diff))
sys.exit(bool(diff) or not a)
