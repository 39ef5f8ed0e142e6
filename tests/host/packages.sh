# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3
# packages.txt is enough: every program that the Makefile, tools, tests and benchmarks call comes from a package
# that it lists, from one of their dependencies, or from what every Debian has (essential, apt, git, make).
[ -e /var/lib/dpkg/status ] || skip "no Debian here"
cd "$TOP"
awk '!/^#/ && NF && ($1 !~ /^(build|run|check)$/ || NF != 2) { print "not understood: " $0; bad = 1 } !/^#/ && seen[$2]++ { print "twice: " $2; bad = 1 } END { exit bad }' packages.txt || fail "packages.txt"
cat >"$T/closure.py" <<'PY'
import glob, os, re, shutil, sys
packages, provides = {}, {}
for block in open("/var/lib/dpkg/status", errors="replace").read().split("\n\n"):
    f = dict(re.findall(r"^([A-Za-z-]+): (.*)$", block, re.M))
    if "Package" in f and f.get("Status", "").endswith("installed"):
        packages[f["Package"]] = f
        for p in re.findall(r"[a-z0-9][a-z0-9+.-]+", f.get("Provides", "")):
            provides.setdefault(p, set()).add(f["Package"])
todo = [l.split()[1] for l in open("packages.txt") if l.strip() and l[0] != "#"]
todo += ["apt", "git", "make"] + [n for n, f in packages.items() if f.get("Essential") == "yes"]
known = set()
while todo:
    n = todo.pop()
    if n in known: continue
    known.add(n)
    todo += provides.get(n, ())
    f = packages.get(n, {})
    for d in re.split(r"[,|]", f.get("Depends", "") + "," + f.get("Pre-Depends", "")):
        name = re.match(r"\s*([a-z0-9][a-z0-9+.-]+)", d)
        if name: todo.append(name.group(1))
files = [f for p in ("tests/*/*.sh", "tests/run", "tests/chroot", "tests/*.sh", "tests/guest/*", "tests/fuzz/*", "tools/*", "bench/*", "Makefile") for f in glob.glob(p) if os.path.isfile(f)]
used = {}
for name in files:
    try: text = open(name).read()
    except UnicodeDecodeError: continue
    text = re.sub(r"<<'?([A-Z]+)'?\n.*?\n\1\n", "\n", text, flags=re.S) # what is fed to others
    for line in text.splitlines():
        if line.lstrip().startswith("#"):
            words = line.split(":", 1)[1].split() if line.startswith("# needs:") else []
        else:
            line = re.sub(r"'[^']*'", "''", line)
            words = re.findall(r"(?:^|[|;&(]|\bdo|\bthen|\belse|\bif|!|\brun|\bexec|timeout [0-9.]+|--|nobody)\s*([a-z][a-z0-9+_.-]+)(?=\s)", line)
        for w in words: used.setdefault(w, name)
no_commands = set("file time write pc script link who".split()) # words of ours
owner = {} # /usr/bin/x: the packages that have it
for name in glob.glob("/var/lib/dpkg/info/*.list"):
    for l in open(name, errors="replace"):
        if "/bin/" in l or "/sbin/" in l: owner.setdefault(l.rstrip("\n"), set()).add(os.path.basename(name)[:-5].split(":")[0])
missing = []
for w, where in sorted(used.items()):
    path = shutil.which(w)
    if not path or w in no_commands or path.startswith(os.environ.get("TOP", "/nonexistent")): continue
    real = os.path.realpath(path)
    owners = {o for p in (path, real, real.replace("/usr/", "/", 1), path.replace("/usr/", "/", 1)) for o in owner.get(p, ())}
    if owners and not owners & known: missing.append("%s (in %s) is from %s" % (w, where, ", ".join(owners)))
print("%d programs are called" % len([w for w in used if shutil.which(w)]))
if missing: print("\n".join(missing)); sys.exit(1)
PY
run python3 "$T/closure.py"; ok; has '^([5-9][0-9]|[0-9]{3,}) programs'
