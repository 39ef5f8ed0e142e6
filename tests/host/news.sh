# SPDX-License-Identifier: GPL-2.0-or-later
# The newest release in NEWS.md is the version that sonde prints, wherever it prints one; releases go down from there.
newest=$(sed -n 's/^## //p' "$TOP/NEWS.md" | head -n 1)
[ -n "$newest" ] || fail "NEWS.md has no release"
run "$SONDE" --version; ok; same "$out" "sonde $newest" "NEWS.md and sonde --version"
run "$SONDE" doctor --json; ok; has "\"sonde\": *\"${newest//./\\.}\""
sed -n 's/^## //p' "$TOP/NEWS.md" >releases; sort -rVu releases >ordered
cmp releases ordered || fail "the releases of NEWS.md are not in order"
! grep -vqE '^[0-9]+\.[0-9]+(\.[0-9]+)?$' releases || fail "a heading of NEWS.md is no release"
