/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes that are searched for: where there are thousands, a map alone finds none. */
#include <string.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page.h"
#include "contribs/maui/queue/machine_use.h"

#define ROWS       50
#define TEXTS_SIZE 512

static bool has_found(const struct page *page, struct json_object *texts)
{
	for (size_t i = 0; i < array_size(texts); i++) {
		struct json_object *text = json_object_array_get_idx(texts, i);

		if (json_object_is_type(text, json_type_string) &&
		    page_finds(page, json_object_get_string(text)))
			return true;
	}
	return false;
}

static bool is_found(const struct page *page, struct json_object *node)
{
	static const char *const members[] = {"name", "state", "reason"};
	static const char *const lists[] = {"flags", "features", "partitions"};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (page_finds(page, member_text(node, members[i])) ||
		    has_found(page, member_array(node, lists[i])))
			return true;
	return false;
}

static void write_node(struct html *html, struct json_object *node)
{
	char flags[TEXTS_SIZE], partitions[TEXTS_SIZE], features[TEXTS_SIZE];

	joined(member_array(node, "flags"), ", ", flags, sizeof(flags));
	html_add(html, "<tr><th scope=\"row\" class=\"name\">%s</th><td>%s%s%s</td>",
		 member_text(node, "name"), member_text(node, "state"), *flags ? ", " : "", flags);
	html_add(html, "<td class=\"number\">");
	page_count(html, count_of(node, "procs"));
	html_add(html, "</td><td class=\"number\">");
	page_count(html, count_of(node, "allocated_procs"));
	html_add(html, "</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
		 joined(member_array(node, "partitions"), ", ", partitions, sizeof(partitions)),
		 joined(member_array(node, "features"), ", ", features, sizeof(features)),
		 member_text(node, "reason"));
}

void page_nodes(struct html *html, const struct page *page)
{
	struct json_object *nodes = member_array(page->queue, "nodes");
	size_t count = 0;

	page_table(html, "Nodes that were found");
	html_add(html, "<caption>Nodes that were found</caption><thead><tr>"
		       "<th scope=\"col\">Node</th><th scope=\"col\">State</th>"
		       "<th scope=\"col\" class=\"number\">Processors</th>"
		       "<th scope=\"col\" class=\"number\">In use</th>"
		       "<th scope=\"col\">Partitions</th><th scope=\"col\">Features</th>"
		       "<th scope=\"col\">Reason</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		if (is_found(page, node) && count++ < ROWS)
			write_node(html, node);
	}
	if (count > ROWS || !count)
		page_rest(html, 7, count > ROWS ? count - ROWS : 0, count ? "more" : "nodes");
	page_table_end(html);
}
