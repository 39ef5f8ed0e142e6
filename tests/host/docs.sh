# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3 git
# What the documents for those who change the code name in backquotes is there: every path, every function, struct,
# constant and macro. And what is to be complete is: the kinds of arguments and fields in HOWTO-decode-a-syscall.md.
cat >names.py <<'P'
import glob, os, re, sys
os.chdir(sys.argv[1])
pages = sys.argv[2:]
tree = [f for d in ("src", "tests", "tools", "bench", "doc", ".ci") for f in glob.glob(d + "/**", recursive=True)]
tree += glob.glob("*") + glob.glob(".*")
files = set(tree)
base = {os.path.basename(f) for f in tree}
words = set()
for f in tree:
    if os.path.isfile(f) and re.match(r"(src|tests|tools|bench|\.ci)/|Makefile$", f) and "/corpus/" not in f:
        words |= set(re.findall(r"[A-Za-z_]\w+", open(f, errors="replace").read()))
places = ("", "src/", "doc/", "src/syscall/", "src/syscall/tables/", "src/cmd/", "src/script/")
def there(path):
    path = path.rstrip("/")
    return any(p + path in files or glob.glob(p + path) for p in places) or ("/" not in path and path in base)
wrong, n = [], 0
for page in pages:
    text = open(page).read()
    own = set(re.findall(r"[A-Za-z_]\w+", "".join(re.findall(r"^ *```.*?^ *```", text, re.S | re.M)))) # of its examples
    made = set(re.findall(r'\bnew=(\S+)', text)) | {os.path.basename(m) for m in re.findall(r'\bnew=(\S+)', text)}
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.S | re.M)
    for span in re.findall(r"`([^`\n]+)`", prose):
        for w in re.split(r"[\s,]+", span):
            w = re.sub(r"^[(]+|[;:.]+$", "", w)
            bare = re.match(r"(\w+)(\[\]|\(.*)?$", w)
            if re.fullmatch(r"[\w.*{}-]+(/[\w.*{}-]*)+|[\w*-]+\.(c|h|def|md|sh|py|bash|txt)", w):
                if re.search(r"\b(NAME|DIR|VERSION|PID)\b|[{}]", w): continue # stands for any
                if re.match(r"(linux|asm|asm-generic|include/linux)/\S+\.h$|(new|old)/", w): continue # the kernel's
                n += 1
                if not there(w) and w not in made: wrong.append(f"{page}: no file {w}")
            elif bare and ("_" in bare[1] or w.endswith("()") or w.endswith("[]")) and not re.match(r"_|.*_$", bare[1]):
                n += 1
                if bare[1] not in words and bare[1] not in own: wrong.append(f"{page}: nothing is called {bare[1]}")
print(n, "names in", len(pages), "pages")
for w in wrong: print(w)
sys.exit(bool(wrong) or n < 100)
P
cd "$SOURCE"
pages=(doc/WALK.md doc/HOWTO-*.md)
for p in doc/GLOSSARY.md CONTRIBUTING.md doc/TESTING.md; do [ ! -e "$p" ] || pages+=("$p"); done
run python3 "$T/../names.py" "$SOURCE" "${pages[@]}"; ok
# every kind, as the code has them
page=doc/HOWTO-decode-a-syscall.md
{
	sed -n '/^enum call_id/q; s/^#define \([A-Z0-9_]*\).*/\1/p' src/syscall/table.c | grep -vx ARG
	sed -n '/^enum field_kind/,/^}/p' src/syscall/structs.h | grep -o 'FIELD_[A-Z]*' | sed 's/FIELD_//'
	grep -o 'enum ioctl_how {.*}' src/syscall/ioctl/ioctl.c | grep -o 'H_[A-Z0-9]*' | sed 's/H_//'
} | sort -u >"$T/kinds"
[ "$(wc -l <"$T/kinds")" -gt 80 ] || fail "too few kinds were found in the code"
while read -r kind; do grep -q "\`${kind}[\`(]" "$page" || echo "$page does not name $kind"; done <"$T/kinds" >"$T/lacking"
[ ! -s "$T/lacking" ] || { cat "$T/lacking"; fail "kinds that nobody is told of"; }
# README leads to every document: by its path, or by the end of its name beside a neighbour's
for d in CONTRIBUTING.md doc/*.md; do
	grep -qF "\`$d\`" README.md || grep -qF "\`${d#doc/HOWTO-add}\`" README.md || fail "README does not name $d"
done
# WALK has every folder, and the order of includes that lint checks
find src -mindepth 1 -type d -printf '%P\n' >"$T/folders"
while read -r d; do
	grep -qE "^\| \`${d%%/*}/\`.*$([ "$d" = "${d#*/}" ] || echo "\`${d#*/}/\`")" doc/WALK.md || fail "WALK.md does not name src/$d"
done <"$T/folders"
order() { tr '\n' ' ' | grep -oE 'cmd (→|->) .* base' | head -n 1 | sed 's/→/->/g; s/# //g; s/  */ /g'; }
same "$(sed -n '/^Includes point/,$p' doc/WALK.md | order)" "$(sed -n '/^# cmd -> job/,/base\./p' tools/lint | order)" "WALK.md and tools/lint order includes otherwise"
