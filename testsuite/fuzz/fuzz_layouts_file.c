/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of layouts, a package's and a host's, as maui doctor reads them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/doctor/layouts_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	char hash[LAYOUTS_HASH_SIZE];
	enum layouts_fit fit;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (!layouts_parse(text, "abcd", hash, &fit) && !memchr(hash, 0, sizeof(hash)))
		abort();
	/* What is remembered is there word for word. */
	if (layouts_remembered(text, "1234", "abcd") &&
	    (!strstr(text, "1234") || !strstr(text, "abcd")))
		abort();
	free(text);
	return 0;
}
