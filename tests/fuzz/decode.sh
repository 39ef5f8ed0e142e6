# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of the system call decoder on random events (make soak runs it for an hour).
program=$("$TOP/tests/fuzz/build" decode 2>"$T/err") || { code=$?; cat "$T/err"; exit $code; }
mkdir found
run timeout 60 "$TOP/$program" -max_total_time=8 -timeout=10 -rss_limit_mb=2048 -seed=1 -verbosity=0 -max_len=2048 found
ok
