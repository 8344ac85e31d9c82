/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as one page of HTML that needs nothing else: no network, no script. */
#include <inttypes.h>
#include <stdio.h>

#include "contribs/maui/lib/file_replace.h"
#include "contribs/maui/replay/html/html_parts.h"
#include "contribs/maui/replay/report/replay_figures.h"
#include "contribs/maui/replay/report/replay_jitter.h"

/* ---- the figures ---- */

static void write_nearness(struct html *html, const struct replay_page *page)
{
	const struct replay_side *side = &page->report->side[0];
	const struct maui_replay_nearness *near = &side->near;

	if (!side->policy || !near->jobs)
		return;
	html_add(html, "<p class=\"words\">Against the record: under %s the mean wait is ",
		 replay_side_name(page->report, 0));
	page_span(html, (int64_t)(near->replayed + 0.5));
	html_add(html, ", recorded were ");
	page_span(html, (int64_t)(near->recorded + 0.5));
	html_add(html,
		 "; %.1f %% of the jobs begin within a minute of their recorded start, %.1f %% "
		 "within an "
		 "hour. What is said of other files is worth no more than that.</p>\n",
		 page_part((double)near->minute, (double)near->jobs),
		 page_part((double)near->hour, (double)near->jobs));
}

/* Before any figure: one that lets fewer jobs begin is not the better one. */
static void write_never(struct html *html, const struct replay_report *report)
{
	if (!report->compared)
		return;
	html_add(html, "<ul>\n");
	for (size_t i = 0; i < report->count; i++)
		if (report->side[i].measures.never)
			html_add(html, "<li><strong>%zu jobs never begin under %s.</strong></li>\n",
				 report->side[i].measures.never, replay_side_name(report, i));
	html_add(html,
		 "</ul>\n<p>Waits, slowdowns and flow are of the %zu jobs that begin under "
		 "%s.</p>\n",
		 report->side[0].measures.jobs, report->count > 1 ? "all" : "it");
}

static void write_same(struct html *html, const struct replay_report *report)
{
	for (size_t i = 1; i < report->count; i++)
		if (report->side[i].same_as)
			html_add(html, "<p><strong>%s says the same as %s.</strong></p>\n",
				 report->side[i].name, report->side[i].same_as);
}

static void write_value(struct html *html, const struct replay_figure *figure,
			const struct maui_replay_measures *measures)
{
	double value = figure->value(measures);
	char text[REPLAY_FIGURE_SIZE];

	html_add(html, "<td class=\"number\"><data value=\"%.4f\">%s</data></td>", value,
		 replay_figure_text(figure, value, text));
}

static void write_figures(struct html *html, const struct replay_page *page)
{
	const struct replay_report *report = page->report;

	write_nearness(html, page);
	write_same(html, report);
	write_never(html, report);
	page_table(html, "Figures of all schedules");
	html_add(html, "<caption>Figures</caption>\n<thead><tr><th scope=\"col\">Figure</th>");
	if (report->recorded.jobs)
		html_add(html, "<th class=\"number\" scope=\"col\">recorded</th>");
	for (size_t i = 0; i < report->count; i++)
		html_add(html, "<th class=\"number\" scope=\"col\">%s</th>",
			 replay_side_name(report, i));
	html_add(html, "</tr></thead><tbody>\n");
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++) {
		html_add(html, "<tr><th class=\"whole\" scope=\"row\">%s</th>", figure->label);
		if (report->recorded.jobs && figure->replayed)
			replay_html_nothing(html, 1);
		else if (report->recorded.jobs)
			write_value(html, figure, &report->recorded);
		for (size_t i = 0; i < report->count; i++)
			write_value(html, figure, &report->side[i].measures);
		html_add(html, "</tr>\n");
	}
	page_table_end(html);
}

static void write_jitter(struct html *html, const struct replay_page *page)
{
	jitter_html(html, page->report);
}

static bool has_several(const struct replay_page *page)
{
	return page->report->count > 1;
}

static bool has_nodes(const struct replay_page *page)
{
	return page->report->machine.nodes;
}

static bool has_jitter(const struct replay_page *page)
{
	return page->report->jitter->runs > 0;
}

/* ---- what it is worth ---- */

static void write_bounds(struct html *html, const struct replay_page *page)
{
	const struct maui_replay_trace *trace = page->report->trace;

	html_add(html, "<ul>\n");
	for (const char *const *what = replay_not_modelled(page->report); *what; what++)
		html_add(html, "<li>%s</li>\n", *what);
	html_add(html, "</ul>\n<p>Of the trace:</p>\n<ul>\n");
	for (int lack = 0; lack < MAUI_REPLAY_LACKS; lack++)
		if (trace->lacking[lack])
			html_add(html, "<li>%zu jobs %s</li>\n", trace->lacking[lack],
				 maui_replay_lack_text((enum maui_replay_lack)lack));
	html_add(html, "<li>%zu lines that cannot be read, left out</li>\n</ul>\n",
		 trace->bad_lines);
}

/* ---- the page ---- */

static const struct {
	const char *id, *title;
	void (*write)(struct html *html, const struct replay_page *page);
	bool (*is_shown)(const struct replay_page *page); /* NULL: always */
} views[] = {
	{"figures", "Figures", write_figures, NULL},
	{"jitter", "How sure the figures are", write_jitter, has_jitter},
	{"changes", "Who gains and loses", replay_html_changes, has_several},
	{"time", "Use and queue over time", replay_html_time, NULL},
	{"waits", "Waits and slowdowns", replay_html_groups, NULL},
	{"shares", "Shares and targets", replay_html_shares, NULL},
	{"held", "Held back by limits", replay_html_held, NULL},
	{"reserved", "Use of reservations", replay_html_reserved, has_nodes},
	{"backfilled", "Before others", replay_html_backfill, NULL},
	{"bounds", "What is not included", write_bounds, NULL},
};
#define VIEWS (sizeof(views) / sizeof(views[0]))

static bool is_shown(const struct replay_page *page, size_t view)
{
	return !views[view].is_shown || views[view].is_shown(page);
}

static void write_header(struct html *html, const struct replay_page *page)
{
	const struct maui_replay_nodes *nodes = page->report->machine.nodes;

	html_begin(html, "Replay", 0);
	html_style(html);
	html_add(html,
		 "</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the content</a>\n<header>\n"
		 "<h1>Replay of %s</h1>\n<p>%zu jobs on ",
		 page->report->path, page->report->trace->count);
	if (nodes)
		html_add(html, "%zu nodes with ", (size_t)nodes->count);
	html_add(html, "%zu processors, from ", (size_t)page->report->trace->procs);
	replay_html_when(html, page, page->facts->begin);
	html_add(html, "%s.</p>\n<nav aria-label=\"Views\"><ul>\n",
		 page->report->perfect ? "; time limits as good as the run times" : "");
	for (size_t i = 0; i < VIEWS; i++)
		if (is_shown(page, i))
			html_add(html, "<li><a href=\"#%s\">%s</a></li>\n", views[i].id,
				 views[i].title);
	html_add(html, "</ul></nav>\n</header>\n<main id=\"main\">\n");
}

static void print_html(FILE *file, const void *document)
{
	const struct html *html = document;

	fwrite(html->text, 1, html->size, file);
}

int replay_write_html(const struct replay_report *report, const struct replay_facts *facts)
{
	const struct replay_page page = {report, facts};
	struct html html = {0};
	int code;

	write_header(&html, &page);
	for (size_t i = 0; i < VIEWS; i++) {
		if (!is_shown(&page, i))
			continue;
		html_add(&html,
			 "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 "
			 "id=\"%s-title\">%s</h2>\n",
			 views[i].id, views[i].id, views[i].id, views[i].title);
		views[i].write(&html, &page);
		html_add(&html, "</section>\n");
	}
	html_add(&html, "</main>\n<footer><p>Made by <code>maui replay</code> of "
			"Slurm-Maui.</p></footer>\n</body>\n</html>\n");
	code = file_replace(report->html, print_html, &html);
	html_clear(&html);
	return code;
}
