/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data for a page: deflated (zlib's form), then base64, so that nothing of a name can end the script element that they stand in. */
#ifndef PICTURE_PACK_H
#define PICTURE_PACK_H
#include "base/out.h"

void pack_bytes(struct str *out, const struct str *in); /* appends in, deflated */
void pack_base64(struct out *o, const void *p, size_t n); /* without line ends */
#endif
