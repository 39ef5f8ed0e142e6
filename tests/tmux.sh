# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A terminal to look at: a tmux of the test's own with one shell in it.
unset TMUX TMUX_PANE
export LC_ALL=C.UTF-8
tm() { tmux -u -L "sonde-test-$$" -f /dev/null "$@"; }
# terminal WIDTH HEIGHT: a shell in an empty one; gone when the test ends.
terminal() {
	trap 'tm kill-server 2>/dev/null || :' EXIT
	tm new-session -d -x "$1" -y "$2" env PS1='ready> ' bash --norc --noprofile -i
	shows '^ready>'
}
press() { local k; for k; do tm send-keys -- "$k"; done; }
# line TEXT: typed as it is, with Enter.
line() { tm send-keys -l -- "$1"; tm send-keys Enter; }
screen() { tm capture-pane -p; }
is_there() { screen >"$T/out"; grep -Eq -- "$pattern" "$T/out"; }
shows() { pattern=$1; for _ in {1..600}; do ! is_there || return 0; sleep 0.05; done; fail "the screen never shows: $1"; }
gone() { pattern=$1; for _ in {1..600}; do is_there || return 0; sleep 0.05; done; fail "the screen still shows: $1"; }
