/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that later ones replace. */
#include "contribs/maui/check/check.h"

#include <string.h>

#include "common/config/record.h"

void check_shadow(const struct maui_config *config, struct findings *findings)
{
	const struct maui_record *records;
	size_t count = maui_config_records(config, &records, NULL);

	for (size_t i = 0; i < count; i++) {
		const struct maui_record *record = &records[i];
		const struct maui_origin *by = &record->replaced_by;

		if (record->fate != MAUI_RECORD_REPLACED)
			continue;
		if (strcmp(by->file, record->origin.file) != 0)
			findings_useless(findings, &record->origin,
					 "%s has no effect: %s:%u sets it again", record->name,
					 by->file, by->line);
		else
			findings_useless(findings, &record->origin,
					 "%s has no effect: line %u sets it again", record->name,
					 by->line);
	}
}
