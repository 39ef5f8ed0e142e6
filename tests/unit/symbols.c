// SPDX-License-Identifier: GPL-2.0-or-later
/* Address to name in this very process, shared address spaces, kallsyms, aliases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/file.h"
#include "base/str.h"
#include "symbol/file/debugfile.h"
#include "symbol/demangle.h"
#include "symbol/image.h"
#include "symbol/jitdump.h"
#include "symbol/maps.h"
#include "symbol/symbols.h"
#include "symbol/symtab.h"

__attribute__((noinline)) int a_function_of_this_test(int x)
{
	return x * 3;
}

static void resolves_itself(void **state)
{
	(void)state;
	struct symbols *s = symbols_new(NULL);
	struct frame f;
	assert_int_equal(symbols_live(s, getpid()), 0);
	symbols_resolve(s, getpid(), (uint64_t)(uintptr_t)a_function_of_this_test + 2, SYM_USER, &f);
	assert_non_null(f.dso);
	assert_string_equal(f.sym, "a_function_of_this_test");
	assert_string_equal(f.dso->name, "symbols");
	assert_true(f.dso->build_id.n == 20);
	uint64_t ip = (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, "getppid");
	symbols_resolve(s, getpid(), ip, SYM_USER, &f);
	assert_true(str_ends(f.sym, "getppid")); /* __GI___getppid where libc6-dbg is there */
	assert_string_equal(f.dso->name, "libc.so.6");
	symbols_resolve(s, getpid(), 16, SYM_USER, &f);
	assert_null(f.dso);
	assert_null(f.sym);
	symbols_free(s);
}

static void fork_shares_exec_forgets(void **state)
{
	(void)state;
	struct symbols *s = symbols_new(NULL);
	struct frame f;
	symbols_map(s, 10, 0x1000, 0x1000, 0, PROT_EXEC, "/nosuch/a", NULL);
	symbols_fork(s, 11, 10);
	symbols_map(s, 11, 0x1000, 0x1000, 0, PROT_EXEC, "/nosuch/b", NULL);
	symbols_resolve(s, 10, 0x1800, SYM_USER, &f);
	assert_string_equal(f.dso->path, "/nosuch/a");
	symbols_resolve(s, 11, 0x1800, SYM_USER, &f);
	assert_string_equal(f.dso->path, "/nosuch/b");
	assert_non_null(strstr(f.dso->why_no_symbols, "looked in /nosuch/b"));
	symbols_exec(s, 11);
	symbols_resolve(s, 11, 0x1800, SYM_USER, &f);
	assert_null(f.dso);
	symbols_exit(s, 10);
	symbols_resolve(s, 10, 0x1800, SYM_USER, &f);
	assert_string_equal(f.dso->path, "/nosuch/a");
	symbols_free(s);
}

static void maps_are_cut(void **state)
{
	(void)state;
	struct maps *m = maps_new(1);
	maps_insert(m, &(struct map){ .start = 0x1000, .end = 0x9000, .pgoff = 0 }, 2);
	maps_insert(m, &(struct map){ .start = 0x3000, .end = 0x4000, .pgoff = 7 }, 3);
	assert_int_equal(m->map.n, 3);
	assert_int_equal(m->map.at[2].start, 0x4000);
	assert_int_equal(m->map.at[2].pgoff, 0x3000);
	maps_insert(m, &(struct map){ .start = 0, .end = 0x8000, .pgoff = 9 }, 4);
	assert_int_equal(m->map.n, 2);
	assert_int_equal(m->map.at[1].pgoff, 0x7000);
	assert_int_equal(maps_find(m, 0x7fff)->pgoff, 9);
	assert_null(maps_find(m, 0x9000));
	maps_insert(m, &(struct map){ .start = 0, .end = 0x10000, .pgoff = 1 }, 5);
	assert_int_equal(m->map.n, 1);
	maps_put(m);
}

static void kallsyms_by_perfs_rules(void **state)
{
	(void)state;
	static const char text[] =
		"ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
		"ffffffff81000100 t local_one\nffffffff81000100 T last_alias_wins\n"
		"ffffffff81000200 r not_code\nffffffff81000300 D a_datum\n"
		"ffffffffc0000000 t mod_func\t[my_mod]\nffffffffc0000080 t bpf_prog_0123_x\t[bpf]\n";
	struct symtab t = { 0 };
	assert_int_equal(symtab_load_kallsyms(&t, xstrdup(text), strlen(text)), 0);
	assert_string_equal(symtab_find(&t, 0xffffffff81000050)->name, "_text");
	assert_string_equal(symtab_find(&t, 0xffffffff81000250)->name, "last_alias_wins");
	assert_null(symtab_find(&t, 0xffffffffa0000000));
	struct sym *s = symtab_find(&t, 0xffffffffc0000010);
	assert_string_equal(s->name, "mod_func");
	assert_string_equal(symtab_module(&t, s), "[my_mod]");
	assert_string_equal(symtab_module(&t, symtab_find(&t, 0xffffffffc0000090)), "[bpf]");
	assert_true(t.text == 0xffffffff81000000);
	symtab_release(&t);
	static const char hidden[] = "0000000000000000 T _text\n0000000000000000 T foo\n";
	t = (struct symtab){ 0 };
	assert_int_equal(symtab_load_kallsyms(&t, xstrdup(hidden), strlen(hidden)), -ENODATA);
	symtab_release(&t);
}

static void kernel_frames(void **state)
{
	(void)state;
	char path[] = "/tmp/sonde-kallsyms.XXXXXX";
	int fd = mkstemp(path);
	dprintf(fd, "ffffffff81000000 T _text\nffffffff81001000 T do_thing\nffffffff81002000 T other\n");
	close(fd);
	struct symbols *s = symbols_new(&(struct symbols_options){ .kallsyms = path });
	struct frame f;
	/* The recording's boot had the kernel 0x2000000 higher. */
	symbols_map(s, -1, 0xffffffff83000000, 0x1000000, 0xffffffff83000000, PROT_EXEC, "[kernel.kallsyms]_text", NULL);
	symbols_ksymbol(s, 0xffffffffa0000000, 0x100, "bpf_prog_6deef7357e7b4530_hello", false);
	symbols_resolve(s, 1, 0xffffffff83001010, SYM_KERNEL, &f);
	assert_string_equal(f.sym, "do_thing");
	assert_string_equal(f.dso->name, "[kernel.kallsyms]");
	assert_true(f.ip - f.sym_addr - 0x2000000 == 0x10);
	symbols_resolve(s, 1, 0xffffffffa0000010, SYM_KERNEL, &f);
	assert_string_equal(f.sym, "bpf_prog_6deef7357e7b4530_hello");
	assert_string_equal(f.dso->path, "bpf_prog_6deef7357e7b4530_hello");
	symbols_free(s);
	unlink(path);
}

static void kallsyms_without_addresses(void **state)
{
	(void)state;
	char path[] = "/tmp/sonde-kallsyms.XXXXXX";
	int fd = mkstemp(path);
	dprintf(fd, "0000000000000000 T _text\n0000000000000000 T do_thing\n");
	close(fd);
	struct symbols *s = symbols_new(&(struct symbols_options){ .kallsyms = path });
	struct frame f;
	symbols_map(s, -1, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, PROT_EXEC, "[kernel.kallsyms]_text", NULL);
	symbols_resolve(s, 1, 0xffffffff81001010, SYM_KERNEL, &f);
	assert_null(f.sym);
	assert_string_equal(f.dso->name, "[kernel.kallsyms]");
	assert_non_null(strstr(f.dso->why_no_symbols, "has no addresses in it"));
	symbols_free(s);
	unlink(path);
}

static void aliases(void **state)
{
	(void)state;
	struct symtab t = { 0 };
	symtab_add(&t, 100, 10, "weak_but_long_name", STB_WEAK);
	symtab_add(&t, 100, 10, "__global", STB_GLOBAL);
	symtab_add(&t, 100, 10, "global", STB_GLOBAL);
	symtab_add(&t, 100, 10, "globalissimo", STB_GLOBAL);
	symtab_add(&t, 100, 10, "a_local_longer_than_all", STB_LOCAL);
	symtab_add(&t, 200, 0, "sizeless", STB_LOCAL);
	symtab_add(&t, 300, 5, "_ZN1N1SIlE1fEl", STB_LOCAL);
	symtab_finish(&t, false);
	assert_int_equal(t.sym.n, 3);
	assert_string_equal(symtab_find(&t, 105)->name, "globalissimo");
	assert_null(symtab_find(&t, 110));
	assert_string_equal(symtab_find(&t, 299)->name, "sizeless");
	assert_string_equal(symtab_name(&t, symtab_find(&t, 304)), "N::S<long>::f");
	symtab_release(&t);
}

static void demangles(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad" },
		{ "_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back" },
	};
	for (size_t i = 0; i < 3; i++) {
		char *d = demangle(rows[i][0], false);
		assert_non_null(d);
		assert_string_equal(d, rows[i][1]);
		free(d);
	}
	assert_null(demangle("main", false));
	assert_null(demangle("_Z", false));
}

/* A jitdump with two functions, the second written over the first later, and a cut record at the end. */
static void jit_dumps(void **state)
{
	(void)state;
	char path[] = "/tmp/sonde-jitdump.XXXXXX";
	int fd = mkstemp(path);
	struct { uint32_t magic, version, size, machine, pad, pid; uint64_t time, flags; } head = { 0x4A695444, 1, 40, 62, 0, 1, 0, 0 };
	struct { uint32_t id, size; uint64_t time; uint32_t pid, tid; uint64_t vma, addr, len, index; char name[16]; } code = {
		0, sizeof(code), 1, 1, 1, 0x1000, 0x1000, 0x100, 1, "first" };
	assert_true(write(fd, &head, sizeof(head)) == sizeof(head));
	assert_true(write(fd, &code, sizeof(code)) == sizeof(code));
	code.addr = 0x1080;
	strcpy(code.name, "second");
	assert_true(write(fd, &code, sizeof(code)) == sizeof(code));
	code.size = 0x7fffffff;
	assert_true(write(fd, &code, sizeof(code)) == sizeof(code));
	close(fd);
	struct symtab t = { 0 };
	assert_int_equal(symtab_load_jitdump(&t, path, OWNER_NONE), 0);
	assert_int_equal(t.sym.n, 2);
	assert_string_equal(symtab_find(&t, 0x107f)->name, "first");
	assert_string_equal(symtab_find(&t, 0x1080)->name, "second");
	assert_string_equal(symtab_find(&t, 0x117f)->name, "second");
	symtab_release(&t);
	t = (struct symtab){ 0 };
	assert_int_equal(symtab_load_jitdump(&t, "/bin/true", OWNER_NONE), -EBADMSG);
	symtab_release(&t);
	unlink(path);
}

struct jit_head { uint32_t magic, version, size, machine, pad, pid; uint64_t time, flags; };

static void put(int fd, const void *p, size_t n)
{
	assert_int_equal(write(fd, p, n), n);
}

static void put_record(int fd, uint32_t id, const void *body, size_t n)
{
	struct { uint32_t id, size; uint64_t time; } p = { id, sizeof(p) + n, 7 };
	put(fd, &p, sizeof(p));
	put(fd, body, n);
}

/* Every kind of record, those that say more than they hold, and one that nobody knows. */
static void jit_records(void **state)
{
	(void)state;
	char path[] = "/tmp/sonde-jitdump.XXXXXX";
	int fd = mkstemp(path);
	put(fd, &(struct jit_head){ 0x4A695444, 1, 40, 62, 0, 99, 5, 0 }, 40);
	struct { uint32_t pid, tid; uint64_t vma, addr, size, index; char name[4], code[4]; } load = { 99, 100, 0x1000, 0x1000, 4, 1, "abc", "\1\2\3\4" };
	put_record(fd, 0, &load, sizeof(load));
	load.size = 5; /* more code than there is */
	put_record(fd, 0, &load, sizeof(load));
	memset(load.name, 'x', 8); /* no end of the name */
	put_record(fd, 0, &load, sizeof(load));
	struct { uint64_t addr, n; struct { uint64_t addr; int32_t line, disc; char file[8]; } at[2]; } debug = {
		0x1000, 9, { { 0x1000, 3, 0, "abcd.js" }, { 0x1002, 4, 1, "\xff" } } };
	put_record(fd, 2, &debug, offsetof(typeof(debug), at[1].file) + 2);
	struct { uint64_t size, header, mapped; char data[8]; } unwinding = { 8, 4, 8, "12345678" };
	put_record(fd, 4, &unwinding, sizeof(unwinding));
	unwinding.size = 9;
	put_record(fd, 4, &unwinding, sizeof(unwinding));
	put_record(fd, 77, &unwinding, sizeof(unwinding));
	struct { uint32_t pid, tid; uint64_t vma, old, addr, size, index; } move = { 99, 100, 0, 0x1000, 0x2000, 4, 1 };
	put_record(fd, 1, &move, sizeof(move));
	put_record(fd, 1, &move, sizeof(move) - 1);
	put_record(fd, 3, "", 0);
	close(fd);
	struct jitdump d;
	struct jit_record r;
	struct jit_line l;
	assert_int_equal(jitdump_open(&d, path, OWNER_NONE), 0);
	assert_true(d.pid == 99 && d.machine == 62 && d.time == 5 && !d.own_clock);
	assert_true(jitdump_next(&d, &r) && r.kind == JIT_LOAD && r.time == 7 && r.tid == 100 && r.size == 4);
	assert_string_equal(r.name, "abc");
	assert_memory_equal(r.code, "\1\2\3\4", 4);
	assert_true(jitdump_next(&d, &r) && r.kind == JIT_LOAD && !r.code);
	assert_true(jitdump_next(&d, &r) && r.kind == JIT_DEBUG && r.addr == 0x1000);
	assert_true(jit_lines_next(&r.lines, &l) && l.addr == 0x1000 && l.line == 3);
	assert_string_equal(l.file, "abcd.js");
	assert_true(jit_lines_next(&r.lines, &l) && l.addr == 0x1002 && l.line == 4 && l.discriminator == 1);
	assert_string_equal(l.file, "abcd.js");
	assert_false(jit_lines_next(&r.lines, &l)); /* nine were announced */
	assert_true(jitdump_next(&d, &r) && r.kind == JIT_UNWIND && r.unwind_size == 8 && r.header_size == 4);
	assert_memory_equal(r.unwind, "12345678", 8);
	assert_true(jitdump_next(&d, &r) && r.kind == JIT_MOVE && r.old == 0x1000 && r.addr == 0x2000);
	assert_true(jitdump_next(&d, &r) && r.kind == JIT_CLOSE);
	assert_false(jitdump_next(&d, &r));
	jitdump_close(&d);
	struct symtab t = { 0 };
	assert_int_equal(symtab_load_jitdump(&t, path, OWNER_NONE), 0);
	assert_string_equal(symtab_find(&t, 0x2003)->name, "abc");
	symtab_release(&t);
	unlink(path);
}

/* Both forms of numbers, and mixed in one line. */
static void jvm_maps(void **state)
{
	(void)state;
	static const char text[] = "0x00007f0011223300 0x00000270 void Foo.bar(int)\n7f0011224000 0X10 b\n0x 10 no number\n0x7f0011225000 20 c\n";
	struct symtab t = { 0 };
	symtab_load_perf_map(&t, xstrdup(text), strlen(text));
	assert_int_equal(t.sym.n, 3);
	assert_string_equal(symtab_find(&t, 0x7f001122356f)->name, "void Foo.bar(int)");
	assert_null(symtab_find(&t, 0x7f0011223570));
	assert_string_equal(symtab_find(&t, 0x7f001122400f)->name, "b");
	assert_string_equal(symtab_find(&t, 0x7f001122501f)->name, "c");
	symtab_release(&t);
}

static void later_code_wins(void **state)
{
	(void)state;
	static const char text[] = "1000 100 old\n1000 80 new\n2000 100 around\n2040 20 inside\nbad line\n3000 zz bad\n4000 10 last cut";
	struct symtab t = { 0 };
	symtab_load_perf_map(&t, xstrdup(text), strlen(text));
	assert_string_equal(symtab_find(&t, 0x1000)->name, "new");
	assert_null(symtab_find(&t, 0x1080));
	assert_string_equal(symtab_find(&t, 0x2000)->name, "around");
	assert_string_equal(symtab_find(&t, 0x2050)->name, "inside");
	assert_null(symtab_find(&t, 0x4000));
	symtab_release(&t);
}

/* Go 1.20's function table in a binary without symbols: two functions and the end of the text. */
static void go_functions(void **state)
{
	(void)state;
	struct { uint32_t magic; uint16_t zero; uint8_t quantum, word; uint64_t n, files, text, names, units, filetab, pcs, functions;
		 char name[32]; uint32_t pair[5]; uint32_t f1[2], f2[2]; } table = {
		0xfffffff1, 0, 1, 8, 2, 0, 0x400000, 72, 0, 0, 0, 72 + 32, "main.one\0main.two", { 0, 20, 0x40, 28, 0x90 }, { 0, 0 }, { 0x40, 9 } };
	struct { Elf64_Ehdr h; Elf64_Shdr s[3]; char names[24]; __typeof__(table) t; } image = {
		.h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 }, .e_shoff = sizeof(Elf64_Ehdr), .e_shnum = 3,
			.e_shentsize = sizeof(Elf64_Shdr), .e_shstrndx = 2 },
		.s[1] = { .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = offsetof(__typeof__(image), t), .sh_size = sizeof(table) },
		.s[2] = { .sh_type = SHT_STRTAB, .sh_offset = offsetof(__typeof__(image), names), .sh_size = 24 },
		.names = "\0.gopclntab", .t = table };
	struct elf_file e;
	struct symtab t = { 0 };
	void *copy = xmalloc(sizeof(image));
	memcpy(copy, &image, sizeof(image));
	assert_int_equal(elf_open_memory(&e, copy, sizeof(image)), 0);
	assert_int_equal(symtab_load_go(&t, &e), 2);
	assert_string_equal(symtab_find(&t, 0x40003f)->name, "main.one");
	assert_string_equal(symtab_find(&t, 0x400040)->name, "main.two");
	assert_null(symtab_find(&t, 0x400090));
	symtab_release(&t);
	elf_close(&e);
}

static void build_ids(void **state)
{
	(void)state;
	struct build_id id, short_id;
	char hex[41];
	assert_int_equal(build_id_parse("2584ab", &short_id), 0);
	build_id_hex(&short_id, hex);
	assert_string_equal(hex, "2584ab");
	assert_int_equal(build_id_parse("2584ab00000000000000000000000000000000000", &id), -EINVAL);
	assert_int_equal(build_id_parse("2584ab0000000000000000000000000000000000", &id), 0);
	assert_true(build_id_same(&id, &short_id));
	assert_int_equal(build_id_parse("zz", &id), -EINVAL);
}

/* A kernel of another machine: names from a System.map moved by KASLR, a module's from its packed file. */
static void other_kernel(void **state)
{
	(void)state;
	char dir[] = "/tmp/sonde-kernel.XXXXXX", cmd[2048];
	assert_non_null(mkdtemp(dir));
	snprintf(cmd, sizeof(cmd),
		 "set -e; cd %s; mkdir -p boot lib/modules/9.9.9-x/kernel; "
		 "printf 'ffffffff81000000 T _text\\nffffffff81001000 T do_work\\nffffffff81002000 T do_rest\\n' >boot/System.map-9.9.9-x; "
		 "printf 'int one(int a){return a+1;} __attribute__((section(\".init.text\"))) int start(int a){return one(a);} "
		 "__attribute__((section(\".text.unlikely\"),aligned(64))) int rare(int a){return a+3;} int two(int a){return a*one(a);}' >m.c; "
		 "gcc -O1 -w -c m.c -o m.o; ld -r --build-id=0xabcdef0102030405 -o a-mod.ko m.o; xz a-mod.ko; "
		 "mv a-mod.ko.xz lib/modules/9.9.9-x/kernel/; echo 'kernel/a-mod.ko.xz: kernel/other.ko' >lib/modules/9.9.9-x/modules.dep", dir);
	if (system(cmd)) /* no compiler or xz here */
		skip();
	struct build_id kernel = { .id = { 1, 2, 3 }, .n = 20 }, module = { .id = { 0xab, 0xcd, 0xef, 1, 2, 3, 4, 5 }, .n = 8 }, wrong = { .id = { 9 }, .n = 8 };
	struct symbols_options o = { .symfs = dir };
	struct symbols *s = symbols_new(&o);
	struct frame f;
	symbols_set_release(s, "9.9.9-x");
	symbols_set_release(s, "../9.9.9-x"); /* leads elsewhere: not taken */
	symbols_map(s, -1, 0xffffffff91000000, 0x1000000, 0xffffffff91000000, PROT_EXEC, "[kernel.kallsyms]_text", &kernel);
	symbols_map(s, -1, 0xffffffffc0100000, 0x4000, 0, PROT_EXEC, "[a_mod]", &module);
	symbols_map(s, -1, 0xffffffffc0200000, 0x4000, 0, PROT_EXEC, "/lib/modules/9.9.9-x/kernel/a-mod.ko.xz", &wrong);
	symbols_resolve(s, -1, 0xffffffff91001010, SYM_KERNEL, &f);
	assert_string_equal(f.sym, "do_work");
	assert_int_equal(f.addr - f.sym_addr, 0x10);
	symbols_resolve(s, -1, 0xffffffffc0100001, SYM_KERNEL, &f);
	assert_string_equal(f.sym, "one");
	assert_string_equal(f.dso->name, "[a_mod]");
	assert_int_equal(f.addr - f.sym_addr, 1);
	symbols_resolve(s, -1, 0xffffffffc0100000 + 64, SYM_KERNEL, &f); /* behind .text, aligned; .init.text is elsewhere */
	assert_string_equal(f.sym, "rare");
	symbols_resolve(s, -1, 0xffffffffc0200001, SYM_KERNEL, &f);
	assert_null(f.sym);
	assert_non_null(strstr(f.dso->why_no_symbols, "a-mod.ko.xz"));
	symbols_free(s);
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	assert_int_equal(system(cmd), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resolves_itself), cmocka_unit_test(fork_shares_exec_forgets), cmocka_unit_test(maps_are_cut),
		cmocka_unit_test(kallsyms_by_perfs_rules), cmocka_unit_test(kernel_frames), cmocka_unit_test(kallsyms_without_addresses), cmocka_unit_test(aliases),
		cmocka_unit_test(demangles), cmocka_unit_test(jit_dumps), cmocka_unit_test(jit_records), cmocka_unit_test(jvm_maps), cmocka_unit_test(later_code_wins), cmocka_unit_test(go_functions), cmocka_unit_test(build_ids), cmocka_unit_test(other_kernel),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
