// SPDX-License-Identifier: GPL-2.0-or-later
#include "picture/page.h"
#include "picture/escape.h"

void page_head(struct out *o, const char *maker, const char *title, const char *css)
{
	struct str s = STR_INIT;
	str_addf(&s, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\"sonde %s\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
		"style-src 'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>", maker);
	escape_markupz(&s, title);
	str_add(&s, "</title>\n<style>\n");
	str_add(&s, css);
	str_add(&s, "</style>\n</head>\n");
	out_str(o, &s);
	str_release(&s);
}
