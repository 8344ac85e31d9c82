/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plugin that declares a variable of the program's, as Slurm's plugins do. */
#include "variable_plugin.h"

EXPORTED int shared_number;
EXPORTED int own_number = 7;

EXPORTED int plugin_sees(void)
{
	return shared_number;
}

EXPORTED int plugin_has(void)
{
	return own_number;
}
