# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of the reader of trace.dat files (make soak runs it for an hour).
fuzz tracedat 20000 -rss_limit_mb=1024
