# SPDX-License-Identifier: GPL-2.0-or-later
# Bar: annotate --stdio of the hottest function of a program of 100 MB (debug information included) in at most a fifth of
# perf's time.
needs perf gcc objcopy objdump python3
export PERF_BUILDID_DIR=$T/ids HOME=$T
# 1500 functions compiled once, and linked many times under other names.
python3 - >part.c <<'P'
print("struct part { long a[8]; struct part *next; double weight; };")
for i in range(1500):
    print(f"""long part_f{i}(struct part *p, long n) {{
	long sum = n;
	for (long i = 0; i < n; i++) {{ struct part *q = p->next; double w = q->weight * i; sum += q->a[i & 7] * {i + 3}; if (w > sum) sum ^= (long)w; p = q; }}
	return sum;
}}""")
P
gcc -O1 -g3 -c -o part.o part.c
parts=$((160000000 / $(stat -c %s part.o) + 1))
for ((i = 0; i < parts; i++)); do objcopy --prefix-symbols="p${i}_" part.o "p$i.o"; done
gcc -O1 -g -o large "$TOP/tests/prog/annotated.c" p[0-9]*.o
rm p[0-9]*.o
echo "  $(stat -c %s large) bytes, $parts parts"
"$SONDE" record -q -e cpu-clock:u -F 2000 -o large.data ./large 200 >/dev/null

title "annotate --stdio of the hottest function of a large program"
cmd 'perf annotate' perf annotate --stdio -i large.data hash
cmd 'sonde annotate' "$SONDE" annotate --stdio -i large.data hash
rounds 3
bar 'sonde annotate' 0.2 'perf annotate'
