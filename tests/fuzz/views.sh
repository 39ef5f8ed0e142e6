# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of what is shown of recordings: report, diff, annotate, sched (make soak runs it for an hour).
fuzz views 4000 -rss_limit_mb=1024
