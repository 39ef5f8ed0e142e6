/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of the tree as text in sonde: EMBED(flame_js, "src/picture/flame/flame.js") makes `const char flame_js[]`, which ends
 * with a NUL. The Makefile makes all of picture/ again when a .js, .css or .html below it has changed. */
#ifndef PICTURE_EMBED_H
#define PICTURE_EMBED_H
#define EMBED(name, path) \
	__asm__(".pushsection .rodata\n" #name ":\n.incbin \"" path "\"\n.byte 0\n.popsection\n"); \
	extern const char name[]
#endif
