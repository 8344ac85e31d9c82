/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compressed files, as maui replay reads them: what comes out is bounded. */
#include <stdint.h>
#include <stdlib.h>

#include "contribs/maui/replay/input/decompress.h"

#define MOST ((size_t)4 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct plain_text text;
	const char *why = decompress(data, size, MOST, &text);

	if (!why && (!is_compressed(data, size) || text.size > MOST))
		abort();
	if (text.size > MOST + ((size_t)1 << 20))
		abort();
	free(text.bytes);
	return 0;
}
