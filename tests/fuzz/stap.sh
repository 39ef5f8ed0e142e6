# SPDX-License-Identifier: GPL-2.0-or-later
# needs: clang
# timeout: 600
# A short run of the parser of SystemTap's language, and of what runs it (make soak runs it for an hour).
fuzz stap 12000 -max_len=2048
