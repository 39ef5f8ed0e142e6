# SPDX-License-Identifier: GPL-2.0-or-later
# needs: dpkg-deb dpkg-shlibdeps lintian zstd
# chroot: bookworm libraries
# make deb: lintian finds no error in the package; it installs in a Debian, works there, and leaves nothing when it goes.
. "$TOP/tests/static-works.sh" # in_root
run env DEBFULLNAME='A & B / C' DEBEMAIL=ab@example.org "$TOP/tools/deb" "$SONDE" out; ok; deb=$out
same "$deb" "$PWD/out/sonde_$("$SONDE" --version | cut -d' ' -f2)_$(dpkg --print-architecture).deb"
run dpkg-deb -f "$deb" Maintainer; same "$out" 'A & B / C <ab@example.org>'
run lintian --fail-on error "$deb"; ok; hasnt '^E: '
mkdir root; tar x -C root -f "$CHROOT"
tree() { (cd root && find . ! -path './var/lib/dpkg/*' ! -path ./var/log/dpkg.log | LC_ALL=C sort; cat var/lib/dpkg/status); }
tree >before
cp "$deb" root/sonde.deb
run in_root root dpkg -i /sonde.deb; ok; err_hasnt 'warning|error'
rm root/sonde.deb
for f in man/man1/sonde.1.gz man/man1/sonde-trace.1.gz bash-completion/completions/sonde zsh/vendor-completions/_sonde \
	fish/vendor_completions.d/sonde.fish doc/sonde/{copyright,changelog.gz,NEWS.md.gz}; do
	[ -s "root/usr/share/$f" ] || fail "no $f"
done
zcat root/usr/share/man/man1/sonde-trace.1.gz | cmp - "$TOP/doc/man/sonde-trace.1" || fail "another man page"
run in_root root dpkg --verify sonde; ok; same "$out" ''
run in_root root sonde --version; ok; same "$out" "$("$SONDE" --version)"
run in_root root sonde trace -e execve,exit_group -o /tmp/trace true; ok; grep -q 'exit_group(error_code: 0)' root/tmp/trace || fail "no trace"
run in_root root sonde doctor; ok; has '^user +root'
rm root/tmp/trace
run in_root root dpkg -r sonde; ok; err_hasnt 'warning|error'
run in_root root dpkg -P sonde; ok
tree >after
cmp before after || { diff before after | head -n 20; fail "it leaves something"; }
