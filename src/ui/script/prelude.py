# SPDX-License-Identifier: GPL-2.0-or-later
# What `sonde script -s FILE.py` runs before the script: the modules that scripts written for perf import,
# and the loop that turns what sonde sends into calls of the script's functions.
#
# sonde sends frames: a length of four bytes, then a marshalled list of messages. A message is a tuple
# whose first element says what it is: 0 an event, 1 a sample, 2 a frame of a call chain, 3 another record.
import sys
if sys.path and not sys.path[0]: # python3 -c would import from whatever folder sonde was started in
    del sys.path[0]
import errno, marshal, os, struct, types
from collections import defaultdict


def _module(name, **members):
    m = types.ModuleType(name)
    m.__dict__.update(members)
    m.__all__ = [k for k in members if not k.startswith('_')]
    sys.modules[name] = m
    return m


# ---- Core ----

def autodict():
    return defaultdict(autodict)


flag_fields = autodict()
symbolic_fields = autodict()


def define_flag_field(event_name, field_name, delim):
    flag_fields[event_name][field_name]['delim'] = delim


def define_flag_value(event_name, field_name, value, field_str):
    flag_fields[event_name][field_name]['values'][value] = field_str


def define_symbolic_field(event_name, field_name):
    symbolic_fields[event_name][field_name]['values']


def define_symbolic_value(event_name, field_name, value, field_str):
    symbolic_fields[event_name][field_name]['values'][value] = field_str


def flag_str(event_name, field_name, value):
    known = flag_fields[event_name][field_name]
    if not known:
        return ''
    names = known['values']
    if not value:
        return names[0] if 0 in names else ''
    found = []
    for bit in sorted(names):
        if bit and value & bit == bit:
            found.append(names[bit])
            value &= ~bit
    return (' %s ' % known['delim'] if known['delim'] else '').join(found)


def symbol_str(event_name, field_name, value):
    known = symbolic_fields[event_name][field_name]
    return known['values'].get(value, '') if known else ''


trace_flags = {0: 'NONE', 1: 'IRQS_OFF', 2: 'IRQS_NOSUPPORT', 4: 'NEED_RESCHED', 8: 'HARDIRQ', 16: 'SOFTIRQ'}


def trace_flag_str(value):
    if not value:
        return 'NONE'
    return ' | '.join(name for bit, name in trace_flags.items() if bit and value & bit)


def taskState(state):
    return {0: 'R', 1: 'S', 2: 'D', 64: 'DEAD'}.get(state, 'Unknown')


class EventHeaders:
    def __init__(self, common_cpu, common_secs, common_nsecs, common_pid, common_comm, common_callchain):
        self.cpu, self.secs, self.nsecs = common_cpu, common_secs, common_nsecs
        self.pid, self.comm, self.callchain = common_pid, common_comm, common_callchain

    def ts(self):
        return self.secs * 10 ** 9 + self.nsecs

    def ts_format(self):
        return '%d.%d' % (self.secs, self.nsecs // 1000)


_module('Core', autodict=autodict, flag_fields=flag_fields, symbolic_fields=symbolic_fields,
        define_flag_field=define_flag_field, define_flag_value=define_flag_value,
        define_symbolic_field=define_symbolic_field, define_symbolic_value=define_symbolic_value,
        flag_str=flag_str, symbol_str=symbol_str, trace_flags=trace_flags, trace_flag_str=trace_flag_str,
        taskState=taskState, EventHeaders=EventHeaders, defaultdict=defaultdict)


# ---- Util ----

NSECS_PER_SEC = 1000000000
_syscalls = {}


def avg(total, n):
    return total / n


def nsecs(secs, nsecs):
    return secs * NSECS_PER_SEC + nsecs


def nsecs_secs(nsecs):
    return nsecs / NSECS_PER_SEC


def nsecs_nsecs(nsecs):
    return nsecs % NSECS_PER_SEC


def nsecs_str(nsecs):
    return '%5u.%09u' % (nsecs_secs(nsecs), nsecs_nsecs(nsecs))


def add_stats(dict, key, value):
    if key not in dict:
        dict[key] = (value, value, value, 1)
        return
    low, high, mean, count = dict[key]
    dict[key] = (min(low, value), max(high, value), (mean + value) / 2, count + 1)


def clear_term():
    print('\x1b[H\x1b[2J')


def _read_syscalls():
    import re
    for path in ('/usr/include/x86_64-linux-gnu/asm/unistd_64.h', '/usr/include/asm-generic/unistd.h'):
        try:
            text = open(path).read()
        except OSError:
            continue
        for name, nr in re.findall(r'#define\s+__NR_(\w+)\s+(\d+)', text):
            _syscalls.setdefault(int(nr), name)
        break


def syscall_name(id):
    if not _syscalls:
        _read_syscalls()
    return _syscalls.get(id, str(id))


def strerror(nr):
    return errno.errorcode.get(abs(nr), 'Unknown %d errno' % nr)


_module('Util', NSECS_PER_SEC=NSECS_PER_SEC, avg=avg, nsecs=nsecs, nsecs_secs=nsecs_secs, nsecs_nsecs=nsecs_nsecs,
        nsecs_str=nsecs_str, add_stats=add_stats, clear_term=clear_term, syscall_name=syscall_name,
        strerror=strerror, FUTEX_WAIT=0, FUTEX_WAKE=1, FUTEX_PRIVATE_FLAG=128, FUTEX_CLOCK_REALTIME=256,
        FUTEX_CMD_MASK=~(128 | 256))


# ---- perf_trace_context: the common fields of the sample in hand ----

class _Context:
    flags = pc = lock_depth = 0
    srcline = None


_context = _Context()
_module('perf_trace_context', common_pc=lambda c: _context.pc, common_flags=lambda c: _context.flags,
        common_lock_depth=lambda c: _context.lock_depth, perf_sample_insn=lambda c: None,
        perf_set_itrace_options=lambda c, o: -1, perf_sample_srcline=lambda c: (None, 0),
        perf_sample_srccode=lambda c: (None, 0, None))


# ---- the loop ----

class _Event:
    def __init__(self, handler, name, attr, fields, tables):
        self.handler, self.name, self.attr, self.fields = handler, name, attr, fields
        self.call = self.rest = None
        for kind, field, delim, values in tables:
            if kind:
                define_symbolic_field(handler, field)
            else:
                define_flag_field(handler, field, delim)
            for value, text in values:
                (define_symbolic_value if kind else define_flag_value)(handler, field, value, text)

    def bind(self, script):
        if self.fields is None:
            self.call = script.get('process_event')
            return
        self.call = script.get(self.handler)
        self.rest = None if self.call else script.get('trace_unhandled')
        f = self.call or self.rest
        count = getattr(getattr(f, '__code__', None), 'co_argcount', 0)
        self.dict = count == (9 + len(self.fields) if self.call else 4)


def _sample_dict(ev, m, chain):
    pid, tid, cpu, ip, time, period, phys, addr, weight, trans, src, mode, comm, raw, where = m
    d = {'ev_name': ev.name, 'attr': ev.attr, 'raw_buf': raw, 'comm': comm, 'callchain': chain, 'brstack': [],
         'brstacksym': [], 'iregs': '', 'uregs': '',
         'sample': {'pid': pid, 'tid': tid, 'cpu': cpu, 'ip': ip, 'time': time, 'period': period, 'phys_addr': phys,
                    'addr': addr, 'weight': weight, 'transaction': trans, 'datasrc': src, 'datasrc_decode': '',
                    'cpumode': mode, 'values': [(0, 0, 0)]}}
    d.update(where)
    return d


def _main():
    feed = os.fdopen(int(sys.argv[1]), 'rb', 1 << 20)
    path = sys.argv[2]
    sys.argv = sys.argv[2:]
    for where in (os.environ.get('PERF_EXEC_PATH'), '/usr/libexec/perf-core', '/usr/lib/perf-core'):
        if where and os.path.isdir(where):
            break
    os.environ['PERF_EXEC_PATH'] = where or '/usr/libexec/perf-core'
    script = sys.modules['__main__'].__dict__
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    script['__file__'] = path
    script['perf_script_context'] = _context
    ours = set(script)
    with open(path, 'rb') as f:
        exec(compile(f.read(), path, 'exec'), script)
    if 'trace_begin' in script:
        script['trace_begin']()
    events, frames = {}, {}
    while True:
        head = feed.read(4)
        if len(head) < 4:
            break
        for m in marshal.loads(feed.read(struct.unpack('<I', head)[0])):
            kind = m[0]
            if kind == 1:
                ev = events[m[1]]
                if ev.call is None and ev.rest is None:
                    continue
                chain = [frames[i] for i in m[2]]
                if ev.fields is None:
                    ev.call(_sample_dict(ev, m[5], chain))
                    continue
                values = [bytearray(v) if type(v) is bytes else v for v in m[4]]
                cpu, time, pid, comm, _context.flags, _context.pc, _context.lock_depth = m[3]
                secs, rest = divmod(time, NSECS_PER_SEC)
                last = (_sample_dict(ev, m[5], chain),) if ev.dict else ()
                if ev.call:
                    ev.call(ev.handler, _context, cpu, secs, rest, pid, comm, chain, *values, *last)
                else:
                    d = {'common_cpu': cpu, 'common_s': secs, 'common_ns': rest, 'common_pid': pid,
                         'common_comm': comm, 'common_callchain': chain}
                    d.update(zip(ev.fields, values))
                    ev.rest(ev.handler, _context, d, *last)
            elif kind == 2:
                frames[m[1]] = m[2]
            elif kind == 0:
                ev = events[m[1]] = _Event(*m[2:])
                ev.bind(script)
            elif m[1] in script:
                script[m[1]](*m[2])
    if 'trace_end' in script:
        script['trace_end']()


_main()
