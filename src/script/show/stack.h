/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of stacks, and addresses, to names. */
#ifndef SCRIPT_SHOW_STACK_H
#define SCRIPT_SHOW_STACK_H
#include "base/map.h"
#include "base/str.h"
#include "script/type.h"

struct follow;
struct symbols;
struct stack_names {
	int map; /* the kernel's: struct stack_key to numbers; -1: none */
	struct u64map known; /* numbers to struct known_stack; owned */
	struct symbols *symbols; /* made when the first name is asked for */
	struct follow *follow; /* NULL: none are asked for, or nobody tells */
};
void stack_names_follow(struct stack_names *n); /* processes, from now on: before the first stack comes */
void stack_names_pass(struct stack_names *n, uint64_t time); /* no stack from before that time will come; 0: some may */
void stack_names_take(struct stack_names *n, const void *record, size_t size); /* a new stack: struct stack_record, or less of it */
void stack_names_release(struct stack_names *n);
/* A line for each frame, indented so far, with a line break before the first. */
void show_stack(struct str *out, struct stack_names *n, const struct script_type *t, uint64_t word, unsigned indent);
void show_usym(struct str *out, struct stack_names *n, uint64_t word); /* the only frame of a stack, without its offset */
enum address_form { ADDRESS_NAME, ADDRESS_DATA /* name+0x1/0x2 [file] */, ADDRESS_MODULE /* the file's path */, ADDRESS_LINE /* file:line */ };
/* An address of a program (pid -1: of the kernel). False, and nothing is said: that is not known. */
bool show_address(struct str *out, struct stack_names *n, int pid, uint64_t address, enum address_form form);
void show_ksym(struct str *out, struct stack_names *n, uint64_t address, bool offset); /* offset: name+17 */
#endif
