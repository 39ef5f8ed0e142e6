# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of the system call decoder on random events (make soak runs it for an hour).
fuzz decode 20000 -max_len=2048
