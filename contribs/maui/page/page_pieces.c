/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces that several views are made of. */
#include <string.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page.h"

void page_missing(struct html *html, const struct page_answer *answer)
{
	html_add(html, "<p class=\"missing\">Not shown: %s.</p>\n",
		 *answer->problem ? answer->problem : "the engine's answer lacks it");
}

void page_rest(struct html *html, int columns, size_t rest, const char *words)
{
	html_add(html, "<tr class=\"rest\"><th scope=\"row\" colspan=\"%d\">%zu %s</th></tr>\n",
		 columns, rest, words);
}

const char *page_search(const struct page *page)
{
	return page->live ? page->live->search : "";
}

bool page_finds(const struct page *page, const char *text)
{
	return strcasestr(text, page_search(page)) != NULL;
}

bool page_finds_job(const struct page *page, struct json_object *job)
{
	static const char *const members[] = {"id",      "name", "user",   "partition",
					      "account", "qos",  "reason", "description"};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (page_finds(page, member_text(job, members[i])))
			return true;
	return false;
}
