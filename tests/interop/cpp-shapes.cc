// SPDX-License-Identifier: GPL-2.0-or-later
/* Shapes of C++ code whose stacks are easily got wrong. mark() is a system call that a tracer and a debugger both stop at. */
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

static volatile unsigned long sink;
static volatile bool marking;

static inline void mark() { if (marking) syscall(SYS_getppid); }

namespace shop {
namespace inner {
template <typename T, int N> struct Box {
	T v[N];
	__attribute__((noinline)) T sum(T seed) const
	{
		T s = seed;
		mark();
		for (int k = 0; k < 2000; k++)
			for (int i = 0; i < N; i++)
				s = s * 31 + v[i];
		return s;
	}
	T operator()(T a) const
	{
		T s = a;
		for (int k = 0; k < 2000; k++)
			s = s * 33 + v[k % N];
		mark();
		sink = sink + s;
		return s;
	}
};
template <typename F> __attribute__((noinline)) long apply(F f, long n)
{
	long s = 0;
	for (long i = 0; i < n; i++)
		s += f(i);
	return s;
}
}
}

namespace {
struct Shape {
	virtual long area(long n) const = 0;
	virtual ~Shape() {}
};
struct Square : Shape {
	long area(long n) const override
	{
		long s = 0;
		mark();
		for (long i = 0; i < n; i++)
			s = s * 7 + i;
		sink = s;
		return s;
	}
};
struct Circle : Shape {
	long area(long n) const override
	{
		long s = 1;
		for (long i = 0; i < n; i++)
			s = (s * 5) ^ i;
		mark();
		sink = s;
		return s;
	}
};
__attribute__((noinline)) long hidden(long n)
{
	long s = 0;
	for (long i = 0; i < n; i++)
		s += s ^ i;
	mark();
	sink = s;
	return s;
}
}

static inline long step(long a)
{
	for (int i = 0; i < 500; i++)
		a = a * 11 + i;
	mark();
	sink = a;
	return a;
}
static inline long twice(long a) { return step(a) + step(a + 1); }
__attribute__((noinline)) static long with_inlines(long a) { return twice(a) * 2; }

/* What is rare is cut off: .cold, .part */
__attribute__((cold, noinline)) static void rare(long n) { mark(); fprintf(stderr, "%ld\n", n); }
static long checked(long n)
{
	if (__builtin_expect(n < 0, 0)) {
		rare(n);
		mark();
		return 0;
	}
	long s = 0;
	for (long i = 0; i < n; i++)
		s = s * 3 + i;
	mark();
	sink = s;
	return s;
}
/* Always the same argument, and one that is only read: .constprop, .isra */
__attribute__((noinline)) static long clone_me(long n, int always, const long *p)
{
	long s = *p;
	for (long i = 0; i < n; i++)
		s = s * always + i;
	mark();
	sink = s;
	return s;
}

__attribute__((noinline)) static void throws(long n)
{
	mark();
	if (n)
		throw n;
}
__attribute__((noinline)) static long catches(long n)
{
	try {
		throws(n);
	} catch (long k) {
		mark();
		return k;
	}
	return 0;
}

static void busy_in_signal()
{
	long s = 0;
	for (int i = 0; i < 300000; i++)
		s += i * s;
	sink = s;
}
static void on_tick(int)
{
	mark();
	busy_in_signal();
}
__attribute__((noinline)) static void raises() { raise(SIGUSR1); sink = sink + 1; }

typedef long (*fn)(long);
__attribute__((noinline)) static long call(fn f, long n) { return f(n) + 1; }
__attribute__((noinline)) static long call_std(const std::function<long(long)> &f, long n) { return f(n) + 1; }

static long all(int round, long n)
{
	static std::vector<std::unique_ptr<Shape>> shapes;
	if (shapes.empty()) {
		shapes.emplace_back(new Square);
		shapes.emplace_back(new Circle);
	}
	shop::inner::Box<long, 4> box = { { 1, 2, 3, 4 } };
	fn pointer = [](long k) -> long {
		long s = 0;
		for (long i = 0; i < k; i++)
			s = s * 13 + i;
		mark();
		sink = s;
		return s;
	};
	int captured = 5, marks = 3;
	std::function<long(long)> function = [captured](long k) -> long {
		long s = captured;
		for (long i = 0; i < k; i++)
			s = s * 17 + i;
		mark();
		sink = s;
		return s;
	};
	long other = 3;
	std::vector<int> a(n / 4);
	unsigned x = 1;
	for (auto &v : a)
		v = (x = x * 1103515245 + 12345) >> 8;
	std::vector<std::string> z;
	for (size_t i = 0; i < 500; i++)
		z.push_back(std::to_string(a[i % a.size()]));
	std::sort(a.begin(), a.end());
	std::sort(a.begin(), a.end(), [&](int p, int q) {
		if (marks > 0 && p % 7 == 0) {
			marks--;
			mark();
		}
		return p % 1000 > q % 1000;
	});
	std::sort(z.begin(), z.end());
	for (auto &s : shapes)
		sink = sink + s->area(n);
	sink = sink + box.sum(round) + box(round) + hidden(n) + with_inlines(round) + with_inlines(round + 1);
	sink = sink + shop::inner::apply([&](long i) { return i * captured + box(i); }, 4);
	sink = sink + call(pointer, n) + call_std(function, n);
	sink = sink + checked(n) + checked(-1) + clone_me(n, 7, &other) + clone_me(n - 1, 7, &other);
	raises();
	return catches(round);
}

int main(int argc, char **argv)
{
	struct sigaction sa = {};
	sa.sa_handler = on_tick;
	sigaction(SIGUSR1, &sa, nullptr);
	marking = argc > 1;
	if (marking) /* every shape once, marked */
		return all(1, 4000) == -1;
	sigaction(SIGVTALRM, &sa, nullptr);
	itimerval tv = { { 0, 4000 }, { 0, 4000 } };
	setitimer(ITIMER_VIRTUAL, &tv, nullptr);
	for (int round = 0; round < atoi(getenv("ROUNDS") ?: "60"); round++)
		all(round, 60000);
	return 0;
}
