# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of probe definitions and DWARF queries from its seeds (make soak runs it for an hour).
program=$("$TOP/tests/fuzz/build" probe 2>"$T/err") || { cat "$T/err"; skip "clang has no libFuzzer here (libclang-rt-14-dev)"; }
mkdir found
run timeout 60 "$TOP/$program" -max_total_time=8 -timeout=10 -rss_limit_mb=2048 -seed=1 -verbosity=0 found "$TOP/tests/fuzz/corpus/probe"
ok
