# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of doc/HOWTO-*.md work: they are applied to a copy of the tree, all together, which is built with what
# `make` has built already; their commands then print what the page shows, times and threads apart. A block says what it is for in
# the line that opens it:
#   ```c new=PATH                a file
#   ```c add=PATH                at the end of one; after="TEXT", before="TEXT": at that line; sorted: by its number
#   ```c replace="TEXT" in=PATH  in the place of that line
#   ```console                   commands ($) and what they print
# needs: python3 gcc make
# timeout: 300
[ "$(id -u)" = 0 ] || skip "the examples are root's"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"
build=${BUILD:-build}
mkdir -p tree/build
(cd "$SOURCE" && tar c Makefile src tests/unit doc) | tar x -C tree
[ ! -d "$SOURCE/$build/src" ] || cp -a "$SOURCE/$build/src" "$SOURCE/$build/gen" tree/build/
cat >examples.py <<'P'
import re, subprocess, sys
def blocks(text):
    for m in re.finditer(r"^( *)```(\S+)(?: ([^\n]*))?\n(.*?)^ *```$", text, re.S | re.M):
        body = "".join(l[len(m[1]):] if l.startswith(m[1]) else l for l in m[4].splitlines(True))
        if m[1]: body = re.sub(r"^(?: {8})+", lambda i: "\t" * (len(i[0]) // 8), body, flags=re.M) # inside a list
        yield m[2], m[3] or "", body
def option(words, name):
    m = re.search(r'\b%s=(?:"(.*)"|(\S+))' % name, words) # the text may have quotes in it: it goes to the last one
    return m and (m[1] or m[2])
def place(text, words, body, path):
    for name, before, after in (("after", 1, 1), ("before", 0, 0), ("replace", 0, 1)):
        anchor = option(words, name)
        if not anchor: continue
        lines = text.splitlines(True)
        hits = [i for i, l in enumerate(lines) if anchor in l]
        if len(hits) != 1: sys.exit(f"{path}: {len(hits)} lines have: {anchor}")
        return "".join(lines[:hits[0] + before]) + body + "".join(lines[hits[0] + after:])
    if re.search(r"\bsorted\b", words):
        number = int(re.search(r"0x[0-9a-f]+", body)[0], 16)
        for m in re.finditer(r"IOCTL_NAME\((0x[0-9a-f]+)", text):
            if int(m[1], 16) > number: return text[:m.start()] + body + text[m.start():]
    return text + body
def apply(page):
    made = []
    for lang, words, body in blocks(open("doc/" + page).read()):
        new, add = option(words, "new"), option(words, "add") or option(words, "in")
        if new: open(new, "x").write(body)
        if add:
            text = open(add).read()
            open(add, "w").write(place(text, words, body, f"doc/{page}: {add}"))
        if new or add: made.append(new or add)
    print(page, "changes", " ".join(made) or "nothing")
def plain(text): # times apart, and the thread that a trace names where it does not go to a terminal
    return [re.sub(r" +", " ", re.sub(r"(\): )\w+/\d+ ", r"\1", re.sub(r"\b\d+\.\d+", "#", l))).rstrip() for l in text.splitlines()]
def run(page):
    n = 0
    for lang, words, body in blocks(open("doc/" + page).read()):
        if lang != "console": continue
        for part in re.split(r"^(?=\$ )", body, flags=re.M):
            if not part: continue
            command, _, shown = part.partition("\n")
            got = subprocess.run(["bash", "-c", command[2:]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, timeout=60)
            if plain(got.stdout) != plain(shown): sys.exit(f"doc/{page}: {command}\n--- shown\n{shown}--- now\n{got.stdout}")
            n += 1
    print(page, n, "commands")
for page in sys.argv[2:]: {"apply": apply, "run": run}[sys.argv[1]](page)
P
cd tree
pages=(); for p in doc/HOWTO-*.md; do pages+=("${p#doc/}"); done
run python3 ../examples.py apply "${pages[@]}"; ok
has '^HOWTO-decode-a-syscall.md changes .*calls.def.*family/lamp.c'; has '^HOWTO-add-a-command.md changes .*src/cmd/hello.c'
run make -s -j"$(nproc)" OPT=-O0 CC=gcc all build/unit/decode; ok
export PATH=$PWD/build:$PATH
run build/unit/decode; ok; has 'OK . test_lamp'
run python3 ../examples.py run "${pages[@]}"; ok; has '^HOWTO-decode-a-syscall.md [5-9] commands'
