# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of the ELF, DWARF and unwinding target (make soak runs it for an hour).
fuzz elf 8000
