# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of the compiler of sonde run (make soak runs it for an hour).
fuzz script 12000 -max_len=2048
