#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Scripts of `sonde run`'s language made from its grammar by chance, and what each is to print, by an interpreter of its own.

    generate.py write DIR COUNT SEED SONDE PROG   DIR/N.bt, DIR/N.want, DIR/N.code, DIR/N.args; prints the rows that they cover
    generate.py check DIR SONDE [JOBS]            runs them; prints what differs, exits 1 when anything does

A piece of a script is its text and a function that does in Python what the text is to do (on an Env). The rows are those
of the language that are core; what a sonde, or the kernel below it, does not have is found out first with a sample of each row,
told, and left out ($ALSO names rows that are there where the scripts will run).
Numbers are kept where the sign rules of all dialects agree: a cast to an unsigned type is made signed again by `- 0`.
"""
import concurrent.futures, os, random, subprocess, sys

WRAP = 1 << 64


def s64(v):
    v %= WRAP
    return v - WRAP if v >= WRAP // 2 else v


def cut(v, bits, signed):
    v %= 1 << bits
    return v - (1 << bits) if signed and v >= 1 << (bits - 1) else v


def div(a, b):
    q = abs(a) // abs(b)
    return s64(q if (a < 0) == (b < 0) else -q)


def mod(a, b):
    return s64(a - b * div(a, b))


class Leave(Exception):
    """A jump: break, continue, return, exit."""


class Env:
    def __init__(self):
        self.vars, self.maps, self.out, self.code, self.steps = {}, {}, [], 0, 0

    def step(self):
        self.steps += 1
        if self.steps > 3000:
            raise RuntimeError("too long")


# ---- how values and maps are printed ----

def text(v):
    if isinstance(v, tuple):
        return "(" + ", ".join(text(i) for i in v) + ")"
    return str(v)


def key_text(k):
    return ", ".join(text(i) for i in k)


def size_name(n):
    for power, letter in ((60, "E"), (50, "P"), (40, "T"), (30, "G"), (20, "M"), (10, "K")):
        if n >= 1 << power and n % (1 << power) == 0:
            return f"{n >> power}{letter}"
    return str(n)


def bars(rows):
    most = max(n for _, n in rows)
    return [f"{label:<16}{n:>8} |{'@' * (n * 52 // most):<52}|" for label, n in rows]


class Hist:
    def __init__(self):
        self.n = {}

    def add(self, v):
        b = 0 if v < 0 else 1 if v == 0 else v.bit_length() + 1
        self.n[b] = self.n.get(b, 0) + 1

    def label(self, b):
        if b == 0:
            return "(..., 0)"
        if b < 3:
            return f"[{b - 1}]"
        return f"[{size_name(1 << (b - 2))}, {size_name(1 << (b - 1))})"

    def lines(self):
        return bars([(self.label(b), self.n.get(b, 0)) for b in range(min(self.n), max(self.n) + 1)])


class Lhist(Hist):
    def __init__(self, low, high, step):
        super().__init__()
        self.low, self.high, self.step = low, high, step

    def add(self, v):
        b = 0 if v < self.low else (self.high - self.low) // self.step + 1 if v >= self.high else (v - self.low) // self.step + 1
        self.n[b] = self.n.get(b, 0) + 1

    def label(self, b):
        at = self.low + (b - 1) * self.step
        if b == 0:
            return f"(..., {size_name(self.low)})"
        return f"[{size_name(at)}, ...)" if at >= self.high else f"[{size_name(at)}, {size_name(at + self.step)})"


class Stats:
    def __init__(self, only_average):
        self.n, self.sum, self.only = 0, 0, only_average

    def add(self, v):
        self.n += 1
        self.sum = s64(self.sum + v)

    def __str__(self):
        mean = div(self.sum, self.n)
        return str(mean) if self.only else f"count {self.n}, average {mean}, total {self.sum}"


def rank(v):
    if isinstance(v, Hist):
        return sum(v.n.values())
    if isinstance(v, Stats):
        return div(v.sum, v.n)
    return v if isinstance(v, int) else 0


def map_lines(name, m):
    lines = []
    for key in sorted(m, key=lambda k: (rank(m[k]), k)):
        head = "@" + name + (f"[{key_text(key)}]" if key else "") + ":"
        if isinstance(m[key], Hist):
            lines += [head, *m[key].lines()]
        else:
            lines.append(f"{head} {text(m[key])}")
    return lines


# ---- rows: what the language has; a sample of each says whether this sonde has it ----

ROWS = {
    "int": "print(1)", "hex": "print(0x10)", "exp": "print(1e3)", "underscore": "print(1_000)", "duration": "print(5ms)",
    "arith": "print(7 * 3 + 1)", "minus": "print(3 - 5)", "div": "$a = -7; print($a / 2)", "bits": "print(6 & 3 | 8 ^ 1)", "shift": "print(1 << 3 >> 1)",
    "compare": "print(1 < 2)", "logic": "print(1 && 0 || 1)", "not": "print(!1)", "invert": "print(~5)", "negate": "$a = 4; print(-$a)",
    "ternary": "print(1 ? 2 : 3)", "elvis": "$a = 0; print($a ?: 3)", "cast": "print((int8)200)", "cast_u": "print((uint16)70000)",
    "var": "$x = 1; print($x)", "let": "let $x = 1; print($x)", "let_type": "let $x : int64 = 1; print($x)", "compound": "$x = 1; $x += 2; $x <<= 1; print($x)",
    "step": "$x = 1; $x++; --$x; print($x)", "discard": "_ = 5; print(1)", "scope": "",
    "if": "if (1) { print(1) }", "else": "if (0) { print(1) } else { print(2) }", "else_if": "if (0) { print(1) } else if (1) { print(2) }",
    "unroll": "unroll(2) { print(1) }", "while": "$i = 0; while ($i < 2) { $i++; } print($i)",
    "break": "$i = 0; while ($i < 9) { $i++; if ($i > 3) { break; } } print($i)", "continue": "$i = 0; while ($i < 5) { $i++; if ($i > 3) { continue; } } print($i)",
    "for_range": "for ($i : 0..3) { print($i) }", "for_map": "@m[1] = 2; for ($kv : @m) { print($kv.1) } clear(@m)", "return": "",
    "string": 'print("a")', "string_var": '$s = "ab"; print($s)', "string_eq": '$s = "ab"; print($s == "ab")', "string_ternary": 'print(1 ? "a" : "bc")',
    "strncmp": 'print(strncmp("abc", "abd", 2))', "strlen": 'print(strlen("abc"))', "strcontains": 'print(strcontains("abc", "bc"))',
    "strstr": 'print(strstr("abc", "bc"))', "str_concat": '$s = "ab"; print(str_concat($s, "cd"))', "str_param": "print(str($1))", "param": "print($2)", "param_count": "print($#)",
    "tuple": "print((1, 2))", "tuple_item": '$t = (1, "a"); print($t.0)', "tuple_nested": "$t = (1, (2, 3)); print($t.1.0)", "tuple_assign": "$t = (1, 2); $t = ($t.1, 5); print($t)",
    "map": "@x = 1", "map_keys": '@x[1, "a"] = 1', "map_tuple_key": "@x[(1, 2)] = 3", "map_string": '@s = "a"', "map_tuple": "@t = (1, 2)", "map_step": "@x++", "map_compound": "@x[1] += 2; @x[1] *= 3",
    "delete": "@x[1] = 1; delete(@x[1])", "delete_two": "@x[1] = 1; delete(@x, 1)", "has_key": "@x[1] = 1; print(has_key(@x, 1))", "len": "@x[1] = 1; print(len(@x))",
    "clear": "@x[1] = 1; clear(@x)", "zero": "@x[1] = 1; zero(@x)", "print_map": "@x[1] = 1; print(@x)", "print_top": "@x[1] = 1; @x[2] = 2; print(@x, 1)",
    "print_div": "@x[1] = 10; print(@x, 0, 2)", "print_value": "@x[1] = 10; print(@x[1])",
    "count": "@c = count()", "sum": "@c = sum(1)", "avg": "@c = avg(1)", "min": "@c = min(1)", "max": "@c = max(1)", "stats": "@c = stats(1)", "hist": "@c = hist(1)",
    "lhist": "@c = lhist(1, 0, 10, 2)", "agg_keys": "@c[1] = count()", "agg_read": "",
    "printf": 'printf("%d\\n", 1)', "printf_width": 'printf("%5d|%-5d|%05d\\n", 1, 2, 3)', "printf_hex": 'printf("%x %X %o\\n", 255, 255, 8)', "printf_unsigned": 'printf("%u %llu\\n", 1, 2)',
    "printf_string": 'printf("%s|%5s|%-5s|%.2s\\n", "a", "b", "c", "def")', "printf_char": 'printf("%c%%\\n", 65)', "printf_pointer": 'printf("%p\\n", 4096)', "printf_quotient": 'printf("%.2f\\n", 7 / 2)',
    "pid": "print(pid > 0)", "uid": "print(uid)", "nsecs": "print(nsecs > 0)", "elapsed": "print(elapsed >= 0)", "cpu": "print(cpu < 4096)", "comm": 'print(comm != "")', "username": "print(username)",
    "rand": "print(rand >= 0)", "probe": "print(probe)", "ncpus": "print(ncpus > 0)", "ppid": "print(ppid > 0)", "cgroup": "print(cgroup > 0)", "nsecs_of": "print(nsecs(monotonic) > 0)",
    "strerror": "print(strerror(2))", "signal_name": "print(signal_name(9))", "syscall_name": "print(syscall_name(0))", "ntop": "print(ntop(0x0100007f))", "macaddr": "", "bswap": "print(bswap((uint16)1))",
    "memcmp": "", "strcap": "print(strcap(\"abc\") >= 4)", "buf": 'printf("%r\\n", buf("abc", 3))', "ksym": "", "join": "",
    "strftime": 'print(strftime("%%", nsecs))', "constant": "print(AF_INET)", "sizeof": "print(sizeof(uint32))", "sizeof_struct": "", "offsetof": "", "enum": "", "define": "", "include": "", "config": "", "getopt": "",
    "struct": "", "union": "", "bit_field": "", "array": "", "typedef": "", "pointer": "", "address": "", "kstack": "", "ustack": "",
    "end": "", "begin_small": "", "two_begins": "", "exit": "exit()", "exit_code": "exit(3)", "comments": "/* a */ print(1) // b\n", "json": "",
    "tracepoint": "", "wildcard": "", "rawtracepoint": "", "interval": "", "profile": "", "software": "", "several": "", "predicate": "", "args": "", "args_arrow": "",
    "uprobe": "", "uretprobe": "", "retval": "", "arg_n": "", "args_dwarf": "", "uprobe_line": "", "usdt": "", "func": "", "sarg": "", "reg": "",
    "kprobe": "", "kretprobe": "", "fentry": "", "watchpoint": "",
}
# Whole scripts: the sample of a row is what stands here. Each: text, output lines, the turns of `generated` that it wants.
BEHIND = 'uprobe:PROG:look_at'


def wholes(rng):
    """(rows, script, wanted lines, N of -c, json) of what is not one block of BEGIN."""
    n = rng.randint(2, 9)
    k = rng.randint(0, n - 1)
    ints = [rng.randint(-1000, 1000) for _ in range(4)]
    name = rng.choice(["odd", "even"])
    names = [("odd" if i % 2 else "even") for i in range(n)]
    inner = "struct inner { signed char low; unsigned short high; }; "
    outer = inner + ("struct outer { int number; char name[12]; struct inner in; unsigned three : 3; int five : 5; "
                     "long list[3]; struct outer *self; }; ")
    five = lambda i: cut(3 - i, 5, True)
    list1 = lambda i: 100 * max([j for j in range(i + 1) if j % 3 == 1], default=0)
    yield ["tracepoint", "predicate", "count"], "tracepoint:syscalls:sys_enter_getppid /pid == cpid/ { @n = count() }", [f"@n: {n}"], n
    yield ["wildcard", "probe"], "tracepoint:syscalls:sys_*_getppid /pid == cpid/ { @n[probe] = count() }", [
        f"@n[tracepoint:syscalls:sys_enter_getppid]: {n}", f"@n[tracepoint:syscalls:sys_exit_getppid]: {n}"], n
    yield ["several"], "tracepoint:syscalls:sys_enter_getppid, tracepoint:syscalls:sys_exit_getppid /pid == cpid/ { @n++ }", [f"@n: {2 * n}"], n
    yield ["args"], "tracepoint:raw_syscalls:sys_enter /pid == cpid && args.id == 110/ { @n[args.id] = count() }", [f"@n[110]: {n}"], n
    yield ["args_arrow"], "tracepoint:raw_syscalls:sys_enter /pid == cpid && args->id == 110/ { @n = sum(args->id) }", [f"@n: {110 * n}"], n
    yield ["rawtracepoint", "arg_n"], "rawtracepoint:sys_enter /pid == cpid && arg1 == 110/ { @n = count() }", [f"@n: {n}"], n
    yield ["interval"], f'interval:ms:1 {{ @i++; if (@i == {n}) {{ print({ints[0]}); exit() }} }}', [str(ints[0]), f"@i: {n}"], None
    yield ["profile"], 'profile:hz:999 { @seen = 1; exit() }', ["@seen: 1"], None
    yield ["software"], 'software:cpu-clock:1000000 { @seen = 1; exit() }', ["@seen: 1"], None
    yield ["end"], f'BEGIN {{ @x = {ints[0]}; exit() }} END {{ print(@x + {ints[1]}) }}', [str(ints[0] + ints[1]), f"@x: {ints[0]}"], None
    yield ["begin_small"], f'begin {{ print({ints[0]}); exit() }} end {{ print({ints[1]}) }}', [str(ints[0]), str(ints[1])], None
    yield ["two_begins"], f'BEGIN {{ print({ints[0]}) }} BEGIN {{ print({ints[1]}); exit() }}', [str(ints[0]), str(ints[1])], None
    yield ["uprobe", "arg_n"], f'uprobe:PROG:pair_of /arg0 == {k}/ {{ printf("%d %d\\n", arg0, arg1) }}', [f"{k} {3 * k}"], n
    yield ["uretprobe", "retval"], "uretprobe:PROG:pair_of { @s = sum(retval) }", [f"@s: {sum(4 * i for i in range(n))}"], n
    yield ["args_dwarf"], "uprobe:PROG:pair_of { @a[args.a] = args.b }", [f"@a[{i}]: {3 * i}" for i in range(n)], n
    yield ["uprobe_line"], "uprobe:PROG@generated.c:16 { @a = sum($b) }", [f"@a: {sum(3 * i for i in range(n))}"], n
    yield ["usdt"], "usdt:PROG:generated:turn { @t[arg0] = arg1 }", [f"@t[{i}]: {7 * i}" for i in range(n)], n
    yield ["func"], "uprobe:PROG:pair_of { @f[func] = count() }", [f"@f[pair_of]: {n}"], n
    yield ["reg"], 'uprobe:PROG:pair_of { @r = max(reg("si")) }', [f"@r: {3 * (n - 1)}"], n
    yield ["sarg"], "uprobe:PROG:pair_of { @s = count(); $x = sarg0; }", [f"@s: {n}"], n
    yield ["struct", "array"], outer + BEHIND + ' { $o = (struct outer *)arg0; printf("%d %s %d %d\\n", $o->number, $o->name, $o->in.low, $o->in.high) }', [
        f"{-i} {names[i]} {cut(i - 5, 8, True)} {cut(1000 * i, 16, False)}" for i in range(n)], n
    yield ["bit_field", "pointer"], outer + BEHIND + ' { $o = (struct outer *)arg0; printf("%d %d %d\\n", $o->three, $o->five, $o->self->self->number) }', [
        f"{i % 8} {five(i)} {-i}" for i in range(n)], n
    yield ["array"], outer + BEHIND + ' { $o = (struct outer *)arg0; @l = max($o->list[1]) }', [f"@l: {list1(n - 1)}"], n
    yield ["args_dwarf", "struct"], BEHIND + ' { @n[str(args.text)] = count(); @s = sum(args.o->in.high) }', [
        *map_lines("n", {(w,): names.count(w) for w in set(names)}), f"@s: {sum(1000 * i for i in range(n))}"], n
    yield ["uprobe", "string_eq"], BEHIND + f' /str(arg1) == "{name}"/ {{ @n = count() }}', [f"@n: {names.count(name)}"] if name in names else [], n
    yield ["union", "typedef"], ('union both { int whole; char part; }; typedef union both both_t; ' + BEHIND +
        ' { $u = (union both *)arg0; @p[$u->whole] = $u->part }'), sorted([f"@p[{-i}]: {cut(-i, 8, True)}" for i in range(n)], key=lambda l: int(l.split(": ")[1])), n
    yield ["sizeof_struct", "offsetof"], outer + f'BEGIN {{ print(sizeof(struct inner)); print(offsetof(struct outer, in)); print({ints[0]}); exit() }}', ["4", "16", str(ints[0])], None
    yield ["enum"], f'enum colour {{ RED = {k}, GREEN }}; BEGIN {{ print(GREEN + {ints[0]}); exit() }}', [str(k + 1 + ints[0])], None
    yield ["define"], f'#define VALUE {ints[0]}\nBEGIN {{ print(VALUE); exit() }}', [str(ints[0])], None
    yield ["include"], f'#include <linux/sched.h>\nBEGIN {{ print({ints[0]}); exit() }}', [str(ints[0])], None
    yield ["config"], 'config = { max_map_keys = 2 } BEGIN { @m[1] = 1; @m[2] = 2; print(len(@m)); exit() }', ["2", "@m[1]: 1", "@m[2]: 2"], None
    yield ["memcmp"], 'BEGIN { $a = "abcd"; print(memcmp("abcd", $a, 4)); exit() }', ["0"], None
    yield ["macaddr"], outer + BEHIND + ' { $o = (struct outer *)arg0; @m[macaddr($o->name)] = count() }', ["@m[65:76:65:6E:00:00]: 1"], 1
    yield ["kstack"], "tracepoint:syscalls:sys_enter_getppid /pid == cpid/ { @k[kstack] = count() } END { print(len(@k) > 0); clear(@k) }", ["1"], n
    yield ["ustack"], "uprobe:PROG:pair_of { @u[ustack(1)] = count() }", ["@u[", "pair_of+0", f"]: {n}"], n
    yield ["json"], f'BEGIN {{ @x[1, "a"] = {ints[0]}; @h = hist({k}); print({ints[1]}); exit() }}', [
        '{"type": "attached_probes", "data": {"probes": 1}}', '{"type": "value", "data": %d}' % ints[1], '{"type": "hist", "data": {"@h": [%s]}}' % json_bucket(k), '{"type": "map", "data": {"@x": {"1,a": %d}}}' % ints[0]], "json"
    yield ["ksym"], 'BEGIN { print(ksym(0) == ksym(0) ? 1 : 1); exit() }', ["1"], None
    yield ["join"], f"tracepoint:syscalls:sys_enter_execve /pid == cpid/ {{ join(args.argv) }}", [f"PROG {n}"], n
    yield ["kprobe", "arg_n"], "kprobe:__x64_sys_getppid /pid == cpid/ { @n = count() }", [f"@n: {n}"], n
    yield ["kretprobe", "retval"], "kretprobe:__x64_sys_getppid /pid == cpid && retval > 0/ { @n = count() }", [f"@n: {n}"], n
    yield ["fentry"], "fentry:__x64_sys_getppid /pid == cpid/ { @n = count() }", [f"@n: {n}"], n
    yield ["address"], f'BEGIN {{ $x = {ints[0]}; $p = &$x; print(*$p); exit() }}', [str(ints[0])], None
    yield ["watchpoint"], "watchpoint:WATCHED:8:w { @w++ }", [f"@w: {n}"], n
    yield ["agg_read"], 'BEGIN { @c = count(); @c = count(); $n = @c + 0; print($n); clear(@c); exit() }', ["2", "@c: 0"], None
    yield ["return"], f'BEGIN {{ print({ints[0]}); if (pid > 0) {{ @x = 1; exit(); return; }} print(3) }}', [str(ints[0]), "@x: 1"], None
    yield ["scope"], f'BEGIN {{ if (pid > 0) {{ let $x = {ints[0]}; print($x) }} if (pid > 0) {{ let $x = "word"; print($x) }} exit() }}', [str(ints[0]), "word"], None
    yield ["getopt"], f'BEGIN {{ print(getopt("turns", {k})); exit() }}', [str(k)], None


def json_bucket(k):
    if k < 2:
        return '{"min": %d, "max": %d, "count": 1}' % (k, k)
    b = k.bit_length() - 1
    return '{"min": %d, "max": %d, "count": 1}' % (1 << b, (2 << b) - 1)


# ---- one block, from the grammar ----

class Gen:
    def __init__(self, rng, have, number):
        self.rng, self.have, self.rows, self.number_of = rng, have, set(), number
        self.ints, self.strings, self.next, self.depth, self.maps, self.loop = [], [], 0, 0, {}, 0
        self.protected = set()

    def may(self, *rows):
        if not all(r in self.have for r in rows):
            return False
        self.rows.update(rows)
        return True

    def pick(self, choices):
        """One of [(rows, make)], among those that are there."""
        fit = [(rows, make) for rows, make in choices if all(r in self.have for r in rows)]
        rows, make = self.rng.choice(fit)
        self.rows.update(rows)
        return make()

    def name(self, letter):
        self.next += 1
        return f"{letter}{self.next}"

    # -- numbers: (text, function) --

    def literal(self):
        r = self.rng
        v = r.choice([r.randint(0, 9), r.randint(0, 1000), r.randint(0, 1 << 40)])

        def of(t, value):
            return t, lambda e: value
        return self.pick([(["int"], lambda: of(str(v), v)), (["hex"], lambda: of(hex(v), v)), (["exp"], lambda: of("2e3", 2000)),
                          (["underscore"], lambda: of("1_000", 1000)), (["duration"], lambda: of("7us", 7000))])

    def two(self, op, fn):
        (a, fa), (b, fb) = self.number(), self.number()
        return f"({a} {op} {b})", lambda e: fn(fa(e), fb(e))

    def divide(self):
        a, fa = self.number()
        by = self.rng.choice([1, 2, 3, 7, 10, 1000])
        op, fn = self.rng.choice([("/", div), ("%", mod)])
        return f"(({a} - 0) {op} {by})", lambda e: fn(fa(e), by)

    def shifted(self):
        a, fa = self.number()
        by = self.rng.randint(0, 20)
        if self.rng.random() < 0.5:
            return f"({a} << {by})", lambda e: s64(fa(e) << by)
        return f"(({a} - 0) >> {by})", lambda e: s64(fa(e)) >> by

    def cast(self, signed):
        a, fa = self.number()
        bits = self.rng.choice([8, 16, 32, 64] if signed else [8, 16, 32])
        return f"(({'' if signed else 'u'}int{bits})({a}) - 0)", lambda e: cut(fa(e), bits, signed)

    def logic(self):
        (a, fa), (b, fb) = self.number(), self.number()
        if self.rng.random() < 0.5:
            return f"({a} && {b})", lambda e: int(bool(fa(e)) and bool(fb(e)))
        return f"({a} || {b})", lambda e: int(bool(fa(e)) or bool(fb(e)))

    def compare(self):
        op = self.rng.choice(["<", ">", "<=", ">=", "==", "!="])
        fn = {"<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "==": lambda a, b: a == b,
              "!=": lambda a, b: a != b}[op]
        (a, fa), (b, fb) = self.number(), self.number()
        return f"(({a} - 0) {op} ({b} - 0))", lambda e: int(fn(fa(e), fb(e)))

    def ternary(self):
        (a, fa), (b, fb), (c, fc) = self.number(), self.number(), self.number()
        return f"({a} ? ({b} - 0) : ({c} - 0))", lambda e: fb(e) if fa(e) else fc(e)

    def elvis(self):
        (a, fa), (b, fb) = self.number(), self.number()
        return f"(({a} - 0) ?: ({b} - 0))", lambda e: fa(e) or fb(e)

    def unary(self, op, fn):
        a, fa = self.number()
        return f"({op}({a} - 0))", lambda e: fn(fa(e))

    def string_number(self):
        (a, fa), (b, fb) = self.string(), self.string()
        n = self.rng.randint(1, 6)
        word = self.rng.choice(["a", "bc", "cd", "x"])
        return self.pick([
            (["string_eq"], lambda: (f"({a} == {b})", lambda e: int(fa(e) == fb(e)))), (["string_eq"], lambda: (f"({a} != {b})", lambda e: int(fa(e) != fb(e)))),
            (["strncmp"], lambda: (f"(strncmp({a}, {b}, {n}) == 0)", lambda e: int(fa(e)[:n] == fb(e)[:n]))),
            (["strlen"], lambda: (f"(strlen({a}) - 0)", lambda e: len(fa(e)))),
            (["strcontains"], lambda: (f'(strcontains({a}, "{word}") ? 1 : 0)', lambda e: int(word in fa(e)))),
            (["strstr"], lambda: (f'(strstr({a}, "{word}") - 0)', lambda e: fa(e).find(word)))])

    def map_number(self):
        name, keys = self.rng.choice([(n, k) for n, (k, kind) in self.maps.items() if kind == "int"])
        key, fk = self.key(keys)
        self.rows.add("map")
        return f"(@{name}{key} - 0)", lambda e: e.maps.get(name, {}).get(fk(e), 0)

    def number(self):
        if self.depth > 3 or self.rng.random() < 0.25:
            return self.literal()
        self.depth += 1
        choices = [
            (["arith"], lambda: self.two("+", lambda a, b: s64(a + b))), (["arith"], lambda: self.two("*", lambda a, b: s64(a * b))),
            (["minus"], lambda: self.two("-", lambda a, b: s64(a - b))), (["div"], self.divide),
            (["bits"], lambda: self.two("&", lambda a, b: s64(a & b))), (["bits"], lambda: self.two("|", lambda a, b: s64(a | b))),
            (["bits"], lambda: self.two("^", lambda a, b: s64(a ^ b))), (["shift"], self.shifted), (["compare"], self.compare), (["logic"], self.logic),
            (["not"], lambda: self.unary("!", lambda a: int(not a))), (["invert"], lambda: self.unary("~", lambda a: s64(~a))),
            (["negate"], lambda: self.unary("-", lambda a: s64(-a))), (["ternary"], self.ternary), (["elvis"], self.elvis),
            (["cast"], lambda: self.cast(True)), (["cast_u"], lambda: self.cast(False)), (["string"], self.string_number)]
        if self.ints:
            choices += [(["var"], self.variable)] * 6
        if any(kind == "int" for _, kind in self.maps.values()):
            choices += [(["map"], self.map_number)] * 3
        t = self.pick(choices)
        self.depth -= 1
        return t

    def variable(self):
        v = self.rng.choice(self.ints)
        return f"${v}", lambda e: e.vars[v]

    def string(self):
        r = self.rng
        word = r.choice(["", "a", "abcd", "bcd", "a longer string of words", "x" * 60])
        if self.strings and r.random() < 0.5:
            v = r.choice(self.strings)
            self.rows.add("string_var")
            return f"${v}", lambda e: e.vars[v]
        self.rows.add("string")
        return f'"{word}"', lambda e: word

    # -- statements: (lines, function) --

    def print_number(self):
        a, fa = self.number()
        return [f"print(({a}) - 0);"], lambda e: e.out.append(str(s64(fa(e))))

    def printed(self):
        (a, fa), (s, fs) = self.number(), self.string()
        w = self.rng.randint(1, 30)
        u = lambda e: fa(e) % WRAP

        def line(form, args, fn):
            return [f'printf("{form}\\n", {args});'], lambda e: e.out.append(fn(e))
        return self.pick([
            (["printf"], lambda: line("%d|%lld", f"{a}, {a}", lambda e: f"{fa(e)}|{fa(e)}")),
            (["printf_width"], lambda: line(f"%{w}d|%-{w}d|%0{w}d", f"{a}, {a}, {a}", lambda e: f"{fa(e):{w}d}|{fa(e):<{w}d}|{fa(e):0{w}d}")),
            (["printf_hex"], lambda: line("%x %X %o", f"{a}, {a}, {a}", lambda e: f"{u(e):x} {u(e):X} {u(e):o}")),
            (["printf_unsigned"], lambda: line("%u %llu", f"{a}, {a}", lambda e: f"{u(e)} {u(e)}")),
            (["printf_string"], lambda: line(f"%s|%{w}s|%-{w}s|%.3s", f"{s}, {s}, {s}, {s}", lambda e: f"{fs(e)}|{fs(e):>{w}}|{fs(e):<{w}}|{fs(e)[:3]}")),
            (["printf_char"], lambda: line("%c%%", "66", lambda e: "B%")),
            (["printf_pointer"], lambda: line("%p", "4096", lambda e: "0x1000"))])

    def print_string(self):
        (a, fa), (b, fb), (c, fc) = self.string(), self.string(), self.number()
        return self.pick([
            (["string"], lambda: ([f"print({a});"], lambda e: e.out.append(fa(e)))),
            (["string_ternary"], lambda: ([f"print({c} ? {a} : {b});"], lambda e: e.out.append(fa(e) if fc(e) else fb(e)))),
            (["str_concat"], lambda: ([f"print(str_concat({a}, {b}));"], lambda e: e.out.append(fa(e) + fb(e))))])

    def print_tuple(self):
        (a, fa), (b, fb), (s, fs) = self.number(), self.number(), self.string()
        a, b = f"({a}) - 0", f"({b}) - 0"
        v = self.name("t")
        return self.pick([
            (["tuple"], lambda: ([f"print(({a}, {s}, {b}));"], lambda e: e.out.append(text((fa(e), fs(e), fb(e)))))),
            (["tuple_item"], lambda: ([f"${v} = ({a}, {s}); print(${v}.0); print(${v}.1);"], lambda e: e.out.extend([str(fa(e)), fs(e)]))),
            (["tuple_nested"], lambda: ([f"${v} = ({a}, ({b}, {s})); print(${v}); print(${v}.1.1);"], lambda e: e.out.extend([text((fa(e), (fb(e), fs(e)))), fs(e)]))),
            (["tuple_assign"], lambda: ([f"${v} = ({a}, {b}); ${v} = (${v}.1, ${v}.0); print(${v});"], lambda e: e.out.append(text((fb(e), fa(e))))))])

    FIXED = [("print(pid > 0);", "1", ["pid"]), ("print(uid);", "0", ["uid"]), ("print(nsecs > 0);", "1", ["nsecs"]), ("print(elapsed >= 0);", "1", ["elapsed"]),
             ("print(cpu < 4096);", "1", ["cpu"]), ('print(comm != "");', "1", ["comm"]), ("print(username);", "root", ["username"]), ("print(rand >= 0);", "1", ["rand"]),
             ("print(probe);", "BEGIN", ["probe"]), ("print(ncpus > 0);", "1", ["ncpus"]), ("print(ppid > 0);", "1", ["ppid"]), ("print(cgroup > 0);", "1", ["cgroup"]),
             ("print(nsecs(monotonic) > 0);", "1", ["nsecs_of"]), ("print(strerror(2));", "No such file or directory", ["strerror"]),
             ("print(signal_name(9));", "SIGKILL", ["signal_name"]), ("print(syscall_name(0));", "read", ["syscall_name"]), ("print(ntop(0x0100007f));", "127.0.0.1", ["ntop"]),
             ("print(bswap((uint16)0x102));", str(0x201), ["bswap"]), ('printf("%r\\n", buf("abc", 3));', "abc", ["buf"]), ("print(AF_INET);", "2", ["constant"]),
             ("print(sizeof(uint32));", "4", ["sizeof"]), ('printf("%.2f\\n", 7 / 2);', "3.50", ["printf_quotient"]), ('print(strftime("%%", nsecs));', "%", ["strftime"]), ('print(strcap("abc") >= 4);', "1", ["strcap"]),
             ("print($2);", "-42", ["param"]), ("print(str($1));", "first", ["str_param"]), ("print($#);", "2", ["param_count"]), ("_ = 5;", None, ["discard"]),
             ("/* said */ print(1); // so\n", "1", ["comments"])]

    def fixed(self):
        fit = [f for f in self.FIXED if all(r in self.have for r in f[2])]
        line, want, rows = fit[self.number_of % len(fit)]  # each has its turn
        self.rows.update(rows)
        return [line], lambda e: e.out.append(want) if want is not None else None

    def assign(self):
        a, fa = self.number()
        if self.ints and self.rng.random() < 0.5:
            v = self.rng.choice([i for i in self.ints if i not in self.protected] or [None])
            if v:
                return self.change(v, a, fa)
        v = self.name("i")
        form = self.pick([(["var"], lambda: f"${v} = ({a}) - 0;"), (["let"], lambda: f"let ${v} = ({a}) - 0;"), (["let_type"], lambda: f"let ${v} : int64 = ({a}) - 0;")])
        self.ints.append(v)
        return [form], lambda e: e.vars.__setitem__(v, s64(fa(e)))

    def change(self, v, a, fa):
        ops = {"+=": lambda x, y: s64(x + y), "-=": lambda x, y: s64(x - y), "*=": lambda x, y: s64(x * y), "&=": lambda x, y: s64(x & y), "|=": lambda x, y: s64(x | y),
               "^=": lambda x, y: s64(x ^ y)}
        op = self.rng.choice(list(ops))
        to = lambda e, value: e.vars.__setitem__(v, value)
        return self.pick([(["compound"], lambda: ([f"${v} {op} ({a}) - 0;"], lambda e: to(e, ops[op](e.vars[v], fa(e))))),
                          (["step"], lambda: ([f"${v}++;"], lambda e: to(e, s64(e.vars[v] + 1)))), (["step"], lambda: ([f"--${v};"], lambda e: to(e, s64(e.vars[v] - 1)))),
                          (["var"], lambda: ([f"${v} = ({a}) - 0;"], lambda e: to(e, s64(fa(e)))))])

    def assign_string(self):
        a, fa = self.string()
        v = self.name("s")
        self.strings.append(v)
        return [f"${v} = {a};"], lambda e: e.vars.__setitem__(v, fa(e))

    def key(self, kinds):
        """A key of a map: small numbers, so that they meet again, and words."""
        parts, fns = [], []
        for kind in kinds:
            if kind == "int":
                a, fa = self.number()
                parts.append(f"(({a} - 0) & 3) - 0")
                fns.append(lambda e, f=fa: f(e) & 3)
            else:
                w = self.rng.choice(["p", "qq", "rrr"])
                parts.append(f'"{w}"')
                fns.append(lambda e, w=w: w)
        self.last_key = f"({', '.join(parts)})" if len(parts) > 1 else "".join(parts)
        shape = f"[({', '.join(parts)})]" if len(parts) > 1 and self.rng.random() < 0.3 and self.may("map_tuple_key") else f"[{', '.join(parts)}]"
        return shape if parts else "", lambda e: tuple(f(e) for f in fns)

    def a_map(self, kind):
        same = [n for n, (_, k) in self.maps.items() if k == kind]
        if same and self.rng.random() < 0.6:
            return self.rng.choice(same)
        n = self.name("m")
        keys = self.pick([(["map"], list), (["map_keys"], lambda: ["int"]), (["map_keys"], lambda: ["string"]), (["map_keys"], lambda: ["int", "string"]),
                          (["map_keys"], lambda: ["int", "int", "string"])])
        self.maps[n] = (keys, kind)
        return n

    def map_statement(self):
        n = self.a_map("int")
        key, fk = self.key(self.maps[n][0])
        a, fa = self.number()

        def put(e, fn):
            m = e.maps.setdefault(n, {})
            k = fk(e)
            m[k] = fn(m.get(k, 0))
        ops = {"+": lambda x, y: s64(x + y), "-": lambda x, y: s64(x - y), "|": lambda x, y: x | y, "^": lambda x, y: s64(x ^ y), "*": lambda x, y: s64(x * y)}
        op = self.rng.choice(list(ops))
        return self.pick([(["map"], lambda: ([f"@{n}{key} = ({a}) - 0;"], lambda e: put(e, lambda x: s64(fa(e))))),
                          (["map_step"], lambda: ([f"@{n}{key}++;"], lambda e: put(e, lambda x: s64(x + 1)))), (["map_step"], lambda: ([f"--@{n}{key};"], lambda e: put(e, lambda x: s64(x - 1)))),
                          (["map_compound"], lambda: ([f"@{n}{key} {op}= ({a}) - 0;"], lambda e: put(e, lambda x: ops[op](x, s64(fa(e))))))])

    def map_other(self):
        if self.rng.random() < 0.5:
            n, (a, fa) = self.a_map("string"), self.string()
            self.rows.add("map_string")
        else:
            n, (x, fx), (s, fs) = self.a_map("tuple"), self.number(), self.string()
            a, fa = f"(({x}) - 0, {s})", lambda e: (fx(e), fs(e))
            self.rows.add("map_tuple")
        key, fk = self.key(self.maps[n][0])
        return [f"@{n}{key} = {a};"], lambda e: e.maps.setdefault(n, {}).__setitem__(fk(e), fa(e))

    def map_use(self):
        keyed = [n for n, (k, kind) in self.maps.items() if k and kind == "int"]
        if not keyed:
            return self.map_statement()
        n = self.rng.choice(keyed)
        key, fk = self.key(self.maps[n][0])
        inner = self.last_key
        m = lambda e: e.maps.get(n, {})
        return self.pick([
            (["delete"], lambda: ([f"delete(@{n}{key});"], lambda e: m(e).pop(fk(e), None))), (["delete_two"], lambda: ([f"delete(@{n}, {inner});"], lambda e: m(e).pop(fk(e), None))),
            (["has_key"], lambda: ([f"print(has_key(@{n}, {inner}) ? 1 : 0);"], lambda e: e.out.append(str(int(fk(e) in m(e)))))),
            (["len"], lambda: ([f"print(len(@{n}) - 0);"], lambda e: e.out.append(str(len(m(e)))))),
            (["print_value"], lambda: ([f"print(@{n}{key});"], lambda e: e.out.append(str(m(e).get(fk(e), 0)))))])

    def divided(self, n, m):
        return [f"@{n}[{key_text(k)}]: {div(m[k], 2)}" for k in sorted(m, key=lambda k: (m[k], k))]

    def aggregate(self):
        kind = self.pick([([k], lambda k=k: k) for k in ("count", "sum", "avg", "min", "max", "stats", "hist", "lhist")])
        n = self.a_map(kind)
        key, fk = self.key(self.maps[n][0])
        if key:
            self.rows.add("agg_keys")
        a, fa = self.number()
        a, fs = f"({a}) - 0", lambda e: s64(fa(e))
        make = {"avg": lambda: Stats(True), "stats": lambda: Stats(False), "hist": Hist, "lhist": lambda: Lhist(0, 100, 10)}.get(kind)

        def put(e):
            m, k = e.maps.setdefault(n, {}), fk(e)
            if make:
                m.setdefault(k, make()).add(fs(e))
            elif kind in ("min", "max"):
                m[k] = {"min": min, "max": max}[kind](m.get(k, fs(e)), fs(e))
            else:
                m[k] = s64(m.get(k, 0) + (1 if kind == "count" else fs(e)))
        args = {"count": "", "lhist": f"{a}, 0, 100, 10"}.get(kind, a)
        return [f"@{n}{key} = {kind}({args});"], put

    def body(self, how_many):
        """A block: what is declared in it ends with it."""
        ints, strings = list(self.ints), list(self.strings)
        made = [self.statement() for _ in range(how_many)]
        self.ints, self.strings = ints, strings
        return ["\t" + l for ls, _ in made for l in ls], lambda e: [f(e) for _, f in made]

    def if_else(self):
        kind = self.pick([([k], lambda k=k: k) for k in ("if", "else", "else_if")])
        (a, fa), (b, fb) = self.number(), self.number()
        yes, fy = self.body(2)
        if kind == "if":
            return [f"if ({a}) {{", *yes, "}"], lambda e: fy(e) if fa(e) else None
        no, fn = self.body(1)
        if kind == "else":
            return [f"if ({a}) {{", *yes, "} else {", *no, "}"], lambda e: fy(e) if fa(e) else fn(e)
        return [f"if ({a}) {{", *yes, f"}} else if ({b}) {{", *no, "}"], lambda e: fy(e) if fa(e) else fn(e) if fb(e) else None

    def looped(self):
        if self.loop > 1:
            return self.if_else()
        self.loop += 1
        n, v = self.rng.randint(1, 5), self.name("l")
        result = self.pick([(["unroll"], lambda: self.unrolled(n)), (["while"], lambda: self.while_loop(n, v)), (["for_range"], lambda: self.for_range(n, v)),
                            (["while", "break"], lambda: self.while_loop(n, v, "break")), (["while", "continue"], lambda: self.while_loop(n, v, "continue"))])
        self.loop -= 1
        return result

    def unrolled(self, n):
        lines, f = self.body(1)

        def go(e):
            for _ in range(n):
                e.step()
                f(e)
        return [f"unroll({n}) {{", *lines, "}"], go

    def while_loop(self, n, v, leave=None):
        self.ints.append(v)
        self.protected.add(v)
        a, fa = self.number()
        lines, f = self.body(1)
        self.ints.remove(v)
        jump = [f"\tif ({a}) {{ {leave}; }}"] if leave else []

        def go(e):
            e.vars[v] = 0
            while e.vars[v] < n:
                e.step()
                e.vars[v] += 1
                if leave and fa(e):
                    if leave == "break":
                        break
                    continue
                f(e)
        return [f"${v} = 0;", f"while (${v} < {n}) {{", f"\t${v}++;", *jump, *lines, "}"], go

    def for_range(self, n, v):
        self.ints.append(v)
        self.protected.add(v)
        lines, f = self.body(1)
        self.ints.remove(v)

        def go(e):
            for i in range(n):
                e.step()
                e.vars[v] = i
                f(e)
        return [f"for (${v} : 0..{n}) {{", *lines, "}"], go

    def statement(self):
        kinds = [(["int"], self.print_number), (["printf"], self.printed), (["string"], self.print_string), (["tuple"], self.print_tuple), (["int"], self.fixed), (["var"], self.assign),
                 (["var"], self.assign), (["string_var"], self.assign_string), (["map"], self.map_statement), (["map"], self.map_statement), (["map"], self.map_other),
                 (["map"], self.map_use), (["count"], self.aggregate), (["count"], self.aggregate)]
        if self.depth == 0 and self.loop < 2 and self.nest < 3:
            kinds += [(["if"], self.if_else), (["if"], self.looped)]
        self.nest += 1
        lines, f = self.pick(kinds)
        self.nest -= 1
        return lines, f

    nest = 0

    def whole(self):
        lines, f = self.body(self.rng.randint(2, 9))
        first, said = self.fixed()
        lines, f = [*("\t" + l for l in first), *lines], lambda e, f=f: (said(e), f(e))
        env = Env()
        code = self.rng.randint(0, 40) if self.may("exit_code") else 0
        self.rows.add("exit")
        f(env)
        for name in list(env.maps):
            if not env.maps[name]:
                del env.maps[name]
        for name, (keys, kind) in self.maps.items():  # as bpftrace has it: a mere count is there from the begin
            if kind == "count" and not keys:
                env.maps.setdefault(name, {(): 0})
        tail, shown = self.at_the_end(env)
        script = "\n".join(["BEGIN {", *lines, *("\t" + t for t in tail), f"\texit({code or ''});" if code else "\texit();", "}"]) + "\n"
        for name in sorted(env.maps):
            shown += map_lines(name, env.maps[name])
        return script, env.out + shown, code

    def at_the_end(self, env):
        """print(), clear() and zero() of maps: the reader does them when it comes to them, so nothing may change after."""
        tail, shown = [], []
        keyed = [n for n in env.maps if self.maps[n][0] and self.maps[n][1] == "int"]
        if not keyed or self.rng.random() < 0.6:
            return tail, shown
        n = self.rng.choice(keyed)
        m = env.maps[n]
        what = self.pick([([r], lambda r=r: r) for r in ("print_map", "print_top", "print_div", "clear", "zero", "for_map")])
        if what == "print_map":
            return [f"print(@{n});"], map_lines(n, m)
        if what == "print_top":
            return [f"print(@{n}, 1);"], map_lines(n, m)[-1:]
        if what == "print_div":
            return [f"print(@{n}, 0, 2);"], self.divided(n, m)
        if what == "for_map":
            return [f"$total = 0; for ($kv : @{n}) {{ $total += $kv.1 - 0; }} print($total);"], [str(s64(sum(m.values())))]
        if what == "clear":
            del env.maps[n]
        else:
            env.maps[n] = {k: 0 for k in m}
        return [f"{what}(@{n});"], []


# ---- the two commands ----

def placed(script, prog):
    """The program's path, and the address of its variable."""
    if "WATCHED" in script:
        names = subprocess.run(["nm", prog], stdout=subprocess.PIPE).stdout.decode().split("\n")
        script = script.replace("WATCHED", "0x" + next(l.split()[0].lstrip("0") for l in names if l.endswith(" watched")))
    return script.replace("PROG", prog)


def have(sonde, prog):
    """The rows that work here: of each its sample is run."""
    samples = {row: (f"BEGIN {{ {sample}; exit() }}", None) for row, sample in ROWS.items() if sample}
    for rows, script, want, n in wholes(random.Random(1)):
        if not ROWS[rows[0]]:
            samples.setdefault(rows[0], (placed(script, prog), n))

    def works(item):
        row, (script, n) = item
        command = [sonde, "run", "-q"] + (["-f", "json"] if n == "json" else ["-c", f"{prog} {n}"] if n else []) + ["-e", script, "first", "-42"]
        r = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        return row, r.returncode in (0, 3), r.stderr.decode(errors="replace")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(works, samples.items()))
    also = os.environ.get("ALSO", "").split()
    return {row for row, ok, _ in results if ok} | set(also), {row: err.split("\n")[0] for row, ok, err in results if not ok}


def write(folder, count, seed, sonde, prog):
    os.makedirs(folder, exist_ok=True)
    there, absent = have(sonde, prog)
    covered = set()
    for i in range(count):
        rng = random.Random(f"{seed}:{i}")
        if i % 5 == 0:
            fit = [w for w in wholes(rng) if w[0][0] in there]
            rows, script, want, n = fit[(i // 5) % len(fit)]
            script, want, code = placed(script, prog), [w.replace("PROG", prog) for w in want], 0
            args = ["-f", "json"] if n == "json" else ["-c", f"{prog} {n}"] if n else []
        else:
            while True:
                gen = Gen(rng, there, i)
                try:
                    script, want, code = gen.whole()
                    break
                except (RuntimeError, RecursionError):
                    continue
            rows, args = gen.rows, []
        covered |= set(rows)
        for suffix, body in ((".bt", script), (".want", "".join(l + "\n" for l in want if l)), (".code", f"{code}\n"), (".args", "".join(a + "\n" for a in args))):
            with open(f"{folder}/{i:05d}{suffix}", "w") as f:
                f.write(body)
    covered &= set(ROWS)
    print(f"{count} scripts, {len(covered)} of {len(ROWS)} rows")
    for row in sorted(set(ROWS) - covered):
        print(f"not covered: {row}: {absent.get(row, 'by chance')}")


def squeeze(lines):
    return [l.strip() for l in lines if l.strip()]


def check(folder, sonde, jobs):
    def one(name):
        base = f"{folder}/{name}"
        with open(base + ".args") as f:
            args = f.read().split("\n")[:-1]
        with open(base + ".want") as f:
            want = f.read().split("\n")
        with open(base + ".code") as f:
            code = int(f.read())
        r = subprocess.run([sonde, "run", "-q", *args, base + ".bt", "first", "-42"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=300)
        got = r.stdout.decode(errors="replace").split("\n")
        if r.returncode == 255:
            return name, "refused", r.stderr.decode(errors="replace")
        if squeeze(got) != squeeze(want) or r.returncode != code:
            first = next((f"line {k}: wanted {a!r}, got {b!r}" for k, (a, b) in enumerate(zip(squeeze(want) + ["-"] * 9, squeeze(got) + ["-"] * 9)) if a != b), "")
            return name, "differs", f"code {r.returncode}, wanted {code}; {first}\n{r.stderr.decode(errors='replace')}"
        return name, "same", ""
    names = sorted(f[:-3] for f in os.listdir(folder) if f.endswith(".bt"))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(one, names))
    bad = [r for r in results if r[1] == "differs"]
    refused = [r for r in results if r[1] == "refused"]
    for name, state, why in (bad + refused)[:20]:
        print(f"{state} {folder}/{name}.bt: {why}")
    ours = [r for r in refused if "fault of sonde" in r[2]]
    print(f"{len(names)} scripts: {len(names) - len(bad) - len(refused)} as the interpreter, {len(bad)} not, {len(refused)} refused, {len(ours)} of them by the kernel")
    return 1 if bad or ours or len(refused) * 10 > len(names) else 0


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5], sys.argv[6])
    else:
        sys.exit(check(sys.argv[2], sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 2))
