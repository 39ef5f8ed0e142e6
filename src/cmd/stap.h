/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CMD_STAP_H
#define CMD_STAP_H
#include <stdbool.h>
#include "base/words.h"

/* Is this command line about a script of SystemTap's? argv[0] may be stap. */
bool stap_wanted(int argc, char **argv);
int cmd_stap(int argc, char **argv);
#endif
