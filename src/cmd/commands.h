/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entry points, from the same rows as the table in sonde.c. */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H
#define COMMAND(name, function, help) int function(int argc, char **argv);
#include "cmd/commands.def"
#undef COMMAND
#endif
