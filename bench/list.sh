# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
needs perf
title "list: at most half of perf's time"
cmd perf perf list
cmd sonde "$SONDE" list
rounds 15
bar sonde 0.5 perf
