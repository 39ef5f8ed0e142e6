# SPDX-License-Identifier: GPL-2.0-or-later
# The checks of `make lint` hold for the whole tree, and they do find what they look for.
# needs: clang shellcheck git
# timeout: 600
cd "$SOURCE"
git -c safe.directory="$SOURCE" rev-parse --git-dir >/dev/null 2>&1 || skip "not a git tree"
run tools/lint; ok; has '^lint: clean$'
run tools/lint nonsense; exits 129

# a tree of its own, with one fault of each kind
m=$T/tree; mkdir -p "$m/tools" "$m/src/base" "$m/src/kernel" "$m/src/cmd" "$m/build/gen"
cp tools/lint "$m/tools/"; cp .clang-format "$m/"
cat >"$m/src/base/bad.c" <<'END'
#include "cmd/up.h"
#include <string.h>
void bad(char *p, int unused) { strcpy(p, "x"); }
const char *const where[] = { "/proc/self/maps", "%s/sys", "look into /proc/self/maps" };
END
echo 'struct { unknown_type x; };' >"$m/src/cmd/up.h"
printf '#!/usr/bin/env bash\nrm -rf $1/\nfor f in `ls`; do echo $f; done\ncd "$@" | unused=\n[ $a == ]\n' >"$m/tools/worse"
for i in {1..20}; do echo "int  crooked_$i( void );"; done >"$m/src/base/crooked.h"
{ echo '// SPDX-License-Identifier: GPL-2.0-or-later'; echo 'int long_one(void)'; echo '{'; for _ in $(seq 101); do echo '	;'; done; echo '	return 0;'; echo '}'; } >"$m/src/kernel/long.c"
mkdir -p "$m/src/job" "$m/src/engine/bpf" "$m/src/ui"
printf '%s\n' '#include "kernel/root.h"' 'int start(void) { return fork(); }' >"$m/src/ui/asks.c"
printf '%s\n' '#include "engine/bpf/table.h"' 'int which(void *ops) { return ops != &engine_bpf; }' >"$m/src/job/engines.c"
printf '%s\n' '#include "engine/bpf/table.h"' >"$m/src/engine/bpf/own.c"
printf '%s\n' 'struct twice { int a; };' 'enum here { ONE };' >"$m/src/job/one.h"
printf '%s\n' '/* struct here { } */' 'struct twice { int b; };' 'struct option { int c; };' >"$m/src/job/two.h"
mkdir -p "$m/src/crowd"; for i in {1..31}; do : >"$m/src/crowd/$i.h"; done; seq 201 >"$m/src/job/tall.h"
# objects, one of which refers to what the other has
echo 'void used(void); void unused(void); void used(void) { } void unused(void) { } void tested(void) { }' >"$m/src/job/a.c"
echo 'void used(void); int main(void) { used(); return 0; }' >"$m/src/job/b.c"
mkdir -p "$m/build/src/job"; for f in a b; do gcc -w -c -o "$m/build/src/job/$f.o" "$m/src/job/$f.c"; done
mkdir -p "$m/tests/host" "$m/tests/unit" "$m/doc"; echo 'void call(void) { tested(); }' >"$m/tests/unit/a.c"
echo 'run true; ok' >"$m/tests/host/new.sh"; echo '# A page' >"$m/doc/page.md"
run "$m/tools/lint"; exits 1; has 'tests/host/new.sh: no SPDX line'; has 'doc/page.md: no SPDX line'
has 'src/base/bad.c: no SPDX line'; has 'src/base/bad.c:3:.*strcpy'; has 'base includes cmd'; has 'src/base/bad.c:4:.*/proc/self/maps'; has '^lint: clang:'; has '^lint: gcc:'
has 'of [0-9]+ lines are laid out otherwise'; has 'more than 4 %'
has 'src/cmd/up.h does not compile alone'; has '^lint: shellcheck:'; has '102 src/kernel/long.c:3 long_one'
# an engine's inner header, and a pointer to an engine, outside of it
run "$m/tools/lint" engines; exits 1; has 'src/job/engines.c:1:.*engine/bpf/table.h'; has 'src/job/engines.c:2:.*!= &engine_bpf'; hasnt 'own.c'
run "$m/tools/lint" tags; exits 1; has 'src/job/two.h:2: struct twice, also in src/job/one.h:1'; has 'two.h:3: struct option, also in the C library'; hasnt 'here'
run "$m/tools/lint" sizes; exits 1; has '^src/crowd: 31 files$'; has '^src/job/tall.h: 201 lines$'; hasnt 'src/base'
run "$m/tools/lint" static; exits 1; has '^build/src/job/a.o: unused$'; hasnt ': used|tested|main'
run "$m/tools/lint" ui; exits 1; has 'src/ui/asks.c:1:.*kernel/root.h'; has 'src/ui/asks.c:2:.*fork'
# the licence line can be added where it is missing
run "$m/tools/lint" fix; ok
run "$m/tools/lint" licence; has 'tools/worse: no SPDX'; hasnt 'new.sh|page.md|bad.c|up.h'
