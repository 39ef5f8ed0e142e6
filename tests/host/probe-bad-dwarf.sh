# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc
# Debug information that refers to itself, and types without a size: an answer or a sentence, in bounded time.
export XDG_CACHE_HOME=$T/cache
cat >loops.s <<'S'
	.text
	.globl f, main
f:	nop
.Lin:	nop
	ret
.Lf_end:
g:	ret
.Lg_end:
main:	call f
	xor %eax, %eax
	ret
.Ltext_end:
	.section .debug_abbrev, "", @progbits
	.uleb128 1; .uleb128 0x11; .byte 1; .uleb128 0x03; .uleb128 0x08; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07; .uleb128 0x13; .uleb128 0x0b; .byte 0, 0	# unit: name low high language
	.uleb128 2; .uleb128 0x2e; .byte 1; .uleb128 0x03; .uleb128 0x08; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07; .uleb128 0x3f; .uleb128 0x19; .byte 0, 0	# function
	.uleb128 3; .uleb128 0x05; .byte 0; .uleb128 0x03; .uleb128 0x08; .uleb128 0x49; .uleb128 0x13; .uleb128 0x02; .uleb128 0x18; .byte 0, 0	# parameter: name type location
	.uleb128 4; .uleb128 0x16; .byte 0; .uleb128 0x03; .uleb128 0x08; .uleb128 0x49; .uleb128 0x13; .byte 0, 0	# typedef
	.uleb128 5; .uleb128 0x26; .byte 0; .uleb128 0x49; .uleb128 0x13; .byte 0, 0	# const
	.uleb128 6; .uleb128 0x0f; .byte 0; .uleb128 0x49; .uleb128 0x13; .byte 0, 0	# pointer
	.uleb128 7; .uleb128 0x13; .byte 1; .uleb128 0x03; .uleb128 0x08; .uleb128 0x0b; .uleb128 0x0b; .byte 0, 0	# structure: name size
	.uleb128 8; .uleb128 0x0d; .byte 0; .uleb128 0x49; .uleb128 0x13; .uleb128 0x38; .uleb128 0x0b; .byte 0, 0	# nameless member
	.uleb128 9; .uleb128 0x05; .byte 0; .uleb128 0x31; .uleb128 0x13; .uleb128 0x02; .uleb128 0x18; .byte 0, 0	# parameter: origin location
	.uleb128 10; .uleb128 0x01; .byte 1; .uleb128 0x49; .uleb128 0x13; .byte 0, 0	# array
	.uleb128 11; .uleb128 0x1d; .byte 1; .uleb128 0x31; .uleb128 0x13; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07; .byte 0, 0	# inlined: origin low high
	.uleb128 12; .uleb128 0x2e; .byte 0; .uleb128 0x47; .uleb128 0x13; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07; .byte 0, 0	# function: specification
	.uleb128 13; .uleb128 0x13; .byte 0; .uleb128 0x03; .uleb128 0x08; .uleb128 0x3c; .uleb128 0x19; .byte 0, 0	# structure, declared
	.uleb128 14; .uleb128 0x21; .byte 0; .uleb128 0x2f; .uleb128 0x0b; .byte 0, 0	# bound
	.uleb128 15; .uleb128 0x24; .byte 0; .uleb128 0x03; .uleb128 0x08; .uleb128 0x0b; .uleb128 0x0b; .uleb128 0x3e; .uleb128 0x0b; .byte 0, 0	# base type
	.uleb128 16; .uleb128 0x1c; .byte 0; .uleb128 0x49; .uleb128 0x13; .uleb128 0x38; .uleb128 0x0b; .byte 0, 0	# base class
	.byte 0
	.section .debug_info, "", @progbits
.Linfo:	.long .Linfo_end - .Lver
.Lver:	.value 4
	.long 0	# abbrev, the only one
	.byte 8
	.uleb128 1; .asciz "loops.c"; .quad f; .quad .Ltext_end - f; .byte 12
.Lf:	.uleb128 2; .asciz "f"; .quad f; .quad .Lf_end - f
	.uleb128 3; .asciz "own"; .long .Lown - .Linfo; .byte 1, 0x55
	.uleb128 3; .asciz "ring"; .long .Lc1 - .Linfo; .byte 1, 0x54
	.uleb128 3; .asciz "inside"; .long .Lps - .Linfo; .byte 1, 0x51
	.uleb128 3; .asciz "array"; .long .Larr - .Linfo; .byte 1, 0x52
	.uleb128 3; .asciz "chain"; .long .Lptr - .Linfo; .byte 1, 0x58
	.uleb128 3; .asciz "base"; .long .Lpb - .Linfo; .byte 1, 0x58
	.uleb128 3; .asciz "nosize"; .long .Lpd - .Linfo; .byte 1, 0x59
	.uleb128 3; .asciz "whole"; .long .Ldecl - .Linfo; .byte 2, 0x77, 8
.Lcall:	.uleb128 3; .asciz "calls"; .long .Lint - .Linfo; .byte 5, 0x99; .long .Lcall - .Linfo
	.uleb128 3; .asciz "good"; .long .Lint - .Linfo; .byte 1, 0x55
.Lorg:	.uleb128 9; .long .Lorg - .Linfo; .byte 1, 0x55
.Linl:	.uleb128 11; .long .Linl - .Linfo; .quad .Lin; .quad .Lf_end - .Lin
	.uleb128 11; .long .Lf - .Linfo; .quad .Lin; .quad .Lf_end - .Lin
	.byte 0, 0, 0
.Lg:	.uleb128 12; .long .Lh - .Linfo; .quad g; .quad .Lg_end - g
.Lh:	.uleb128 12; .long .Lg - .Linfo; .quad g; .quad .Lg_end - g
.Lown:	.uleb128 4; .asciz "own_t"; .long .Lown - .Linfo
.Lc1:	.uleb128 5; .long .Lc2 - .Linfo
.Lc2:	.uleb128 4; .asciz "ring_t"; .long .Lc1 - .Linfo
.Lps:	.uleb128 6; .long .Ls - .Linfo
.Ls:	.uleb128 7; .asciz "self"; .byte 8
	.uleb128 8; .long .Ls - .Linfo; .byte 0
	.byte 0
.Lpb:	.uleb128 6; .long .Lbase - .Linfo
.Lbase:	.uleb128 7; .asciz "heir"; .byte 8
	.uleb128 16; .long .Lbase - .Linfo; .byte 0
	.byte 0
.Larr:	.uleb128 10; .long .Larr - .Linfo
	.uleb128 14; .byte 3
	.byte 0
.Lptr:	.uleb128 6; .long .Lptr - .Linfo
.Lpd:	.uleb128 6; .long .Ldecl - .Linfo
.Ldecl:	.uleb128 13; .asciz "opaque"
.Lint:	.uleb128 15; .asciz "int"; .byte 4, 5
	.byte 0
.Linfo_end:
	.section .note.GNU-stack, "", @progbits
S
gcc -nostartfiles -Wl,-e,main -o loops loops.s
ask() { # what is asked: 0 or a sentence, at once
	run timeout -k 1 60 "$SONDE" probe -x ./loops "$@"
	[ "$code" = 0 ] || { [ "$code" = 255 ] && err_has '^sonde: '; } || fail "$*: exit code $code"
}
ask -D 'f good'; ok; has ' good=%di:s32$' # the rest does not spoil what is right
for v in own ring inside array chain base nosize whole calls; do
	ask -D "f $v"; ask -D "f $v->x"; ask -D "f ${v}[1]"; ask -D "f $v.a.b[2]"; ask -D "f $v:string"
done
ask -D "f chain->x"; exits 255
ask -D "f nosize->x"; exits 255; err_has 'opaque is only declared'
ask -D "f nosize[2]"; exits 255; err_has 'size'
for q in 'f $vars' 'f $params' 'f:1' 'f+1 good' g h 'g $params' '*' 'loops.c:1'; do ask -D "$q"; done
for q in f g h f+1 f:0; do ask -V "$q"; ask --externs --range -V "$q"; ask -L "$q"; done
deep=$(printf -- '->x%.0s' {1..300}); ask -D "f inside$deep"; exits 255
deep=$(printf '[0]%.0s' {1..3000}); ask -D "f array$deep"
