/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as QOS, and after a 0xff as the file of `sacctmgr dump`: their limits are taken. What
 * becomes a line is one that maui.cfg may have, and nothing is lost: what is not taken stays.
 */
#include "common/import/import_take.h"
#include "testsuite/fuzz/import_accounting.h"

static bool has_remark(const struct maui_import *import)
{
	return import->remark_count > 0 || import->command_count > 0;
}

static void take_all(struct maui_import_accounting *accounting, bool enforced)
{
	static const char *const of_partitions[] = {"p"};
	const struct maui_import_priority priority = {0};
	const struct maui_import_site site = {of_partitions, 1, &priority, enforced};
	struct maui_import import;

	maui_import_begin(&import);
	maui_import_take_limits(accounting, &site, &import);
	REQUIRE(enforced || !import.line_count);
	REQUIRE(!import.line_count || import.command_count);
	maui_import_tell_limits(accounting, enforced, &import);
	REQUIRE(!accounting->limit_count || has_remark(&import));
	check_import(&import);
	maui_import_clear(&import);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = size ? (const char *)data : "";
	const char *cut = memchr(text, 0xff, size);
	size_t first = cut ? (size_t)(cut - text) : size;
	struct accounting_said said = {{text, first}, 0};
	const struct maui_import_complaints told = {complain_of, &said};
	struct maui_import_accounting accounting;
	int rc;

	maui_import_accounting_begin(&accounting);
	rc = maui_import_read_qos(&accounting, "file", text, first, &told);
	if (!rc && cut) {
		said.text = (struct text){cut + 1, size - first - 1};
		rc = maui_import_read_dump(&accounting, "file", cut + 1, size - first - 1, &told);
	}
	if (!rc) {
		take_all(&accounting, false);
		take_all(&accounting, true);
	}
	maui_import_accounting_clear(&accounting);
	return 0;
}
