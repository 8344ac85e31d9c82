/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui: Maui's commands for Slurm. `maui COMMAND ...`; called by the name of a command (a link to
 * the program, as in the original: diagnose, showconfig) it runs that command.
 */
#include <errno.h>
#include <string.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/program.h"

int main(int argc, char **argv)
{
	int code;

	terminal_begin();
	code = command_run(argc, argv);
	if (terminal_end())
		return fail(EXIT_ERRORS, "cannot write the output: %s", strerror(errno));
	return code;
}
