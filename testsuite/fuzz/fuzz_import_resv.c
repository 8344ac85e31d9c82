/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as what `scontrol show reservation` prints: each complaint has a place in the text. */
#include <errno.h>

#include "common/import/import_resv.h"
#include "testsuite/fuzz/complaints.h"

static size_t complaints;

static void complain(void *context, const struct maui_conf_place *place, const char *why)
{
	bad_line(context, place->line, place->column, why);
	complaints++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text text = {size ? (const char *)data : "", size};
	const struct maui_import_complaints told = {complain, &text};
	struct maui_import_resvs resvs;
	struct maui_import import;
	int rc;

	complaints = 0;
	maui_import_begin(&import);
	maui_import_resvs_begin(&resvs);
	rc = maui_import_read_resvs(&resvs, "file", text.bytes, size, &told);
	REQUIRE(rc == 0 ? !complaints : rc == -EINVAL && complaints);
	if (!rc) {
		maui_import_translate_resvs(&resvs, &import);
		REQUIRE(import.line_count + import.remark_count >= resvs.count);
		for (size_t i = 0; i < import.line_count; i++)
			REQUIRE(!strncmp(import.lines[i].key, "SRCFG[", strlen("SRCFG[")));
	}
	maui_import_resvs_clear(&resvs);
	maui_import_clear(&import);
	return 0;
}
