# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of the reader of saved scripts (make soak runs it for an hour).
fuzz saved 30000 -max_len=4096
