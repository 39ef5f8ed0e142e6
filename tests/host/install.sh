# SPDX-License-Identifier: GPL-2.0-or-later
# make install puts program, man pages and completion below DESTDIR/PREFIX, nothing elsewhere.
run "$TOP/tools/install" "$SONDE" "$PWD/d" /opt/x; ok
[ -x d/opt/x/bin/sonde ] || fail "no program"
[ ! -e d/opt/x/bin/trace ] || fail "trace was linked unasked"
run d/opt/x/bin/sonde --version; ok; has '^sonde '
for page in "$TOP"/doc/man/*.1; do
	cmp "$page" "d/opt/x/share/man/man1/${page##*/}" || fail "${page##*/}"
done
for c in bash-completion/completions/sonde zsh/site-functions/_sonde fish/vendor_completions.d/sonde.fish; do
	[ -e d/opt/x/share/$c ] || fail "no completion: $c"
done
[ "$(find d -mindepth 1 -maxdepth 1)" = d/opt ] || fail "something outside of PREFIX"
run d/opt/x/bin/sonde doctor; ok
