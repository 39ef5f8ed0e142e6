# SPDX-License-Identifier: GPL-2.0-or-later
# make            build/sonde
# make run        installs what is missing, builds, does the main job (ARGS="stat ls" for anything else)
# make check      installs what the tests need, builds, runs them all (TEST=pattern for some)
# make static     build/sonde-static: one file that needs no library of the machine
# make deb        build/sonde_VERSION_amd64.deb
# make bench | lint | soak | install (PREFIX, DESTDIR) | clean
V ?= 0
Q := $(if $(filter 0,$(V)),@,)
VERSION := $(shell sed -n 's/^.define SONDE_VERSION "\(.*\)"/\1/p' src/base/version.h)
BUILD ?= build
CC ?= gcc
CLANG ?= clang
PREFIX ?= /usr/local
OPT ?= -O2 -g
WARN := -Wall -Wextra -Werror
CPPFLAGS += -Isrc -I$(BUILD)/gen -D_GNU_SOURCE
CFLAGS += -std=gnu17 $(OPT) $(WARN) -fno-omit-frame-pointer $(SAN)
LDFLAGS += $(SAN)
PKGS := libbpf libelf libdw libtraceevent libzstd liblzma zlib ncursesw
LIBS = $(shell pkg-config --libs $(PKGS)) -liberty -lpthread -lm

SRC := $(sort $(wildcard src/*.c src/*/*.c src/*/*/*.c src/*/*/*/*.c))
SRC := $(filter-out %.bpf.c,$(SRC))
OBJ := $(SRC:%.c=$(BUILD)/%.o)
LIBOBJ := $(filter-out $(BUILD)/src/sonde.o $(BUILD)/src/malloc.o,$(OBJ))
BPFSRC := $(sort $(wildcard src/bpf/*.bpf.c))
BPFSKEL := $(BPFSRC:src/bpf/%.bpf.c=$(BUILD)/gen/bpf/%.skel.h) $(BPFSRC:src/bpf/%.bpf.c=$(BUILD)/gen/bpf/%.lskel.h)
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(sort $(wildcard tests/unit/*.c)))

all: $(BUILD)/sonde

# Its tables have 26,000 pointers: relocations in the packed form are read quicker at each start, and take 0.6 MB less.
$(BUILD)/sonde: $(OBJ)
	@echo "  LD  $@"
	$(Q)$(CC) $(LDFLAGS) -Wl,-z,pack-relative-relocs -o $@ $(OBJ) $(LIBS)

# One file without shared libraries. Only the sources that would load one at run time (name services, dlopen) are compiled
# again; position independent as Debian's own programs are, with its relocations packed.
static: $(BUILD)/sonde-static
STATICSRC := $(shell grep -rl --include="*.c" SONDE_STATIC src)
STATICOBJ := $(filter-out $(STATICSRC:%.c=$(BUILD)/%.o) $(BUILD)/src/malloc.o,$(OBJ)) $(STATICSRC:%.c=$(BUILD)/static/%.o)
STATICFLAGS := -static-pie -s -Wl,--gc-sections,-z,pack-relative-relocs,--fatal-warnings
STATICLIBS = -Wl,--start-group $(shell pkg-config --static --libs $(PKGS)) -liberty -lpthread -lm -Wl,--end-group
$(BUILD)/sonde-static: $(STATICOBJ)
	@echo "  LD  $@"
	$(Q)$(CC) $(LDFLAGS) $(STATICFLAGS) -o $@ $(STATICOBJ) $(STATICLIBS)
$(BUILD)/static/src/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "  CC  $@"
	$(Q)$(CC) $(CPPFLAGS) -DSONDE_STATIC $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/src/%.o: src/%.c | $(BPFSKEL)
	@mkdir -p $(@D)
	@echo "  CC  $@"
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/gen/bpf/%.bpf.o: src/bpf/%.bpf.c $(wildcard src/bpf/*.h) src/syscall/plan.h
	@mkdir -p $(@D)
	@echo "  BPF $@"
	$(Q)$(CLANG) -g -O2 -target bpf -mcpu=v3 -ffreestanding -D__TARGET_ARCH_x86 -Isrc -I/usr/include/x86_64-linux-gnu $(WARN) -Wno-unused-parameter -c -o $@ $<
	$(Q)llvm-strip -g $@

# Terminals that are known without files of this machine; see src/tui/term/terminfo.h.
TERMS := xterm xterm-256color screen screen-256color tmux tmux-256color linux vt100
$(BUILD)/gen/terminfo.inc:
	@mkdir -p $(@D)
	$(Q)for t in $(TERMS); do d=$$(infocmp -Q2 -q $$t | tr -d '\n') || exit; echo "{ \"$$t\", \"$$d\" },"; done > $@.tmp && mv $@.tmp $@
$(BUILD)/src/tui/term/terminfo.o: $(BUILD)/gen/terminfo.inc

$(BUILD)/pack-skeleton: tools/pack-skeleton.c
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 $(WARN) -o $@ $< -lzstd

$(BUILD)/gen/bpf/%.skel.h: $(BUILD)/gen/bpf/%.bpf.o $(BUILD)/pack-skeleton
	$(Q)bpftool gen skeleton $< name $*_bpf > $@.raw && $(BUILD)/pack-skeleton < $@.raw > $@.tmp && mv $@.tmp $@ && rm $@.raw

$(BUILD)/gen/bpf/%.lskel.h: $(BUILD)/gen/bpf/%.bpf.o $(BUILD)/pack-skeleton
	$(Q)[ $$(readelf -sW $< | grep -c ' FUNC ') -le 32 ] || { echo "$<: the kernel refuses light loaders of more than 32 functions"; exit 1; }
	$(Q)bpftool gen skeleton -L $< name $*_lbpf > $@.raw && $(BUILD)/pack-skeleton < $@.raw > $@.tmp && mv $@.tmp $@ && rm $@.raw

# Unit tests: one file, one program, built with the sanitizers into a tree of its own.
SANBUILD := $(BUILD)/san
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all
gen: $(BPFSKEL) $(BUILD)/gen/terminfo.inc
unit: | $(BPFSKEL)
	+@$(MAKE) --no-print-directory BUILD=$(SANBUILD) OPT="-O1 -g" SAN="$(SANFLAGS)" unit-programs
unit-programs: $(UNIT)
# An archive, so that each program links only what it uses.
$(BUILD)/libsonde.a: $(LIBOBJ)
	@rm -f $@
	$(Q)ar rcs $@ $(LIBOBJ)
$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libsonde.a
	@mkdir -p $(@D)
	@echo "  CC  $@"
	$(Q)$(CC) $(CPPFLAGS) -Itests $(CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/libsonde.a $(LIBS) -lcmocka

# The traced test programs.
TPROG := $(patsubst tests/prog/%.c,$(BUILD)/prog/%,$(sort $(wildcard tests/prog/*.c)))
progs: $(TPROG)
$(BUILD)/prog/%: tests/prog/%.c tests/prog/in_call.h
	@mkdir -p $(@D)
	$(Q)$(CC) -O1 -g -fno-omit-frame-pointer -w $(PROGFLAGS) -o $@ $< -lpthread -lm
$(BUILD)/prog/no_libs: PROGFLAGS := -static
$(BUILD)/prog/generated: PROGFLAGS := -no-pie

packages-build:
	@tools/packages build run
packages-check:
	@tools/packages build run check

run: packages-build
	+@$(MAKE) --no-print-directory all
	@tools/run-demo $(BUILD)/sonde $(ARGS)

# With all CPUs, unless the caller says how many (-j).
SIDE = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
check: packages-check
	+@$(MAKE) --no-print-directory $(SIDE) all static unit progs
	@$(if $(TEST),:,tests/fuzz/build || [ $$? -eq 77 ])
	@tests/run

bench: all progs
	@bench/run

lint:
	@tools/lint

soak: all progs
	@for seed in 1 2 3; do SEED=$$seed COMBINATIONS=300 PATIENCE=20 TEST=interop/combinations tests/run || exit; done
	@KERNELS=all PATIENCE=5 TEST=interop/preempted tests/run
	@for seed in 1 2 3; do SEED=$$seed SCRIPTS=10000 PATIENCE=20 TEST=interop/run-generated.sh tests/run || exit; done
	@KERNELS=all SCRIPTS=1000 PATIENCE=20 TEST=interop/run-generated-guest tests/run
	@tests/soak-python
	@tests/fuzz/soak

install: all
	@tools/install $(BUILD)/sonde "$(DESTDIR)" "$(PREFIX)"

deb: all
	@tools/deb $(BUILD)/sonde $(BUILD)

clean:
	rm -rf $(BUILD)

$(BUILD)/src/ui/script/python.o: src/ui/script/prelude.py
# What picture/embed.h takes in.
$(filter $(BUILD)/src/picture/%,$(OBJ)): $(wildcard $(addprefix src/picture/*/*.,js css html))
-include $(OBJ:.o=.d) $(STATICOBJ:.o=.d)
.PHONY: all static gen unit unit-programs progs packages-build packages-check run check bench lint soak install deb clean
.SECONDARY:
