# SPDX-License-Identifier: GPL-2.0-or-later
# guest-files: /usr/lib/x86_64-linux-gnu/libcapstone.so.4
# annotate: the kernel's functions from /proc/kcore, with their own names; not for a user who may not read it.
run "$SONDE" record -q -e cpu-clock:k -F 999 -o k.data dd if=/dev/zero of=/dev/null bs=1 count=20k; ok
run "$SONDE" annotate --ignore-vmlinux -i k.data --stdio; ok
has 'Source code & Disassembly of \[kernel\.kallsyms\] for cpu-clock:k'; has '<vfs_write>:$|<[a-z_]+>:$'; has '^ +[1-9][0-9.]* :   ffffffff[0-9a-f]+: +[a-z]'
has 'call   ffffffff[0-9a-f]+ <[a-z_]+>|j[a-z]+ +ffffffff[0-9a-f]+ <[a-z_]+\+0x'
name=$(grep -oE '<[a-z_]+>:$' "$T/out" | head -n 1 | tr -d '<>:')
run "$SONDE" annotate --ignore-vmlinux -i k.data --stdio "$name"; ok; same "$(grep -c 'Disassembly of section' "$T/out")" 1
chmod 644 k.data
run as_nobody "$SONDE" annotate --ignore-vmlinux -f -i k.data --stdio; exits 255; err_has 'neither vmlinux nor, for this user, /proc/kcore|no sample is left|of none of'
