# SPDX-License-Identifier: GPL-2.0-or-later
# guest-modules: raid6_pq
# Names inside a module that was never installed: raid6_pq measures its own functions while it is loaded,
# from a copy outside /lib/modules.
ko=$(find /lib/modules -name 'raid6_pq.ko*' | head -n 1)
[ -n "$ko" ] || skip "no raid6_pq in this kernel"
case $ko in *.xz) xz -dc "$ko" >own.ko ;; *) cp "$ko" own.ko ;; esac
run "$SONDE" record -q -F 999 -e cpu-clock -a -o m.data insmod ./own.ko; ok
run "$SONDE" script -i m.data -F ip,sym,dso; ok; has ' raid6_[a-z0-9_]+ \(\[raid6_pq\]\)'
# kptr_restrict hides addresses from root too at 2: the report says so instead of bare hex.
# A vmlinux with the kernel's build-id would still name them: hidden here.
mkdir -p empty
mount --bind empty /usr/lib/debug 2>/dev/null || true
trap 'echo 0 >/proc/sys/kernel/kptr_restrict; umount /usr/lib/debug 2>/dev/null || true' EXIT # the next tests need names, whatever happens here
echo 2 >/proc/sys/kernel/kptr_restrict
run "$SONDE" report -v --stdio -i m.data; ok; err_has 'kernel.kptr_restrict is 2'
echo 0 >/proc/sys/kernel/kptr_restrict
run "$SONDE" report --stdio -s dso,sym -i m.data; ok; has '\[raid6_pq\] .*\[k\] raid6_'
rmmod raid6_pq
