# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc
# What an assembler made has no prologue to skip; a name in the data is no function; an enum with a negative value is signed.
cat >fn.S <<'S'
	.text
	.globl bare
	.type bare, @function
bare:
	mov $1, %eax
	cmp $2, %eax
	ret
	.size bare, .-bare
	.section .note.GNU-stack,"",@progbits
S
cat >main.c <<'C'
enum level { LOW = -1, HIGH = 1 };
int bare(void);
__attribute__((noinline)) int take(enum level l) { return l + bare(); }
int main(int argc, char **argv) { (void)argv; return take(argc > 5 ? HIGH : LOW); }
C
gcc -g -O1 -o prog main.c fn.S
run "$SONDE" probe -x ./prog -D 'bare $params'; ok
at=$(nm prog | sed -n 's/^0*\([0-9a-f]*\) T bare$/\1/p'); has "^p:probe_prog/bare $PWD/prog:0x$at$"
run "$SONDE" probe -x ./prog -D 'take l'; ok; has ' l=%di:s32$'
run "$SONDE" probe -x ./prog -F; ok; has '^take$'; has '^bare$'; hasnt '^data_start$'; hasnt '^__data_start$'
run "$SONDE" probe -x ./prog -D data_start; exits 255; err_has "there is no function 'data_start'"
