# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of the event grammar (make soak runs it for an hour).
fuzz events 12000
