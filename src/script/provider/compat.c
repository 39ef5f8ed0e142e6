// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/provider/compat.h"
#include "script/member.h"

int compat_status_at(void)
{
	static int known = -2;
	if (known == -2)
		known = member_at("thread_info", "status");
	return known;
}
