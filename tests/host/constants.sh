# SPDX-License-Identifier: GPL-2.0-or-later
# The constants, ioctl commands and call numbers in src/syscall/tables are those of the kernel's headers that are installed
# here; tools/constants finds a wrong one, and what newer headers have besides.
# needs: python3 gcc objcopy
# timeout: 300
[ -e /usr/include/linux/types.h ] && [ -e /usr/include/x86_64-linux-gnu/asm/unistd_64.h ] || skip "no kernel headers of x86-64 here"
run "$SOURCE/tools/constants"; ok
has '^headers of Linux [0-9.]+: [4-9][0-9]{3} constants and [23][0-9]{3} ioctl commands compared, 0 differ$'; hasnt '^add to'

# a tree of its own with one fault of each kind, and newer headers
mkdir -p tree/tools tree/src/syscall headers
cp "$SOURCE/tools/constants" tree/tools/; cp -r "$SOURCE/src/syscall/tables" tree/src/syscall/
t=tree/src/syscall/tables
sed -i 's/V(PROT_EXEC, 4)/V(PROT_EXEC, 5)/' $t/constants.def
sed -i 's/^NR(39, getpid)/NR(39, getppid)/' $t/nr64.def; sed -i '/^NR(20, getpid)/d' $t/nr32.def
mkdir -p headers/x86_64-linux-gnu
cp -rL /usr/include/linux /usr/include/asm-generic headers/; cp -rL /usr/include/x86_64-linux-gnu/asm headers/x86_64-linux-gnu/
echo '#define __NR_lamp 999' >>headers/x86_64-linux-gnu/asm/unistd_64.h
echo '#define PR_SET_LAMP 9999' >>headers/linux/prctl.h
sed -i 's/^\tBPF_PROG_LOAD,/\tBPF_LAMP = 9998,\n&/' headers/linux/bpf.h
run tree/tools/constants headers --since /usr/include --no-ioctls; exits 1
has '^differs: constants.def: prot: PROT_EXEC is 0x5 here and 0x4 in asm-generic/mman-common.h$'
has '^differs: nr64.def: 39 is getppid here and getpid in asm/unistd_64.h$'; has '^add to nr32.def: NR\(20, getpid\)$'
has '^add to nr64.def: NR\(999, lamp\)$'; has '^  V\(PR_SET_LAMP, 0x270f\)  prctl$'; has '^  V\(BPF_LAMP, 0x270e\)  bpf_cmd$'
# ioctls.def is written anew: all that was there, in order, and what is new
rm -r headers/asm-generic headers/linux; mkdir headers/linux headers/asm-generic
cp /usr/include/linux/{types,ioctl,version,posix_types,stddef}.h headers/linux/; cp /usr/include/asm-generic/* headers/asm-generic/
printf '#include <linux/ioctl.h>\n#define LAMP_ON _IOW(0x4c, 0xf0, int)\n#define LAMP_SAME LAMP_ON\n#define LAMP_VERSION 3\n' >headers/linux/lamp.h
run "$SOURCE/tools/constants" headers --ioctls; ok; has 'IOCTL_NAME\(0x40044cf0, "LAMP_ON"\)'; hasnt 'LAMP_SAME|LAMP_VERSION'
words() { grep -o 'IOCTL_NAME([^)]*)' "$@" | grep -v LAMP_ON; }
words "$SOURCE/src/syscall/tables/ioctls.def" >before; words "$T/out" >after; cmp before after || fail "ioctl names were lost"
run "$SOURCE/tools/constants" nowhere; exits 2; err_has 'dpkg-deb -x'
