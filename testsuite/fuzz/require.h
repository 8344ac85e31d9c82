/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold, whatever the fuzzer makes up. */
#ifndef MAUI_FUZZ_REQUIRE_H
#define MAUI_FUZZ_REQUIRE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                         \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);  \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

#endif
