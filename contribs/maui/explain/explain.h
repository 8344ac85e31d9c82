/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands without a counterpart in the original. */
#ifndef MAUI_EXPLAIN_H
#define MAUI_EXPLAIN_H

#include <stdint.h>

#include <json-c/json.h>

#include "contribs/maui/lib/command.h"

extern const struct command diff_command;
extern const struct command explain_nodes_command;
extern const struct command priority_command;
extern const struct command whatif_command;

/*
 * What the engine's request whatif takes: another maui.cfg with what it includes, read with the
 * rights of this process, and how many jobs of each kind to list. EXIT_OK: the caller puts, or
 * uses up, *ret_arguments. Otherwise says what is wrong and returns an exit code.
 */
int whatif_arguments(const char *path, int64_t limit, struct json_object **ret_arguments);

#endif
