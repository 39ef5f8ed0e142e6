/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that come with sonde: in share/sonde/tools beside the folder that sonde itself is in. */
#ifndef JOB_RUN_TOOLS_H
#define JOB_RUN_TOOLS_H
/* The file of a tool called so; NULL: there is none. The caller's to free. */
char *run_tool_path(const char *name);
int run_tools_list(void); /* a line each: its name and what it is for. Returns the exit code */
void run_tools_nearest(const char *name); /* adds a hint to the pending error when one is called nearly so */
#endif
