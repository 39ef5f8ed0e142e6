# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of the reader of recordings (make soak runs it for an hour).
fuzz perfdata 30000 -rss_limit_mb=1024
