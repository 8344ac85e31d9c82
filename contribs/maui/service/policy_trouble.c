/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NOTEs of a refused maui.cfg, of at most five errors in the file in force, and
 * of users and groups that were not answered for.
 */
#include "contribs/maui/service/policy_trouble.h"

#include <inttypes.h>
#include <stdio.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"

#define LINES_NOTED 5 /* `maui status` has more */

static const char *line_of(struct json_object *faults, size_t i)
{
	struct json_object *lines = member_array(faults, "lines");

	return i < array_size(lines) ? json_object_get_string(json_object_array_get_idx(lines, i))
				     : "";
}

const char *policy_trouble_text(struct json_object *faults, char *buffer, size_t size)
{
	const int64_t errors = member_integer(faults, "errors");
	const char *first = line_of(faults, 0);

	if (!errors && *first)
		snprintf(buffer, size, "%s", first);
	else if (!errors)
		snprintf(buffer, size, "it cannot be read");
	else
		snprintf(buffer, size, "%" PRId64 " error%s%s%s", errors, errors == 1 ? "" : "s",
			 *first ? errors == 1 ? ": " : ", the first: " : "", first);
	clean_text(buffer);
	return buffer;
}

const char *policy_trouble_unknown(struct json_object *unknown, char *buffer, size_t size)
{
	const int64_t count = member_integer(unknown, "errors");
	const char *first = line_of(unknown, 0);

	snprintf(buffer, size, "%" PRId64 " unknown %s %s no effect%s%s", count,
		 count == 1 ? "name or word" : "names or words", count == 1 ? "has" : "have",
		 *first ? count == 1 ? ": " : ", the first: " : "", first);
	clean_text(buffer);
	return buffer;
}

static void note_refused(struct json_object *refused)
{
	char text[1024], when[TEXT_DATE_SIZE];

	note("%s was refused at %s, and this is what was in force before or stands in for it: %s",
	     member_text(refused, "path"), text_date(member_integer(refused, "time"), "", when),
	     policy_trouble_text(refused, text, sizeof(text)));
}

static void note_left_out(struct json_object *left_out)
{
	const int64_t errors = member_integer(left_out, "errors");
	const size_t lines = array_size(member_array(left_out, "lines"));
	int64_t noted = 0;

	note("%s has %" PRId64 " error%s, and is in force without what %s about%s",
	     member_text(left_out, "path"), errors, errors == 1 ? "" : "s",
	     errors == 1 ? "it is" : "they are", lines ? ":" : "");
	for (; (size_t)noted < lines && noted < LINES_NOTED; noted++)
		note("  %s", line_of(left_out, (size_t)noted));
	if (noted && noted < errors)
		note("  ... and %" PRId64 " more: `maui check` lists them", errors - noted);
}

const char *policy_trouble_names(int64_t unanswered, char *buffer, size_t size)
{
	snprintf(buffer, size,
		 "the name service does not answer for %" PRId64
		 " users and groups of maui.cfg: those known before keep their numbers, and jobs "
		 "of users and groups that could be one of the others wait",
		 unanswered);
	return buffer;
}

static void note_names(int64_t unanswered)
{
	char text[256];

	note("%s", policy_trouble_names(unanswered, text, sizeof(text)));
}

void policy_trouble_note_unnamed(struct json_object *data)
{
	int64_t unanswered = member_integer(data, "names_unanswered");

	if (unanswered > 0)
		note("the name service does not answer for %" PRId64
		     " users and groups of this answer: each has its last name known, or its "
		     "number",
		     unanswered);
}

void policy_trouble_note(struct json_object *data)
{
	struct json_object *trouble = member_object(data, "policy_trouble");
	static bool said;

	if (said || !trouble || *member_text(data, "mode")) /* `status` says it in its own words */
		return;
	said = true;
	if (member_object(trouble, "refused"))
		note_refused(member_object(trouble, "refused"));
	if (member_object(trouble, "left_out"))
		note_left_out(member_object(trouble, "left_out"));
	if (member_object(trouble, "names"))
		note_names(member_integer(member_object(trouble, "names"), "unanswered"));
}
