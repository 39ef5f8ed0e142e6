# SPDX-License-Identifier: GPL-2.0-or-later
# doctor in poor surroundings: few descriptors, no locked memory, little address space, no processes, closed streams.
run prlimit --nofile=16 "$SONDE" doctor; ok; has 'open files \(ulimit -n\) +16$'
run prlimit --memlock=0 "$SONDE" doctor; ok; has 'locked memory \(ulimit -l\) +0 kB'
run prlimit --as=400000000 "$SONDE" doctor; ok
run prlimit --stack=262144 "$SONDE" doctor; ok
run env -i "$SONDE" doctor; ok; has '^kernel '
run bash -c '"$SONDE" doctor <&-'; ok
run bash -c '"$SONDE" doctor >&-'; exits 255
run bash -c '"$SONDE" doctor | head -n 1; exit ${PIPESTATUS[0]}'; has '^kernel '; err_hasnt .
cp "$SONDE" s; chmod 755 s
run as_nobody prlimit --nproc=1 "$PWD/s" doctor; ok; has 'ptrace, own programs'
