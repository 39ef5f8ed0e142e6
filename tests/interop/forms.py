#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# forms.py STRACE SONDE: two traces of one program, line by line. What differs from run to run (process numbers, addresses,
# clocks, durations) is replaced by what it looks like, width and all; everything else must be the same.
import difflib, re, sys

def lines(path):
    pids = {}
    def pid(m):
        return m.group(1) + pids.setdefault(m.group(2), "PID%d" % len(pids)) + (m.group(3) if m.lastindex > 2 else "")
    def shape(m):
        return re.sub("(?<!D)[0-9]", "9", m.group(0))
    for l in open(path, errors="surrogateescape"):
        l = l.rstrip("\n")
        l = re.sub(r"^(\[pid +)(\d+)(\])", pid, l)
        l = re.sub(r"^()(\d+)((<[^>]*>)? +(?=\S))", lambda m: m.group(0) if "." in m.group(2) else pid(m), l)
        l = re.sub(r"(si_pid=|execve in pid |vfork\(\) += |set_tid_address\([^)]*\) += |wait4\(-1, .* = |kill\(|pidfd_open\(|<pid:|get[p]?pid\(\) += )(\d+)", pid, l)
        l = re.sub(r"0x[0-9a-f]{9,}", lambda m: "0x" + "f" * (len(m.group(0)) - 2), l)
        l = re.sub(r"\[[0-9a-f]{16}\]", "[%s]" % ("f" * 16), l)
        l = re.sub(r"(?<![\w.])\d\d:\d\d:\d\d(\.\d+)?(?= )", shape, l)
        l = re.sub(r"(?<![\w.])\d{10}(\.\d+)? (?=\S)", shape, l)
        l = re.sub(r"(^|PID\d+ |\(\+) +\d+(\.\d+)?(?=\)? )", shape, l)
        l = re.sub(r" <\d+(\.\d+)?>$", shape, l)
        l = re.sub(r"si_([us])time=[^,}]*", r"si_\1time", l)
        l = re.sub(r"st_[amc]time(_nsec)?=[^,}]*", "st_time", l)
        l = re.sub(r'^(.*getrandom\()"(\\x[0-9a-f]{2})+"', r'\1"RANDOM"', l)
        yield l

# A call that took long on a busy machine is told in two lines: in one again, with the result where it would be.
def joined(path):
    out, tail = [], " <unfinished ...>"
    for l in lines(path):
        m = re.match(r"((?:PID\d+(?:<[^>]*>)? +|\[pid +PID\d+\] )?(?:[\d:. ]+ )?)<\.\.\. \w+ resumed>(.*)$", l)
        if m and out and out[-1].endswith(tail) and out[-1].startswith(m.group(1).split(" ")[0]):
            r = re.match(r"(.*\)) += (.*)$", out.pop()[:-len(tail)] + m.group(2))
            l = "%s = %s" % (r.group(1).ljust(39), r.group(2))
        out.append(l)
    return out

a, b = joined(sys.argv[1]), joined(sys.argv[2])
diff = list(difflib.unified_diff(a, b, "strace", "sonde", lineterm="", n=0))
print("\n".join(diff))
sys.exit(bool(diff) or not a)
