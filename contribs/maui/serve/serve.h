/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui serve: the pages of `maui page`, live, over HTTP on 127.0.0.1, for the one who runs it. Two
 * processes: one makes pages, and asks Slurm and the engine; the other answers browsers, and never
 * waits for anybody. D-SRV-7.
 */
#ifndef MAUI_SERVE_H
#define MAUI_SERVE_H

#include "contribs/maui/lib/command.h"
#include "contribs/maui/page/page.h"

extern const struct command serve_command;

struct serve_options {
	const struct cli *cli;
	struct page_wanted wanted;
	int every;           /* seconds */
	int idle;            /* seconds */
	unsigned int listen; /* port; 0: a free one */
};

/* Until it is ended, or nobody asks. Returns an exit code. */
int serve(const struct serve_options *options);

#endif
