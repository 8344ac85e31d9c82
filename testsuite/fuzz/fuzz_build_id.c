/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs, of which maui doctor wants the build id: nothing in them is trusted. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/doctor/build_id.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char id[BUILD_ID_SIZE];
	size_t length;

	if (build_id_parse((const char *)data, size, id))
		return 0;
	length = strnlen(id, sizeof(id));
	if (!length || length % 2 || length >= sizeof(id) ||
	    strspn(id, "0123456789abcdef") != length)
		abort();
	return 0;
}
