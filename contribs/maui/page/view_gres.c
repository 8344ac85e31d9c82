/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What nodes have of GPUs and every other GRES, and how much of it jobs hold: a part of machine. */
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page.h"
#include "contribs/maui/queue/gres_list.h"

/* Of each GRES, by name. */
struct sums {
	struct json_object *amounts, *nodes;
};

static struct sums make_sums(void)
{
	return (struct sums){json_make_object(), json_make_object()};
}

static void clear_sums(struct sums *sums)
{
	json_object_put(sums->amounts);
	json_object_put(sums->nodes);
}

static void add_to(struct json_object *numbers, const char *name, int64_t amount)
{
	uint64_t sum = (uint64_t)member_integer(numbers, name) + (uint64_t)amount;

	json_set_number(numbers, name, maui_gres_within(sum));
}

static void add_list(struct sums *sums, const char *list)
{
	struct gres_item item;

	while (gres_next(&list, &item)) {
		const char *name = *item.typed ? item.typed : item.name;

		add_to(sums->amounts, name, item.count);
		add_to(sums->nodes, name, 1);
	}
}

static struct sums sum_up(struct json_object *records)
{
	struct sums sums = make_sums();

	for (size_t i = 0; i < array_size(records); i++)
		add_list(&sums, member_text(json_object_array_get_idx(records, i), "gres"));
	return sums;
}

static void write_row(struct html *html, const char *name, int64_t amount, int64_t used,
		      int64_t nodes)
{
	html_add(html,
		 "<tr><th scope=\"row\">%s</th><td class=\"wide\"><svg class=\"bar\" "
		 "aria-hidden=\"true\"><rect class=\"track\" y=\"3\" width=\"100%%\" "
		 "height=\"12\"/><rect class=\"use\" y=\"3\" width=\"%.2f%%\" height=\"12\"/>"
		 "</svg></td><td class=\"number\">",
		 name, page_part((double)used, (double)amount));
	page_count(html, amount);
	html_add(html, "</td><td class=\"number\">");
	page_count(html, used);
	html_add(html, "</td><td class=\"number\">");
	page_count(html, nodes);
	html_add(html, "</td></tr>\n");
}

void page_gres(struct html *html, const struct page *page)
{
	struct sums all = sum_up(member_array(page->queue, "nodes"));
	struct sums used = sum_up(member_array(page->sorted.active, "jobs"));

	if (json_object_object_length(all.amounts)) {
		html_add(html, "<h3>GPUs and other GRES</h3>\n");
		page_table(html, "GRES");
		html_add(html,
			 "<caption>GRES</caption><thead><tr><th scope=\"col\">Name</th>"
			 "<th scope=\"col\" class=\"wide\"><span class=\"axis\"><span>0</span>"
			 "<span>all</span></span></th><th scope=\"col\" class=\"number\">Units</th>"
			 "<th scope=\"col\" class=\"number\">Held by jobs that you see</th>"
			 "<th scope=\"col\" class=\"number\">Nodes</th></tr></thead><tbody>\n");
		json_object_object_foreach(all.amounts, name, amount) write_row(
			html, name, json_object_get_int64(amount),
			member_integer(used.amounts, name), member_integer(all.nodes, name));
		page_table_end(html);
	}
	clear_sums(&all);
	clear_sums(&used);
}
