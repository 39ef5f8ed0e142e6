# SPDX-License-Identifier: GPL-2.0-or-later
# needs: protoc python3 curl openssl
# OpenTelemetry's profiles, as protoc reads them with the field numbers that opentelemetry-proto publishes (profiles.proto,
# v1development, of November 2025 and later); and sending them, and pprof to Pyroscope, to a server of the test's own.
export LC_ALL=C
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy
cat >profiles.proto <<'P'
syntax = "proto3";
package opentelemetry.proto.profiles.v1development;
message ProfilesData { repeated ResourceProfiles resource_profiles = 1; ProfilesDictionary dictionary = 2; }
message ProfilesDictionary {
  repeated Mapping mapping_table = 1; repeated Location location_table = 2; repeated Function function_table = 3;
  repeated Link link_table = 4; repeated string string_table = 5; repeated KeyValueAndUnit attribute_table = 6;
  repeated Stack stack_table = 7;
}
message ResourceProfiles { Resource resource = 1; repeated ScopeProfiles scope_profiles = 2; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeProfiles { InstrumentationScope scope = 1; repeated Profile profiles = 2; string schema_url = 3; }
message InstrumentationScope { string name = 1; string version = 2; }
message Profile {
  ValueType sample_type = 1; repeated Sample samples = 2; fixed64 time_unix_nano = 3; uint64 duration_nano = 4;
  ValueType period_type = 5; int64 period = 6; bytes profile_id = 7; repeated int32 attribute_indices = 11;
}
message ValueType { int32 type_strindex = 1; int32 unit_strindex = 2; }
message Sample { int32 stack_index = 1; repeated int32 attribute_indices = 2; int32 link_index = 3; repeated int64 values = 4; repeated fixed64 timestamps_unix_nano = 5; }
message Mapping { uint64 memory_start = 1; uint64 memory_limit = 2; uint64 file_offset = 3; int32 filename_strindex = 4; repeated int32 attribute_indices = 5; }
message Stack { repeated int32 location_indices = 1; }
message Location { int32 mapping_index = 1; uint64 address = 2; repeated Line lines = 3; repeated int32 attribute_indices = 4; }
message Line { int32 function_index = 1; int64 line = 2; int64 column = 3; }
message Function { int32 name_strindex = 1; int32 system_name_strindex = 2; int32 filename_strindex = 3; int64 start_line = 4; }
message Link { bytes trace_id = 1; bytes span_id = 2; }
message KeyValueAndUnit { int32 key_strindex = 1; AnyValue value = 2; int32 unit_strindex = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
P
total() { "$SONDE" report --stdio --no-children -g none -i "$1" 2>/dev/null | awk -v e="'$2'" '/^# Samples/ { on = index($0, e) } on && /^# Event count/ { print $NF; exit }'; }
# look.py FILE: what a reader makes of it: "profile EVENT UNIT SUM from TIME", and then "WEIGHT THREAD TID PID STACK" for each sample.
# The text that protoc prints, as a tree: no library of protobuf is needed.
cat >look.py <<'P'
import re, subprocess, sys
text = subprocess.run(['protoc', '--decode=opentelemetry.proto.profiles.v1development.ProfilesData', 'profiles.proto'],
                      stdin=open(sys.argv[1], 'rb'), capture_output=True, check=True).stdout.decode()
root = {}; stack = [root]
for line in text.splitlines():
    line = line.strip()
    if line.endswith('{'):
        d = {}; stack[-1].setdefault(line[:-1].strip(), []).append(d); stack.append(d)
    elif line == '}': stack.pop()
    else:
        k, v = line.split(': ', 1)
        assert not k.isdigit(), 'a field that the .proto does not have: ' + line
        stack[-1].setdefault(k, []).append(v[1:-1] if v[0] == '"' else int(v))
d = root['dictionary'][0]; strings = d['string_table']; one = lambda m, k: m.get(k, [0])[0]
for table in ('mapping_table', 'location_table', 'function_table', 'link_table', 'attribute_table', 'stack_table'):
    assert d[table][0] == {}, table + ' does not begin with nothing'
assert strings[0] == ''
def attributes(m): return {strings[one(d['attribute_table'][i], 'key_strindex')]: list(one(d['attribute_table'][i], 'value').values())[0][0] for i in m.get('attribute_indices', [])}
scope = root['resource_profiles'][0]['scope_profiles'][0]
for p in scope.get('profiles', []):
    t = p['sample_type'][0]; out = []
    for s in p['samples']:
        names = []
        for l in d['stack_table'][one(s, 'stack_index')].get('location_indices', []):
            loc = d['location_table'][l]
            m = d['mapping_table'][one(loc, 'mapping_index')]
            lines = loc.get('lines', [])
            for line in lines:
                f = d['function_table'][one(line, 'function_index')]
                names.append(strings[one(f, 'name_strindex')])
            if not lines: names.append('[' + strings[one(m, 'filename_strindex')].split('/')[-1] + ']')
        a = attributes(s)
        out.append((s['values'][0], a['thread.name'], a['thread.id'], a['process.pid'], ';'.join(reversed(names))))
    print('profile', strings[one(t, 'type_strindex')], strings[one(t, 'unit_strindex')], sum(o[0] for o in out), 'from', one(p, 'time_unix_nano'))
    for o in out: print(*o)
P
"$SONDE" record -q -F 2000 -e cpu-clock -e page-faults --call-graph dwarf -o d.data "$PROG/profiled" >/dev/null
run "$SONDE" export -i d.data --to otlp -o d.pb; ok
python3 look.py d.pb >look 2>look.err || fail "protoc or what it decodes: $(tail -n 3 look.err)"
grep -Eq "^profile cpu-clock nanoseconds $(total d.data cpu-clock) " look || fail "cpu-clock: $(grep ^profile look), wanted $(total d.data cpu-clock)"
grep -Eq "^profile page-faults count $(total d.data page-faults) " look || fail "page-faults: $(grep ^profile look)"
# the same stacks as folded
"$SONDE" export -q -i d.data --to folded -e cpu-clock | sed 's/^[^;]*;//' | awk '{ w = $NF; sub(/ [0-9]+$/, ""); n[$0] += w } END { for (s in n) print n[s], s }' | sort >want
awk '/^profile/ { on = $2 == "cpu-clock"; next } on { w = $1; sub(/^[0-9]+ [^ ]+ [0-9]+ [0-9]+ /, ""); n[$0] += w } END { for (s in n) print n[s], s }' look | sort >got
diff want got >differ || fail "stacks: $(head -n 6 differ)"
run "$SONDE" export -i d.data -c nobody --to otlp -o e.pb; ok; python3 look.py e.pb >look || fail "nothing, as OTLP"

# ---- sending ----
cat >server.py <<'P'
import http.server, sys, ssl
codes = [int(c) for c in sys.argv[1].split(',')]
seen = 0
class H(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        global seen
        open('%d.body' % seen, 'wb').write(self.rfile.read(int(self.headers['Content-Length'])))
        open('%d.head' % seen, 'w').write(self.path + '\n' + str(self.headers))
        code = codes[min(seen, len(codes) - 1)]; seen += 1
        self.send_response(code)
        if code == 503: self.send_header('Retry-After', '1')
        text = b'not so\x1b fast\n'
        self.send_header('Content-Length', str(len(text))); self.end_headers(); self.wfile.write(text)
    def log_message(self, *a): pass
s = http.server.HTTPServer(('127.0.0.1', 0), H)
if len(sys.argv) > 2:
    c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER); c.load_cert_chain(sys.argv[2]); s.socket = c.wrap_socket(s.socket, server_side=True)
print(s.server_port, flush=True)
s.serve_forever()
P
server=
serve() { # CODES [CERTIFICATE]: a server that answers so; $port
	[ -z "$server" ] || kill "$server"
	rm -f ./*.body ./*.head port
	python3 server.py "$@" >port 2>server.err & server=$!
	await '[ -s port ]'
	port=$(cat port)
}
trap '[ -z "$server" ] || kill $server' EXIT
serve 503,200
run "$SONDE" export -i d.data --push "http://127.0.0.1:$port" --header 'X-Scope: mine'; ok; err_has 'answers 503; trying again'; err_has 'sent .* kB, '
cmp 0.body 1.body || fail "not the same again"
grep -qx '/v1development/profiles' 1.head && grep -qi '^content-type: application/x-protobuf' 1.head && grep -qi '^x-scope: mine' 1.head || fail "the request: $(cat 1.head)"
gzip -dc <1.body >sent.pb && cmp sent.pb d.pb || fail "what was sent is not what export writes"
serve 200
printf 'Authorization: Bearer secret\n' >token
run "$SONDE" export -i d.data -e cpu-clock --push "http://127.0.0.1:$port/ingest" --app 'shop.cpu{zone=a}' --header @token; ok
grep -q '^/ingest?format=pprof&name=shop.cpu%7Bzone%3Da%7D&from=[0-9]*&until=[0-9]*$' 0.head && grep -q '^Authorization: Bearer secret' 0.head || fail "the request: $(cat 0.head)"
python3 - <<'P' || fail "the form"
import email, gzip, json, time
head = open('0.head').read().split('\n', 1)[1]
form = email.message_from_bytes(
    [l for l in head.splitlines() if l.lower().startswith('content-type')][0].encode() + b'\r\n\r\n' + open('0.body', 'rb').read())
part = {p.get_param('name', header='content-disposition'): p.get_payload(decode=True) for p in form.get_payload()}
open('form.pb.gz', 'wb').write(part['profile'])
assert json.loads(part['sample_type_config'])['cpu-clock']['units'] == 'nanoseconds'
q = dict(w.split('=', 1) for w in open('0.head').readline().strip().split('?')[1].split('&'))
assert abs(int(q['from']) - time.time()) < 3600 and int(q['until']) > int(q['from']), q
P
gzip -t form.pb.gz
if command -v go >/dev/null; then HOME=$PWD go tool pprof -symbolize=none -top form.pb.gz 2>/dev/null | grep ' quick$' >/dev/null || fail "pprof does not read what was sent"; fi
serve 400
run "$SONDE" export -i d.data --push "http://127.0.0.1:$port/v1development/profiles"; exits 255; err_has 'answers 400: not so'; err_hasnt 'trying again'
! grep -q $'\033' "$T/err" || fail "the answer is printed as it is"
[ ! -e 1.body ] || fail "sent again what was refused"
serve 413; run "$SONDE" export -i d.data --push "http://127.0.0.1:$port"; exits 255; err_has 'answers 413'; err_has 'hint: send less'
serve 502; run "$SONDE" export -i d.data --push "http://127.0.0.1:$port" --retries 1; exits 255; err_has 'tried 2 times'
run "$SONDE" export -i d.data --push "http://127.0.0.1:$port" --max-push 100; exits 255; err_has 'hint: .*--time'; [ ! -e 2.body ] || fail "sent too much"
kill $server; wait $server 2>/dev/null || :; server=
run "$SONDE" export -i d.data --push "http://127.0.0.1:$port" --retries 0; exits 255; err_has 'cannot send to '
run "$SONDE" export -i d.data --push 'file:///etc/passwd'; exits 255; err_has 'cannot send'
run "$SONDE" export -i d.data --push "http://127.0.0.1:$port" -o x; exits 129; err_has 'no file to go to'
run "$SONDE" export -i d.data --push "http://127.0.0.1:$port" --to chrome; exits 129; err_has 'otlp or pprof, not chrome'
run "$SONDE" export -i d.data --push "http://127.0.0.1:$port" --header $'A: b\r\nC: d'; exits 129; err_has 'Name: value'
run "$SONDE" export -i d.data -c nobody --push "http://127.0.0.1:$port"; exits 255; err_has 'nothing to send'
# TLS: a certificate that nobody knows is refused, the named one is trusted
openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -days 2 -subj /CN=localhost -addext 'subjectAltName=IP:127.0.0.1' 2>/dev/null
cat key cert >both
serve 200 both
run "$SONDE" export -i d.data --push "https://127.0.0.1:$port"; exits 255; err_has 'hint: --cacert'; [ ! -e 0.body ] || fail "sent to a stranger"
run "$SONDE" export -i d.data --push "https://127.0.0.1:$port" --cacert cert; ok; gzip -dc <0.body | cmp - d.pb || fail "by TLS"
