# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3 curl
# share/systemd, an example: what its units start does what they say. A recording that cannot be sent stays, one that is sent goes.
units=$TOP/share/systemd
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy
ldconfig -p 2>/dev/null | grep libcurl >/dev/null || skip "no libcurl"
mkdir files
line=$(sed -n 's/^ExecStart=//p' "$units/sonde-record.service")
[ "${line%% *}" = /usr/bin/sonde ] || fail "the line: $line"
line=${line#* }; line=${line//\/var\/lib\/sonde/files}; line=${line/=1m/=1s}
# shellcheck disable=SC2086
after '[ "$(ls files/cpu.[0-9]* 2>/dev/null | wc -l)" -ge 2 ]' INT "$SONDE" $line; ok
cat >server.py <<'P'
import http.server
class H(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers['Content-Length']))
        ok = self.path == '/v1development/profiles'
        self.send_response(200 if ok else 400); self.send_header('Content-Length', '0'); self.end_headers()
        print('sent' if ok else 'refused', flush=True)
    def log_message(self, *a): pass
s = http.server.HTTPServer(('127.0.0.1', 0), H); print(s.server_port, flush=True); s.serve_forever()
P
python3 server.py >log & server=$!
trap 'kill $server' EXIT
await '[ -s log ]'; port=$(head -n 1 log)
rm -f files/cpu files/cpu.old
n=$(find files -name 'cpu.[0-9]*' | wc -l)
: >files/cpu # the one that is being written
export SONDE
run "$units/sonde-push" files "http://127.0.0.1:$port/wrong" --retries 0; exits 255; err_has 'answers 400'
same "$(find files -name 'cpu.[0-9]*' | wc -l)" "$n" "what was refused stays"
run "$units/sonde-push" files "http://127.0.0.1:$port"; ok
same "$(grep -c sent log)" "$n" "sent"
same "$(ls files)" cpu "what is left"
run "$units/sonde-push" files "http://127.0.0.1:$port"; ok
if command -v systemd-analyze >/dev/null; then
	mkdir sys; for u in "$units"/*.service "$units"/*.timer; do sed 's|=/usr[^ ]*|=/bin/true|' "$u" >"sys/${u##*/}"; done
	run systemd-analyze verify sys/sonde-record.service sys/sonde-push.service sys/sonde-push.timer
	err_hasnt 'sonde-[a-z]*\.[a-z]*:.*(Unknown|Failed|Invalid|missing)'
fi
