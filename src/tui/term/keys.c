// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/term/keys.h"
#include "base/signals.h"

void keys_lines(struct keys *k, bool lines)
{
	if (lines)
		guard_post_tell(&k->guard, NULL);
	tcsetattr(0, TCSADRAIN, lines ? &k->before : &k->ours);
	if (!lines)
		guard_post_tell(&k->guard, &k->ours);
}

void keys_open(struct keys *k)
{
	if (tcgetattr(0, &k->before))
		return;
	k->ours = k->before;
	k->ours.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	k->ours.c_cc[VMIN] = 1;
	k->ours.c_cc[VTIME] = 0;
	k->on = true;
	signals_hold_stop(true);
	guard_post_open(&k->guard, &k->before, "");
	keys_lines(k, false);
}

void keys_pause(struct keys *k)
{
	if (!k->on || !signals_stop_held())
		return;
	keys_lines(k, true);
	signals_stand_still();
	keys_lines(k, false);
}

void keys_close(struct keys *k)
{
	if (!k->on)
		return;
	keys_lines(k, true);
	guard_post_close(&k->guard);
	signals_hold_stop(false);
	k->on = false;
}
