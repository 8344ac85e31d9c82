/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses lines of at most four words: `layout HASH` and `slurmctld BUILD-ID
 * FIT` of a package, `layout HASH slurmctld BUILD-ID` of a host.
 */
#include "contribs/maui/doctor/layouts_file.h"

#include <errno.h>

#include "common/util/list.h"

#define MOST_WORDS 4

struct words {
	struct maui_item word[MOST_WORDS];
	size_t count;
};

/* False: the text is at its end. */
static bool next_line(const char **text, struct words *ret_words)
{
	struct maui_item line, word;
	const char *rest;

	*ret_words = (struct words){.count = 0};
	if (!maui_list_next(text, "\n", &line))
		return false;
	for (rest = line.text; rest < line.text + line.size && ret_words->count < MOST_WORDS;) {
		maui_list_next(&rest, " \n", &word);
		if (word.size)
			ret_words->word[ret_words->count++] = word;
	}
	return true;
}

static bool layouts_file_begins(const struct words *line, const char *word)
{
	return line->count && maui_item_is(line->word[0], word);
}

static void take_fit(const struct words *line, const char *build_id, enum layouts_fit *ret_fit)
{
	if (line->count < 3 || !maui_item_is(line->word[1], build_id))
		return;
	if (maui_item_is(line->word[2], "compared"))
		*ret_fit = LAYOUTS_COMPARED;
	else if (maui_item_is(line->word[2], "same-source"))
		*ret_fit = LAYOUTS_SAME_SOURCE;
}

int layouts_parse(const char *text, const char *build_id, char ret_hash[LAYOUTS_HASH_SIZE],
		  enum layouts_fit *ret_fit)
{
	struct words line;

	*ret_hash = '\0';
	*ret_fit = LAYOUTS_NOT_KNOWN;
	if (!next_line(&text, &line) || !layouts_file_begins(&line, "maui-layouts") ||
	    line.count != 2 || !maui_item_is(line.word[1], "1"))
		return -EINVAL;
	while (next_line(&text, &line) && !layouts_file_begins(&line, "record"))
		if (layouts_file_begins(&line, "layout") && line.count == 2 &&
		    line.word[1].size < LAYOUTS_HASH_SIZE)
			maui_item_copy(line.word[1], ret_hash, LAYOUTS_HASH_SIZE);
		else if (layouts_file_begins(&line, "slurmctld"))
			take_fit(&line, build_id, ret_fit);
	return *ret_hash ? 0 : -EINVAL;
}

bool layouts_remembered(const char *text, const char *hash, const char *build_id)
{
	struct words line;

	while (next_line(&text, &line))
		if (line.count == 4 && layouts_file_begins(&line, "layout") &&
		    maui_item_is(line.word[1], hash) && maui_item_is(line.word[2], "slurmctld") &&
		    maui_item_is(line.word[3], build_id))
			return true;
	return false;
}
