# SPDX-License-Identifier: GPL-2.0-or-later
# needs: qemu-system-x86_64 curl python3
# timeout: 300
# fetch: interop/fetch-old-kernel
# The same scripts on other kernels, whose verifiers know less: Linux 5.10 (and 6.1 with KERNELS=all), 40 of each run of
# make check. What sonde refuses there by itself (a kernel without the means) is counted, what the kernel refuses is a fault.
[ "$(id -u)" = 0 ] || skip "scripts are for root"
ALSO='kprobe kretprobe' run python3 "$TOP/tests/interop/generate.py" write made "${SCRIPTS:-40}" "${SEED:-3}" "$SONDE" "$PROG/generated"; ok
cat >job <<'J'
uname -r
same=0 refused=0 differ=0 faults=0
cd /tmp/made
for f in *.bt; do
	b=${f%.bt}; args=(); while IFS= read -r a; do args+=("$a"); done <$b.args
	rc=0; timeout 60 sonde run -q "${args[@]}" "$f" first -42 >out 2>err </dev/null || rc=$?
	if [ $rc = 255 ]; then
		refused=$((refused + 1))
		if grep -q 'fault of sonde' err; then faults=$((faults + 1)); echo "FAULT $f: $(head -n 1 err)"; fi
		continue
	fi
	sed 's/^[ \t]*//; s/[ \t]*$//; /^$/d' out >got; sed 's/^[ \t]*//; s/[ \t]*$//; /^$/d' $b.want >want
	if cmp -s got want && [ $rc = "$(cat $b.code)" ]; then same=$((same + 1)); else differ=$((differ + 1)); echo "DIFFERS $f (code $rc)"; diff want got | head -n 6; fi
done
echo "same $same, differ $differ, refused $refused, faults $faults"
J
on() { # CACHE RELEASE
	SONDE_CACHE=$1 run timeout -k 5 $((290 * ${PATIENCE:-1})) "$TOP/tests/guest/shell" -f /tmp/made="$PWD/made" -t $((280 * ${PATIENCE:-1})) "$(cat job)"
	[ "$code" != 77 ] || skip "no guest: $err"
	cat "$T/out"
	ok; has "^$2"; has '^same [0-9]+, differ 0, refused [0-9]+, faults 0$'
	local n; n=$(find made -name '*.bt' | wc -l)
	[ $(($(sed -n 's/.*refused \([0-9]*\),.*/\1/p' "$T/out") * 5)) -lt "$n" ] || fail "too much is refused"
}
old=$("$TOP/tests/interop/fetch-old-kernel" 2>&1) || { echo "$old"; exit 77; }
on "$old" '5\.10\.'
[ "${KERNELS-}" != all ] || on "" '6\.1\.'
