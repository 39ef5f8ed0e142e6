# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run over what JITs leave: jitdumps and perf maps (make soak runs it for an hour).
fuzz jit 40000
