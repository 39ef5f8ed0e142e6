// SPDX-License-Identifier: GPL-2.0-or-later
/* The page: style, a few elements, the data, and the script that draws them (page.css, page.html, model.js, view.js). The data are
 * columns of numbers of seven bits a byte, names once in front; deflated, then base64, so that nothing of a name can end
 * the script element. model.js reads them in the order in which they are written here. */
#include <stdio.h>
#include <zlib.h>
#include "base/error.h"
#include "picture/embed.h"
#include "picture/escape.h"
#include "picture/flame/flame.h"
#include "picture/pack.h"
#include "picture/page.h"

EMBED(flame_page_css, "src/picture/flame/page.css");
EMBED(flame_page_html, "src/picture/flame/page.html");
EMBED(flame_model_js, "src/picture/flame/model.js");
EMBED(flame_view_js, "src/picture/flame/view.js");

enum { GONE_MAX = 1000 };

struct flame_packing {
	const struct flame_tree *t;
	const struct flame_picture *p;
	struct str s;
	uint64_t divisor; /* of all weights */
	uint32_t *number; /* frame to 1 + its number in the page; 0: it is not there */
	VEC(uint32_t) frame;
};

/* ---- numbers ---- */

static void put(struct flame_packing *k, uint64_t v)
{
	enum { BITS = 7, MORE = 1 << BITS };
	for (; v >= MORE; v >>= BITS)
		str_addc(&k->s, (v & (MORE - 1)) | MORE);
	str_addc(&k->s, v);
}

static void put_weight(struct flame_packing *k, uint64_t w)
{
	put(k, w / k->divisor);
}

static void put_text(struct flame_packing *k, const char *z)
{
	struct str shown = STR_INIT;
	str_add_safez(&shown, z);
	put(k, shown.len);
	str_addn(&k->s, shown.buf, shown.len);
	str_release(&shown);
}

static uint64_t common(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t r = a % b;
		a = b;
		b = r;
	}
	return a;
}

/* Samples of a clock all weigh the same: divided by that, most weights are a byte. */
static uint64_t find_divisor(const struct flame_tree *t)
{
	uint64_t d = 0;
	for (size_t i = 0; i < t->node.n && d != 1; i++) {
		const struct flame_node *n = &t->node.at[i];
		d = common(common(common(common(d, n->self), n->cut), n->before_self), n->before);
	}
	for (size_t i = 0; i < t->row.n && d != 1; i++)
		d = common(d, t->row.at[i].weight);
	for (size_t i = 0; i < t->gone.n && d != 1; i++)
		d = common(d, t->gone.at[i].before);
	return d ? d : 1;
}

/* ---- parts ---- */

static void use_frame(struct flame_packing *k, uint32_t f)
{
	if (k->number[f])
		return;
	*vec_push(&k->frame) = f;
	k->number[f] = k->frame.n;
}

static size_t gone_shown(const struct flame_tree *t)
{
	return t->gone.n < GONE_MAX ? t->gone.n : GONE_MAX;
}

static void put_frames(struct flame_packing *k)
{
	k->number = xcalloc(k->t->frame.n + 1, sizeof(*k->number));
	vec_each(&k->t->node, n)
		use_frame(k, n->frame);
	for (size_t i = 0; i < gone_shown(k->t); i++)
		for (uint32_t s = k->t->gone.at[i].stack; s; s = k->t->stacks.at.at[s].parent)
			use_frame(k, k->t->stacks.at.at[s].place);
	put(k, k->frame.n);
	vec_each(&k->frame, f) {
		put(k, k->t->frame.at[*f].kind);
		put_text(k, k->t->frame.at[*f].name);
	}
}

/* A node's depth as how many levels it is above where a callee of the last would be. */
static void put_nodes(struct flame_packing *k)
{
	const struct flame_tree *t = k->t;
	put(k, t->node.n);
	for (size_t i = 1; i < t->node.n; i++)
		put(k, t->node.at[i - 1].depth + 1 - t->node.at[i].depth);
	vec_each(&t->node, n)
		put(k, k->number[n->frame] - 1);
	if (!t->row.n) {
		vec_each(&t->node, n)
			put_weight(k, n->self);
		vec_each(&t->node, n)
			put_weight(k, n->cut);
	}
	if (!k->p->compared)
		return;
	vec_each(&t->node, n)
		put_weight(k, n->before_self);
	vec_each(&t->node, n)
		put_weight(k, n->before);
}

static void put_rows(struct flame_packing *k)
{
	const struct flame_tree *t = k->t;
	uint32_t last = 0;
	put(k, t->thread.n);
	vec_each(&t->thread, h) {
		put(k, h->pid + 1);
		put(k, h->tid + 1);
		put_text(k, h->comm);
	}
	put(k, t->row.n);
	vec_each(&t->row, r) {
		put(k, r->node - last);
		last = r->node;
	}
	vec_each(&t->row, r)
		put(k, r->thread * 2 + r->cut);
	vec_each(&t->row, r)
		put(k, r->span);
	vec_each(&t->row, r)
		put_weight(k, r->weight);
}

static void put_gone(struct flame_packing *k)
{
	const struct flame_tree *t = k->t;
	put(k, gone_shown(t));
	for (size_t i = 0; i < gone_shown(t); i++) {
		uint32_t stack = t->gone.at[i].stack;
		put_weight(k, t->gone.at[i].before);
		put(k, t->stacks.at.at[stack].depth);
		for (; stack; stack = t->stacks.at.at[stack].parent)
			put(k, k->number[t->stacks.at.at[stack].place] - 1);
	}
}

/* ---- into the page ---- */

static void write_data(struct flame_packing *k, struct out *o)
{
	enum { LEVEL = 6, FASTER = 3, LARGE = 32 << 20 };
	uLongf n = compressBound(k->s.len);
	uint8_t *packed = xmalloc(n);
	if (compress2(packed, &n, (const Bytef *)k->s.buf, k->s.len, k->s.len > LARGE ? FASTER : LEVEL) != Z_OK)
		out_of_memory();
	out_puts(o, "<script type=\"text/plain\" id=\"data\">");
	pack_base64(o, packed, n);
	out_puts(o, "</script>\n");
	free(packed);
}

static void add_member(struct str *s, const char *key, const char *text)
{
	str_addf(s, ",\n\"%s\": ", key);
	escape_scriptz(s, text);
}

static void write_meta(const struct flame_packing *k, struct out *o)
{
	static const char *const colours[] = { [FLAME_KINDS] = "kinds", [FLAME_HOT] = "hot", [FLAME_IO] = "io", [FLAME_MEM] = "mem" };
	const struct flame_picture *p = k->p;
	struct str s = STR_INIT;
	str_addf(&s, "<script type=\"application/json\" id=\"meta\">{\"version\": 1, \"divisor\": %llu, \"scale\": %.17g, \"first\": %.17g, \"quantum\": %.17g, "
		 "\"spans\": %u, \"goneAll\": %zu, \"compared\": %s, \"inverted\": %s, \"chart\": %s, \"rows\": %s",
		 (unsigned long long)k->divisor, p->scale, k->t->first / 1e9, k->t->quantum / 1e9, k->t->spans, k->t->gone.n,
		 p->compared ? "true" : "false", p->inverted ? "true" : "false", p->chart ? "true" : "false", k->t->row.n ? "true" : "false");
	str_add(&s, ",\n\"gaps\": [");
	for (size_t i = 0; i < k->t->gap.n; i++)
		str_addf(&s, "%s[%u,%u]", i ? "," : "", k->t->gap.at[i].from, k->t->gap.at[i].to);
	str_addc(&s, ']');
	add_member(&s, "title", p->title);
	add_member(&s, "unit", p->unit);
	add_member(&s, "note", p->note ? p->note : "");
	add_member(&s, "colours", colours[p->colours]);
	str_add(&s, "}</script>\n");
	out_str(o, &s);
	str_release(&s);
}

void flame_html(const struct flame_picture *p, struct out *o)
{
	struct flame_packing k = { .t = p->t, .p = p, .divisor = find_divisor(p->t) };
	str_init(&k.s);
	put_frames(&k);
	put_nodes(&k);
	if (p->t->row.n)
		put_rows(&k);
	if (p->compared)
		put_gone(&k);
	page_head(o, "flame", p->title, flame_page_css);
	out_puts(o, flame_page_html);
	write_meta(&k, o);
	write_data(&k, o);
	out_puts(o, "<script>\n");
	out_puts(o, flame_model_js);
	out_puts(o, "</script>\n<script>\n");
	out_puts(o, flame_view_js);
	out_puts(o, "</script>\n</body>\n</html>\n");
	str_release(&k.s);
	free(k.number);
	vec_release(&k.frame);
}
