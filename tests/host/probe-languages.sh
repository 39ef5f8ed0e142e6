# SPDX-License-Identifier: GPL-2.0-or-later
# needs: g++ clang++ go
# Probes in C++, Go and Rust programs see the values that the program has.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
g=spl$$ inst=/sys/kernel/tracing/instances/spl$$
own_instance
hit() { # PROGRAM PROBE: what the probe says, in $T/out
	run "$SONDE" probe -x "$1" -a "$g:e=$2"; ok
	echo 1 >"$inst/events/$g/enable"
	"$1" >/dev/null 2>&1
	echo 0 >"$inst/events/$g/enable"
	cp "$inst/trace" "$T/out"; : >"$inst/trace"
	"$SONDE" probe -q -d "$g:*"
}
cat >box.cc <<'C'
#include <cstdio>
namespace ns {
struct Base { int id; };
class Box : public Base {
public:
	Box(int w, const char *l) : width(w), label(l) { id = 77; }
	int area(int h) const { std::printf("%s\n", label); return width * h; }
	int over(int a);
	int over(const char *s);
	int width;
	const char *label;
};
__attribute__((noinline)) int Box::over(int a) { std::printf("%d\n", a); return a + width; }
__attribute__((noinline)) int Box::over(const char *s) { std::puts(s); return width; }
template <typename T> __attribute__((noinline)) T twice(T v) { std::printf("t\n"); return v + v; }
}
__attribute__((noinline)) int take(ns::Box &b, int n) { return b.area(n) + ns::twice(3) + (int)ns::twice(2.5); }
int main(int argc, char **) { ns::Box b(argc * 5, "box"); b.over(4); b.over("str"); return take(b, 9) & 0; }
C
for cc in g++ clang++; do for o in 0 2; do
	$cc -g -O$o -o box box.cc
	hit ./box 'take b.width b.label:string b.id n'; has 'width=5 label="box" id=77 n=9$'
	hit ./box 'ns::Box::over(int) a this->id'; has 'a=4 id=77$'
	hit ./box 'ns::Box::over(char const*) s:string'; has 's_string="str"$'
	hit ./box 'ns::Box::area h this->width'; has 'h=9 width=5$'
	run "$SONDE" probe -x ./box -D 'ns::twice<int>'; ok; has '^p:probe_box/ns_twice '
done; done
run "$SONDE" probe -x ./box -D _ZN2ns3Box4overEi; ok
cat >shop.go <<'C'
package main

type Item struct {
	Price int
	Next  *Item
}

//go:noinline
func add(a int, b *Item, s string) int {
	c := a + b.Price
	println(c, s)
	return c
}
func main() { it := &Item{42, nil}; it.Next = it; println(add(1, it, "hello")) }
C
export GOCACHE=$T/gocache GOFLAGS=-mod=mod GO111MODULE=off
if go build -o shop shop.go; then
	hit ./shop 'main.add a b->Price next=b->Next.Price s.len'; has 'a=1 Price=42 next=42 len=5$'
	hit ./shop 'main.add:3 c'; has 'c=43$'
	hit ./shop 'shop.go:11 c'; has 'c=43$'
	run "$SONDE" probe -x ./shop -L main.add; ok; has '^ +1  .*c := a \+ b.Price'
	run "$SONDE" probe -x ./shop "$g:r=main.add%return"; exits 255; err_has 'in a Go program, where a return probe can crash'; err_has -- '--force'
	run "$SONDE" probe -n --force -x ./shop "$g:r=main.add%return"; ok
	run "$SONDE" probe -x ./shop -D 'main.add $params'; ok; hasnt r0= # a result is no parameter
	go build -gcflags '-N -l' -o slow shop.go # one place in the frame for each local variable
	hit ./slow 'main.add:2 c a b->Price'; has 'c=43 a=1 Price=42$'
	run "$SONDE" probe -x ./slow -V main.add:2; ok; has $'\tint\tc$'
fi
# Go's strings and slices, which no NUL ends, by name
cat >words.go <<'C'
package main

import (
	"os"
	"strings"
)

type Item struct {
	Price int
	Name  string
	Tags  []string
}

//go:noinline
func greet(name string, data []byte, nums []int16, it *Item) int {
	n := len(name) + len(data) + len(nums) + it.Price
	println(n)
	return n
}
func main() {
	it := &Item{42, "inner name", []string{"one", "two"}}
	greet("hello", []byte{'a', 'b', 0, 'c'}, []int16{-1, 2, -3}, it)
	greet("", nil, nil, it)
	greet(strings.Repeat("0123456789", len(os.Args)*10), []byte("bytes"), make([]int16, 20), it)
	greet(strings.Repeat("0123456789", len(os.Args)*30), []byte("bytes"), make([]int16, 16), it)
}
C
for flags in '' '-N -l'; do
	go build -gcflags "$flags" -o words words.go || break
	run "$SONDE" probe -q -x ./words -a "$g:all=main.greet name data nums it.Name tag=it.Tags[1] n1=nums[1] l=data.len" -a "$g:text=main.greet s=data:string"; ok
	run "$SONDE" record -q -o go.data -e "$g:*" ./words; ok
	tens=$(printf '0123456789%.0s' {1..10}); hundreds=$tens$tens${tens:0:56}
	shown() {
		has 'name="hello" name_len=5 data=\{0x61,0x62,0x0,0x63\} data_len=4 nums=\{-1,2,-3\} nums_len=3 Name="inner name" Name_len=10 tag="two" tag_len=3 n1=2 l=4'
		has 'name="" name_len=0 data=\{\} data_len=0 nums=\{\} nums_len=0 Name="inner name"'
		has "name=\"$tens\" name_len=100 .* nums=\\{0(,0){15},\\.\\.\\.\\} nums_len=20"; has "name=\"$hundreds\"\\.\\.\\. name_len=300 .* nums=\\{0(,0){15}\\} nums_len=16"
		has 's="ab.x00c" s_len=4'; has 's="" s_len=0'
	}
	run "$SONDE" script -i go.data; ok; shown
	run "$SONDE" trace --no-syscalls --event "$g:*" -o go.txt ./words; ok; cp go.txt "$T/out"; shown
	run "$SONDE" script --json -i go.data; ok
	has '"name":"hello","name_len":5,"data":\[97,98,0,99\],"data_len":4,"nums":\[-1,2,-3\],"nums_len":3,"Name":"inner name"'; has '"s":"ab.u0000c","s_len":4'
	has '"name":"","name_len":0,"data":\[\],'; has "\"name\":\"$hundreds\",\"name_len\":300"
	if command -v perf >/dev/null; then run perf script -i go.data; ok; has 'name="hello" name_len=5'; has "name=\"$tens\" name_len=100"; fi
	run "$SONDE" probe -q -d "$g:*"; ok
	run "$SONDE" probe -x ./words -D 'main.greet it.Tags'; exits 255; err_has "'Tags' is a slice, and its elements are no numbers"; err_has 'Tags.0.'
	run "$SONDE" probe -x ./words -D 'main.greet nums:string'; exits 255
	run "$SONDE" probe -x ./words -D 'main.greet nums:s16[3]'; ok; has ' nums_s16=.*:s16\[3\]$'
done
cat >r.rs <<'C'
struct Item { price: i32 }
#[inline(never)]
fn add(a: i64, it: &Item, s: &str) -> i64 {
    let c = a + it.price as i64;
    println!("{} {}", c, s);
    c
}
fn main() { let it = Item { price: 42 }; println!("{}", add(1, &it, "hello")); }
C
for o in 0 2; do
	[ -x /usr/bin/rustc ] || { echo "no rustc: Rust not tried"; break; }
	/usr/bin/rustc -g -C opt-level=$o -o r r.rs
	hit ./r 'r::add a it.price s.length s.data_ptr:string'; has 'a=1 price=42 length=0x5 data_ptr="hello'
	hit ./r 'r.rs:5 c'; has 'c=43$'
	run "$SONDE" probe -q -x ./r "$g:s=r::add s"; ok
	run "$SONDE" record -q -o r.data -e "$g:s" ./r; ok; run "$SONDE" script -i r.data; ok; has ' s="hello" s_len=5$'
	run "$SONDE" probe -q -d "$g:*"; ok
done

# -F: names as a probe takes them
cat >names.cc <<'C'
namespace app { struct Engine { __attribute__((noinline)) int spin(int n) { return n + 1; } }; }
int main(int c, char **) { app::Engine e; return e.spin(c); }
C
g++ -O1 -fno-ipa-sra -o names names.cc
run "$SONDE" probe -x ./names -F 'app::*'; ok; same "$out" "app::Engine::spin"
run "$SONDE" probe -x ./names -F '_ZN3app*'; ok; same "$out" "app::Engine::spin"
run "$SONDE" probe -x ./names -F '!_*|!app*'; ok; has '^main$'
run "$SONDE" probe -x ./names -F --no-demangle; ok; has '^_ZN3app6Engine4spinEi$'
run "$SONDE" probe -x ./names -n app::Engine::spin; ok
run "$SONDE" probe -x ./names -F Engine; exits 255; err_has "no function matches 'Engine'"; err_has "^hint: .*'\*Engine\*'"
run "$SONDE" probe -x ./names -n 'main %di:strin'; exits 255; err_has "'strin' is not a type"; err_has '^hint: types: string'
run "$SONDE" probe -x libnosuch.so.6 -F; exits 255; err_has '^hint: .*ldconfig'
