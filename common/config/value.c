/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells the built-in defaults from what a line sets. */
#include "common/config/value.h"

const char maui_built_in[] = "(built-in defaults)";

bool maui_value_given(const struct maui_value *value)
{
	return value->origin.file != maui_built_in;
}
