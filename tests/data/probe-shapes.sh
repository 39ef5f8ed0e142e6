# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the tests of debug information ask about a program built from probe-shapes.c.
ask() { # NAME: program ./NAME, -O2, at the function's entry and at a line
	run "$SONDE" probe -x "./$1" -D 'work two=local->field[2].name:string high=local->field[2].high k text:string n=local->next->n'; ok
	has '^p:probe_[a-z0-9]+/work /[^ ]+:0x[0-9a-f]+ two=\+64\(%di\):string high=\+80\(%di\):b5@3/32 k=%si:s32 text_string=\+0\(%dx\):string n=\+0\(\+120\(%di\)\):s32$'
	run "$SONDE" probe -x "./$1" -V work; ok; has $'\tstruct outer\\*\tlocal$'
	run "$SONDE" probe -x "./$1" -L work; ok; has '^ +5  .*sum \+= local'
	run "$SONDE" probe -x "./$1" -D 'shapes.c:32 local->n'; ok; has ' n=[^ ]+:s32$'
	run "$SONDE" probe -x "./$1" -D tripled; ok; has '^p:probe_'
}
