/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_TEST_VARIABLE_PLUGIN_H
#define MAUI_TEST_VARIABLE_PLUGIN_H

#define EXPORTED __attribute__((visibility("default")))

extern EXPORTED int shared_number, own_number;

EXPORTED int plugin_sees(void);
EXPORTED int plugin_has(void);

#endif
