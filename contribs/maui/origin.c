/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/origin.h"

#include <string.h>

struct maui_origin object_origin(const struct maui_config *config, const struct maui_object *object)
{
	struct maui_origin origin = {.file = maui_config_path(config)};
	const struct maui_value *const *values;
	size_t count = maui_object_values(object, &values);

	for (size_t i = 0; i < count; i++)
		if (!origin.line || (!strcmp(values[i]->origin.file, origin.file) &&
				     values[i]->origin.line < origin.line))
			origin = values[i]->origin;
	origin.column = 1; /* the name stands at the start of the line */
	return origin;
}
