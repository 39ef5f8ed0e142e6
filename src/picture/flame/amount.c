// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include "picture/flame/flame.h"

static void group_digits(struct str *s, const char *digits)
{
	size_t n = strcspn(digits, ".");
	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			str_addc(s, ',');
		str_addc(s, digits[i]);
	}
	str_add(s, digits + n);
}

/* Whole where whole things are counted; of a measure four digits or so. */
void flame_amount(struct str *s, uint64_t weight, double scale)
{
	char digits[64];
	double v = weight * scale;
	int decimals = scale == 1 || v >= 1000 ? 0 : v >= 100 ? 1 : v >= 10 ? 2 : 3;
	snprintf(digits, sizeof(digits), "%.*f", decimals, v);
	group_digits(s, digits);
}

double flame_growth(const struct flame_node *n)
{
	double now = n->total, before = n->before;
	return now > before ? (now - before) / now : before > 0 ? (now - before) / before : 0;
}

void flame_label(const struct flame_picture *p, const struct flame_node *n, struct str *s)
{
	const struct flame_node *root = &p->t->node.at[0];
	double all = root->total ? root->total : 1;
	str_add(s, p->t->frame.at[n->frame].name);
	str_add(s, " (");
	flame_amount(s, n->total, p->scale);
	str_addf(s, " %s, %.2f%%", p->unit, n->total * 100.0 / all);
	if (p->compared && !n->before)
		str_add(s, "; new");
	else if (p->compared)
		str_addf(s, "; %+.2f%%", n->total * 100.0 / all - n->before * 100.0 / (root->before ? root->before : 1));
	str_addc(s, ')');
}
