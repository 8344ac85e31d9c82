/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_INNER_VARIABLE_H
#define MAUI_INNER_VARIABLE_H

#include <stdbool.h>

/*
 * Makes a loaded plugin use *replacement where its source says `name`, which so far is *variable,
 * of the program. A plugin reaches such a variable through a slot of its own, which the dynamic
 * linker has filled in; only that slot is changed, so that nobody else notices (S-SEL-13). False,
 * and nothing is changed: it has no such slot with that address, or the slot cannot be written.
 *
 * file: of dlopen(). No call of the plugin may be running. The plugin may be bound again, to
 * another replacement, with the former as the variable.
 */
bool inner_variable_bind(void *file, const char *name, void *variable, void *replacement);

#endif
