/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the fuzz targets of what sacctmgr prints: each complaint has a place in the text, and what is
 * read becomes lines that maui.cfg may have.
 */
#ifndef MAUI_FUZZ_IMPORT_ACCOUNTING_H
#define MAUI_FUZZ_IMPORT_ACCOUNTING_H

#include <errno.h>
#include <stdio.h>

#include "common/config/config.h"
#include "common/import/import_accounting.h"
#include "testsuite/fuzz/complaints.h"

typedef int (*accounting_reader)(struct maui_import_accounting *accounting, const char *path,
				 const char *text, size_t size,
				 const struct maui_import_complaints *complaints);

struct accounting_said {
	struct text text;
	size_t complaints;
};

static void complain_of(void *context, const struct maui_conf_place *place, const char *why)
{
	struct accounting_said *said = context;

	REQUIRE(!strcmp(place->file, "file"));
	bad_line(&said->text, place->line, place->column, why);
	said->complaints++;
}

static void check_import(const struct maui_import *import)
{
	for (size_t i = 0; i < import->line_count; i++) {
		const struct maui_problem *problems;
		struct maui_config *config = NULL;
		struct maui_error error;
		char text[4096];
		int size = snprintf(text, sizeof(text), "%s %s\n", import->lines[i].key,
				    import->lines[i].value);

		if (size < 0 || (size_t)size >= sizeof(text))
			continue;
		REQUIRE(!maui_config_parse("maui.cfg", text, (size_t)size, NULL, &config, &error));
		REQUIRE(!maui_config_problems(config, &problems));
		maui_config_unref(config);
	}
	for (size_t i = 0; i < import->remark_count; i++)
		REQUIRE(*import->remarks[i].setting && *import->remarks[i].effect);
}

static inline void check_accounting(accounting_reader reader, const uint8_t *data, size_t size)
{
	struct accounting_said said = {{size ? (const char *)data : "", size}, 0};
	const struct maui_import_complaints complaints = {complain_of, &said};
	struct maui_import_accounting accounting;
	struct maui_import import;
	int rc;

	maui_import_begin(&import);
	maui_import_accounting_begin(&accounting);
	rc = reader(&accounting, "file", said.text.bytes, size, &complaints);
	REQUIRE(rc == 0 ? !said.complaints : rc == -EINVAL && said.complaints);
	if (!rc) {
		struct maui_import_priority priority = {
			.type = "priority/multifactor",
			.qos = accounting.qos,
			.qos_count = accounting.qos_count,
			.assocs = accounting.assocs,
			.assoc_count = accounting.assoc_count,
			.weight = {[MAUI_IMPORT_QOS] = 1000, [MAUI_IMPORT_ASSOC] = UINT32_MAX}};

		maui_import_translate_priority(&priority, &import);
		maui_import_tell_limits(&accounting, true, &import);
		check_import(&import);
	}
	maui_import_accounting_clear(&accounting);
	maui_import_clear(&import);
}

#endif
