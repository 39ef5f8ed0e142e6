# SPDX-License-Identifier: GPL-2.0-or-later
# The scripts of share/sonde/tools that take kprobes.
# shellcheck disable=SC2154
tools=$TOP/share/sonde/tools
# until CONDITION NAME: the tool runs until it has said that
until_said() { after "grep -Eq -- '$1' \"\$T/out\"" INT "$SONDE" run -q "$tools/$2.bt"; ok; has "$1"; }
(while :; do cat /etc/hosts >/dev/null; setpriv --reuid 65534 kill -0 1 2>/dev/null || :; chown 0 /tmp; : >/tmp/made; rm /tmp/made; done) & load=$!
trap 'kill $load' EXIT
until_said '^@\[vfs_read\]: [1-9]' vfsstat; has '^@\[vfs_unlink\]: [1-9]'
until_said '^[0-9:]+ +65534 +[0-9]+ +kill +5$' capable # CAP_KILL
until_said '^[0-9:]+ +[1-9][0-9]* +[0-9]+$' cachestat; hasnt '^@'
