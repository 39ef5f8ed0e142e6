# SPDX-License-Identifier: GPL-2.0-or-later
# Run by gdb. What it says of addresses of a file ($ADDRESSES: one in hexadecimal a line), or of the whole stacks at each
# getppid of the program: a line for each frame, TAB-separated: address, kind (i: inlined, s: signal trampoline, f: function),
# the name by debug information, the symbol. Stacks end with an empty line.
import os, gdb

def symbol(pc):
    text = gdb.execute("info symbol 0x%x" % pc, to_string=True)
    return "" if text.startswith("No symbol") else text.split(" in section ")[0].rsplit(" + ", 1)[0].strip()

def symbol_start(pc):
    text = gdb.execute("info symbol 0x%x" % pc, to_string=True).split(" in section ")[0].rsplit(" + ", 1)
    return pc - int(text[1]) if len(text) > 1 and text[1].isdigit() else pc

def at(pc):
    names, block, start, own = [], None, symbol_start(pc), 0
    try:
        block = gdb.block_for_pc(pc)
    except RuntimeError:
        pass
    while block and not block.is_global and not block.is_static:
        if block.function:
            names.append(block.function.name)
            if block.start == start: # a block around that starts elsewhere is the function in which this one is written
                own = len(names)
        block = block.superblock
    names = names[:own or len(names)]
    for name in names[:-1]:
        print("%x\ti\t%s\t" % (pc, name))
    print("%x\tf\t%s\t%s" % (pc, names[-1] if names else "", symbol(pc)))

def stacks():
    gdb.execute("catch syscall getppid", to_string=True)
    gdb.execute("handle SIGUSR1 nostop noprint pass", to_string=True)
    gdb.execute("run marks >/dev/null 2>&1", to_string=True)
    entering = True
    while gdb.selected_inferior().pid:
        if entering:
            frame = gdb.newest_frame()
            while frame:
                kind = {gdb.INLINE_FRAME: "i", gdb.SIGTRAMP_FRAME: "s"}.get(frame.type(), "f")
                # A tail call leaves no frame; gdb makes one up from the call sites.
                if frame.type() != gdb.TAILCALL_FRAME:
                    print("%x\t%s\t%s\t%s" % (frame.pc(), kind, frame.name() or "", symbol(frame.pc() - (frame.level() > 0)) if kind == "f" else ""))
                frame = frame.older()
            print()
        entering = not entering
        gdb.execute("continue", to_string=True)

gdb.execute("set pagination off")
gdb.execute("set debuginfod enabled off")
gdb.execute("set disable-randomization on")
if "ADDRESSES" in os.environ:
    for line in open(os.environ["ADDRESSES"]):
        at(int(line, 16))
else:
    stacks()
