// SPDX-License-Identifier: GPL-2.0-or-later
/* Terminals and consoles. Layouts: asm-generic/termbits.h, asm-generic/termios.h. */
#include "syscall/ioctl/ioctl.h"

struct_fn struct_termios, struct_termios2, struct_termio, struct_modem, struct_kd_led, struct_kd_type, struct_kd_mode, struct_kd_kbd_mode,
	struct_char;

enum { BAUD_MASK = 010017, SIZE_MASK = 060, INPUT_SHIFT = 16 };

static void cflag(struct dc *c, uint32_t v)
{
	uint32_t input = v >> INPUT_SHIFT & BAUD_MASK, rest = v & ~(uint32_t)(BAUD_MASK | SIZE_MASK | BAUD_MASK << INPUT_SHIFT);
	v_parts_begin(c);
	v_part_enum(c, X_term_baud, v & BAUD_MASK);
	if (input) {
		v_part_enum(c, X_term_baud, input);
		str_add(c->json ? &c->d->scratch : c->out, "<<IBSHIFT");
	}
	v_part_enum(c, X_term_csize, v & SIZE_MASK);
	if (rest)
		v_part_flags(c, X_term_cflag, rest);
	v_parts_end(c);
}

static void oflag(struct dc *c, uint32_t v)
{
	static const struct { uint32_t mask; enum xlat_id table; } delay[] = { { 0400, X_term_nl }, { 03000, X_term_cr },
		{ 014000, X_term_tab }, { 020000, X_term_bs }, { 040000, X_term_vt }, { 0100000, X_term_ff } };
	v_parts_begin(c);
	for (int i = 0; i < 6; i++) {
		if (c->strace || v & delay[i].mask)
			v_part_enum(c, delay[i].table, v & delay[i].mask);
		v &= ~delay[i].mask;
	}
	if (v)
		v_part_flags(c, X_term_oflag, v);
	v_parts_end(c);
}

static void control_chars(struct dc *c, const struct mem *m, size_t at, unsigned n)
{
	static const char *const name[] = { "VINTR", "VQUIT", "VERASE", "VKILL", "VEOF", "VTIME", "VMIN", "VSWTC", "VSTART", "VSTOP", "VSUSP",
		"VEOL", "VREPRINT", "VDISCARD", "VWERASE", "VLNEXT", "VEOL2" };
	v_field(c, "c_cc");
	v_open(c, '[');
	for (unsigned i = 0; i < n; i++) {
		v_item(c);
		if (!c->json && i < sizeof(name) / sizeof(*name))
			str_addf(c->out, "[%s]=", name[i]);
		else if (!c->json)
			str_addf(c->out, "[%u]=", i);
		v_hexnum(c, mem_u(m, at + i, 1));
	}
	v_close(c, ']');
}

/* w: the bytes of one set of flags; n: how many control characters there are */
static void terminal(struct dc *c, const struct mem *m, size_t w, unsigned n, bool speeds)
{
	v_open(c, '{');
	v_field(c, "c_iflag");
	v_flags(c, X_term_iflag, mem_u(m, 0, w));
	v_field(c, "c_oflag");
	oflag(c, mem_u(m, w, w));
	v_field(c, "c_cflag");
	cflag(c, mem_u(m, 2 * w, w));
	v_field(c, "c_lflag");
	v_flags(c, X_term_lflag, mem_u(m, 3 * w, w));
	if (!whole(c)) {
		v_more(c);
		v_close(c, '}');
		return;
	}
	v_field(c, "c_line");
	v_enum(c, X_line_disc, mem_u(m, 4 * w, 1));
	control_chars(c, m, 4 * w + 1, n);
	if (speeds) {
		v_field(c, "c_ispeed");
		v_u(c, mem_u(m, 36, 4));
		v_field(c, "c_ospeed");
		v_u(c, mem_u(m, 40, 4));
	}
	v_close(c, '}');
}

void struct_termios(struct dc *c, const struct mem *m) { terminal(c, m, 4, 19, false); }
void struct_termios2(struct dc *c, const struct mem *m) { terminal(c, m, 4, 19, true); }
void struct_termio(struct dc *c, const struct mem *m) { terminal(c, m, 2, 8, false); }

STRUCT_ONE(modem, v_flags(c, X_modem_flags, mem_u(m, 0, 4)))
STRUCT_ONE(kd_led, v_flags(c, X_kd_leds, mem_u(m, 0, 1)))
STRUCT_ONE(kd_type, v_enum(c, X_kd_kbd_types, mem_u(m, 0, 1)))
STRUCT_ONE(kd_mode, v_enum(c, X_kd_modes, mem_u(m, 0, 4)))
STRUCT_ONE(kd_kbd_mode, v_enum(c, X_kd_kbd_modes, mem_u(m, 0, 4)))

void struct_char(struct dc *c, const struct mem *m)
{
	v_str(c, m->p, m->n ? 1 : 0, false, 0);
}
