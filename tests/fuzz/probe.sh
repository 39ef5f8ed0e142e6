# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of probe definitions and DWARF queries (make soak runs it for an hour).
fuzz probe 4000
