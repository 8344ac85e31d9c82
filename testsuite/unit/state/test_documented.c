/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each line of each state file is described in contribs/doc/state-files.md as it is in the code. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/files.h"
#include "common/util/files/file.h"

/* "`job JOB SUBMITTED SINCE BYPASS`"; flags that follow one another have one name. */
static void describe(const struct maui_record *record, char *line, size_t room)
{
	size_t size = (size_t)snprintf(line, room, "`%s", record->word);

	for (size_t i = 0; i < record->count; i++)
		if (!i || strcmp(record->fields[i].name, record->fields[i - 1].name) != 0)
			size += (size_t)snprintf(line + size, room - size, " %s",
						 record->fields[i].name);
	snprintf(line + size, room - size, "`");
}

/* The tables of all files, and of what happens until one can be read; the example's first line. */
static void expect_rows(const char *text, const struct maui_state_file *file)
{
	const char *unread = strstr(text, "| File | until it can be read |"), *found;
	char name[64], row[80], first[MAUI_STATE_FIRST_LINE + 4] = "    ";

	snprintf(name, sizeof(name), "`%s`", file->name);
	snprintf(row, sizeof(row), "\n| %s | ", name);
	maui_state_first_line(file, first + 4);
	cr_assert_not_null(unread);
	found = strstr(unread, name);
	cr_expect(found && found < strstr(unread, "\n\n"), "%s until it can be read", name);
	cr_expect_not_null(strstr(strstr(unread, "\n| File | |\n"), row), "%s", row);
	cr_expect_not_null(strstr(text, first), "%s", first);
}

Test(documented, every_line)
{
	struct maui_error why = {""};
	char *text = NULL;
	size_t size, lines = 0;

	cr_assert_eq(maui_file_read(STATE_FILES_MD, 1 << 20, NULL, &text, &size, NULL, &why), 0,
		     "%s", why.text);
	for (const struct maui_state_file *const *file = maui_state_files; *file; file++) {
		char heading[64];

		snprintf(heading, sizeof(heading), "\n## `%s`\n", (*file)->name);
		cr_expect_not_null(strstr(text, heading), "%s", heading);
		expect_rows(text, *file);
		for (size_t i = 0; i < (*file)->record_count; i++, lines++) {
			char line[256];

			describe(&(*file)->records[i], line, sizeof(line));
			cr_expect_not_null(strstr(text, line), "%s", line);
		}
	}
	cr_expect_eq(lines, 14);
	free(text);
}
