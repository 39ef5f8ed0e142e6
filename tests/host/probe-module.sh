# SPDX-License-Identifier: GPL-2.0-or-later
# needs: xz zstd gzip
# guest-kernel: debug
# Modules as files, plain and compressed, of another kernel than the running one; damaged files.
ko=$(find "$GUEST/lib/modules" -name vsock_diag.ko | head -n 1)
vmlinux=$GUEST/vmlinux
xz -kc "$ko" >vsock_diag.ko.xz; zstd -qc "$ko" >vsock_diag.ko.zst; gzip -c "$ko" >vsock_diag.ko.gz; cp "$ko" .
nm "$ko" | sed -n 's/.* [tT] //p' | grep -v '^__' | sort -u >want
for e in ko ko.xz ko.zst ko.gz; do
	run "$SONDE" probe -F -m "$PWD/vsock_diag.$e"; ok; sort -u "$T/out" >got; cmp want got || fail "functions of $e"
	run "$SONDE" probe -m "./vsock_diag.$e" -D vsock_diag_dump; ok; has '^p:probe/vsock_diag_dump vsock_diag:vsock_diag_dump\+0$'
	# its types lean on those of its own kernel: the running one's are not taken for them
	run "$SONDE" probe -V vsock_diag_dump -m "./vsock_diag.$e"; exits 255
	err_has "vsock_diag.$e is built for kernel [0-9]"; err_has '^hint: .* vmlinux: -k FILE'
	run "$SONDE" probe -V vsock_diag_dump -k "$vmlinux" -m "./vsock_diag.$e"; ok
	has $'\tstruct sk_buff\\*\tskb$'; has $'\tstruct netlink_callback\\*\tcb$'
	run "$SONDE" probe -k "$vmlinux" -m "./vsock_diag.$e" -D 'vsock_diag_dump skb->len'; ok; has ' len=\+112\(%di\):x32$'
	[ $e = ko ] && continue
	head -c 3000 vsock_diag.$e >cut.$e; run "$SONDE" probe -F -m ./cut.$e; exits 255; err_has "cannot unpack '.*cut.$e': it is damaged or cut short"
	head -c 3000 /dev/zero >bad.$e; run "$SONDE" probe -F -m ./bad.$e; exits 255; err_has "bad.$e'"
	: >empty.$e; run "$SONDE" probe -F -m ./empty.$e; exits 255; err_has "empty.$e'"
done
