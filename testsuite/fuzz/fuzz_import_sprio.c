/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as what sprio prints: each row is found again, or each complaint has a place. */
#include <errno.h>

#include "common/import/import_sprio.h"
#include "testsuite/fuzz/complaints.h"

static void complain(void *context, const struct maui_conf_place *place, const char *why)
{
	bad_line(context, place->line, place->column, why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text text = {(const char *)data, size};
	const struct maui_import_complaints complaints = {complain, &text};
	struct maui_sprio sprio;
	int rc = maui_sprio_read(&sprio, "sprio", text.bytes, text.size, &complaints);

	REQUIRE(!rc || rc == -EINVAL);
	for (size_t i = 0; i < sprio.count; i++) {
		const struct maui_sprio_row *row = &sprio.rows[i], *found;

		found = maui_sprio_find(&sprio, row->job, row->partition);
		REQUIRE(found && found->job == row->job &&
			!strcmp(found->partition, row->partition));
	}
	maui_sprio_clear(&sprio);
	return 0;
}
