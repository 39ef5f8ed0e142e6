# SPDX-License-Identifier: GPL-2.0-or-later
# An ordinary user traces own programs with no set-up at all.
# as: nobody
run "$SONDE" trace -e openat,execve cat /etc/hostname; ok
err_has 'openat\(dfd: CWD, filename: "/etc/hostname", flags: RDONLY\) += 3'
err_has 'execve\(filename: "[^"]*/cat", argv: \["cat", "/etc/hostname"\]'
run "$SONDE" trace -a; exits 255; err_has '^hint:'
run "$SONDE" trace -p 1; exits 255; err_has '^hint:'
# page faults: those of user space
run "$SONDE" trace -F all -o /dev/stdout cat /etc/hostname
case $err in *'no permission'*|*paranoid*) ;; *) ok; has 'minfault \[.*\] => .*\(d\.\)'; hasnt '\(.k\)$' ;; esac
