/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared objects, as maui doctor inspects them: nothing in them is trusted. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/doctor/plugin_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct plugin_file plugin;

	if (plugin_file_parse((const char *)data, size, &plugin))
		return 0;
	check(memchr(plugin.name, 0, sizeof(plugin.name)));
	check(memchr(plugin.type, 0, sizeof(plugin.type)));
	return 0;
}
