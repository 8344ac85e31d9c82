/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of a line of maui.cfg, by how it was read and by the verdict on its key. */
#include "common/util/memory.h"
#include "contribs/maui/check/report_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/keys/legacy.h"
#include "common/config/keys/unknown.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/text.h"

/* A name without its dimension: MAXJOB of MAXJOB[USER:bob]. */
static void plain_name(const struct maui_record *record, char name[64])
{
	snprintf(name, 64, "%.*s", (int)strcspn(record->name, "["), record->name);
}

/* Names of Maui 3.0 are attributes of a section that they do not name. */
static enum maui_section section_of(const struct maui_record *record)
{
	struct maui_legacy legacy;

	if (record->section == MAUI_PARAMETERS &&
	    !(record->key->sections & MAUI_IN(MAUI_PARAMETERS)) &&
	    maui_legacy_find(record->name, &legacy))
		return legacy.section;
	return record->section;
}

/* The flags with remarks, joined, except those already mentioned. */
static char *describe_flags(const struct maui_value *value, const char *said)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	bool any = false;

	if (!stream)
		maui_memory_short(0);
	for (size_t i = 0; i < value->list_size; i++) {
		bool acts;
		const char *remark = maui_value_remark(value, i, &acts);

		if (!remark || strstr(said, remark))
			continue;
		fprintf(stream, "%s%s", any ? "; " : "", remark);
		any = true;
	}
	if (fclose(stream))
		maui_memory_short(0);
	return text;
}

static char *describe_value(const struct maui_record *record, const char *said,
			    struct maui_verdict *ret_verdict)
{
	enum maui_section section = section_of(record);
	struct maui_verdict verdict = record->value ? maui_value_verdict(record->value, section)
						    : maui_key_verdict(record->key, section);
	char *filled;

	*ret_verdict = verdict;
	if (record->value && record->value->key->kind == MAUI_KIND_FLAGS && !*verdict.text)
		return describe_flags(record->value, said);
	filled = verdict.kind == MAUI_IGNORED ? report_fill(record) : NULL;
	if (filled)
		return filled;
	return text_copy(verdict.text);
}

static char *describe_unknown(const struct maui_record *record, enum maui_loss *ret_loss)
{
	char name[64], known[MAUI_UNKNOWN_TEXT];
	bool harmless = false;

	plain_name(record, name);
	maui_foreign_text(record->section, name, &harmless);
	if (harmless)
		*ret_loss = MAUI_LOSS_HARMLESS;
	if (*maui_unknown_text(record->section, name, known))
		return text_copy(known);
	return text_printf("not %s of Maui that is known here",
			   record->section == MAUI_PARAMETERS ? "a parameter" : "an attribute");
}

static char *describe_replaced(const struct maui_record *record)
{
	const struct maui_origin *by = &record->replaced_by;
	bool elsewhere = strcmp(by->file, record->origin.file) != 0;

	return text_printf("%s%s%u sets it again", elsewhere ? by->file : "line",
			   elsewhere ? ":" : " ", by->line);
}

char *report_describe(const struct maui_record *record, const char *said,
		      struct maui_verdict *ret_verdict)
{
	*ret_verdict = (struct maui_verdict){MAUI_IGNORED, MAUI_LOSS_POLICY, NULL};
	switch (record->fate) {
	case MAUI_RECORD_TAKEN:
		return describe_value(record, said, ret_verdict);
	case MAUI_RECORD_INCLUDED:
		*ret_verdict = (struct maui_verdict){MAUI_HONOURED, MAUI_LOSS_NONE, NULL};
		return text_copy("");
	case MAUI_RECORD_UNKNOWN:
		return describe_unknown(record, &ret_verdict->loss);
	case MAUI_RECORD_REPLACED:
		ret_verdict->loss = MAUI_LOSS_HARMLESS;
		return describe_replaced(record);
	default:
		return text_copy("");
	}
}
