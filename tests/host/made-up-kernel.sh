# SPDX-License-Identifier: GPL-2.0-or-later
# A made-up machine (SONDE_KERNEL_ROOT) is made up everywhere: names and build-ids of the kernel come from it as well.
export XDG_CACHE_HOME=$PWD/cache
m=$PWD/machine; mkdir -p "$m"/{proc,sys/kernel,sys/module/lamp/notes}
on_machine() { SONDE_KERNEL_ROOT=$m run "$SONDE" "$@"; }
note() { printf '\4\0\0\0\24\0\0\0\3\0\0\0GNU\0'; for _ in $(seq 20); do printf "\\x$1"; done; }
note ab >"$m/sys/kernel/notes"; note cd >"$m/sys/module/lamp/notes/.note.gnu.build-id"
cat >"$m/proc/kallsyms" <<'END'
ffffffff81000000 T _text
ffffffff81001000 T made_up
ffffffff81200000 T _etext
END
echo 'lamp 16384 0 - Live 0xffffffffc0000000' >"$m/proc/modules"
on_machine buildid-list -k; ok; has '^(ab){20}$'
on_machine buildid-list -m; ok; has '^(ab){20} ffffffff81000000 ffffffff81200000 \[kernel.kallsyms\]$'; has '^(cd){20} ffffffffc0000000 .*lamp'

# a recording of this kernel, with the names that the machine gives
[ "$(id -u)" = 0 ] || skip "kernel addresses are for root"
grep -q '^0*[1-9a-f].* _text$' /proc/kallsyms || skip "kernel addresses are hidden here"
cp /sys/kernel/notes "$m/sys/kernel/notes"
sed -E '/ _[se]?text$/! s/^([^ ]* . )([^ \t]+)$/\1lamp_\2/' /proc/kallsyms >"$m/proc/kallsyms"
"$SONDE" record -q -e raw_syscalls:sys_enter -g -o k.data true
run "$SONDE" script -i k.data -F ip,sym; ok; hasnt 'lamp_'
name=$(awk '$1 ~ /^ffff/ { print $2; exit }' "$T/out"); [ -n "$name" ] || fail "no function of the kernel"
on_machine script -i k.data -F ip,sym; ok; has " lamp_$name$"; hasnt " $name$"
# BPF programs come and go: who is at that place now is not who was there then; a list that the user names is taken for what it says
sed -i -E "s/ lamp_$name\$/ bpf_prog_0123_lamp\t[bpf]/" "$m/proc/kallsyms"; grep -q bpf_prog_0123 "$m/proc/kallsyms"
on_machine script -i k.data -F ip,sym; ok; has ' lamp_'; hasnt "bpf_prog_0123|lamp_$name$"
on_machine script -i k.data -F ip,sym --kallsyms "$m/proc/kallsyms"; ok; has ' bpf_prog_0123_lamp$'
