/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one place that has the version; the Makefile reads it from here. It is the newest heading of NEWS.md. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H
#define SONDE_VERSION "0.2"
#endif
