# SPDX-License-Identifier: GPL-2.0-or-later
# What is wrong with a definition is said with the place; nothing is touched.
lib=$SONDE
bad() { # DEFINITION MESSAGE
	run "$SONDE" probe -x "$lib" -D "$1"; exits 255; err_has "$2"
}
bad 'main:3+4' 'a line and an offset cannot both'
bad 'main:' "is not a line number"
bad 'main+' "is not an offset"
bad 'main:99999999999999' 'is not a line number'
bad 'main%retur' "only %return is"
bad 'main%return:3' 'a return probe is on a whole function'
bad 'main b->' "a member's name is missing"
bad 'main b[' "'\]' is missing"
bad 'main b[i]' "cannot be an index"
bad 'main b:u7' "'u7' is not a type"
bad 'main b:b9@4/8' 'is not a type'
bad 'main b!c' 'is not understood'
bad '=main' 'cannot name an event'
bad '9x=main' 'cannot name an event'
bad 'a b:c=main' .
bad 'a-b:c=main' 'cannot name a group'
bad '' 'the place of the probe is missing'
bad 'file.c:' 'is not a line number'
bad 'main;' 'a pattern is missing'
bad 'main@' 'a source file is missing'
bad 'main $retval' 'only there in a return probe'
bad 'main%return argc' 'local variables are gone'
bad '%nocolon' 'a marker is written %provider:name'
bad '0xzz' 'is not an address'
bad "$(printf 'main %5000s' x)" 'more than 4096 bytes'
run "$SONDE" probe -l -d x; exits 129
run "$SONDE" probe; exits 129; err_has 'nothing to do'
run "$SONDE" probe -x /nonexistent main; exits 255; err_has 'cannot find'
run "$SONDE" probe -x /etc/passwd main; exits 255; err_has 'is not an ELF file'
# the kernel's own language is checked here too: -D is for machines where nobody is asked
bad 'main +8(%di' "'\)' is missing"
bad 'main +x(%di)' 'the offset is a number'
bad 'main +8(%di))' 'no register of this name'
bad 'main +8' "'\(' is missing"
bad 'main %rdi' 'they are written %ax'
bad 'main $foo' 'there are .argN'
bad 'main $stackx' 'there are .argN'
bad 'main @' 'missing after .@'
bad 'main @x*3' 'followed by \+OFFSET'
bad 'main \abc' 'a constant is a number'
bad 'main \"abc' 'the text has no end'
bad 'main *' 'a variable, %REGISTER'
bad 'main %ax:u8[3]' 'an array is in memory: \+0\(%ax\):u8\[3\]'
bad 'main %ax:symbol' "symbols are the kernel's own"
bad 'main @nosuchdata' "no variable 'nosuchdata'"
bad 'main+4 $arg1' "known only on a function's first instruction"
run "$SONDE" probe -x "$lib" -D 'main $arg1 $arg2:s32 a=$arg7 +0($arg3):string'; ok; has ' %di %si:s32 a=\+8\(%sp\) \+0\(%dx\):string$'
