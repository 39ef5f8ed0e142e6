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
cp tools/lint "$m/tools/"
cat >"$m/src/base/bad.c" <<'END'
#include "cmd/up.h"
#include <string.h>
void bad(char *p, int unused) { strcpy(p, "x"); }
END
echo 'struct { unknown_type x; };' >"$m/src/cmd/up.h"
printf '#!/usr/bin/env bash\nrm -rf $1/\nfor f in `ls`; do echo $f; done\ncd "$@" | unused=\n[ $a == ]\n' >"$m/tools/worse"
{ echo '// SPDX-License-Identifier: GPL-2.0-or-later'; echo 'int long_one(void)'; echo '{'; for _ in $(seq 101); do echo '	;'; done; echo '	return 0;'; echo '}'; } >"$m/src/kernel/long.c"
mkdir -p "$m/tests/host" "$m/doc"; echo 'run true; ok' >"$m/tests/host/new.sh"; echo '# A page' >"$m/doc/page.md"
run "$m/tools/lint"; exits 1; has 'tests/host/new.sh: no SPDX line'; has 'doc/page.md: no SPDX line'
has 'src/base/bad.c: no SPDX line'; has 'src/base/bad.c:3:.*strcpy'; has 'base includes cmd'; has '^lint: clang:'; has '^lint: gcc:'
has 'src/cmd/up.h does not compile alone'; has '^lint: shellcheck:'; has '102 src/kernel/long.c:3 long_one'
# the licence line can be added where it is missing
run "$m/tools/lint" fix; ok
run "$m/tools/lint" licence; has 'tools/worse: no SPDX'; hasnt 'new.sh|page.md|bad.c|up.h'
