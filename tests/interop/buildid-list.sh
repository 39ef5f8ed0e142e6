# SPDX-License-Identifier: GPL-2.0-or-later
# buildid-list beside perf's: of a recording, of those with hits, of the kernel and its parts, of a binary.
# needs: perf
[ "$(id -u)" -eq 0 ] || skip "needs root"
run "$SONDE" record -q -g -e cpu-clock -F 999 -o r.data dd if=/dev/zero of=/dev/null bs=1 count=100k; ok
agree() { run "$SONDE" buildid-list "$@"; ok; [ -n "$out" ] || fail "$*: nothing"; same "$out" "$(perf buildid-list "$@" 2>/dev/null)" "$*"; }
agree -i r.data
run "$SONDE" buildid-list -H -i r.data; ok; has ' /usr/bin/dd$'; has '\[kernel.kallsyms\]$'
same "$(grep -v vdso <<<"$out" | sort)" "$(perf buildid-list -H -i r.data 2>/dev/null | grep -v vdso | sort)" "with hits" # perf names the vdso after a file of its own
agree -k
agree -m
agree -i "$SONDE"
run "$SONDE" buildid-list -i r.data -m -H; ok # as perf: -m goes first
run "$SONDE" buildid-list -i /nosuch; exits 255; err_has '/nosuch'
run "$SONDE" buildid-list -i /etc/passwd; exits 255; err_has 'not a perf.data file'
# through a pipe
"$SONDE" record -q -e cpu-clock -F 999 -o - dd if=/dev/zero of=/dev/null bs=1 count=100k 2>/dev/null | "$SONDE" buildid-list -i - >piped
grep -q ' /usr/bin/dd$' piped || fail "nothing through the pipe"
