/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document around the views. What it says of views, page_manual.html. */
#include <inttypes.h>
#include <string.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page.h"
#include "page_files.h"

const struct page_view page_views[] = {
	{"jobs", "My jobs", "maui why, maui diagnose -p", page_jobs},
	{"queue", "All jobs", "maui showq, maui queue", page_queue},
	{"shares", "Shares", "maui diagnose -f", page_shares},
	{"limits", "Limits", "maui diagnose -u, -g, -a, -c, -Q", page_limits},
	{"reservations", "Reservations", "maui diagnose -r", page_reservations},
	{"machine", "Machine", "maui queue, maui showbf", page_machine},
	{"whatif", "What if", "maui whatif, maui replay", page_whatif},
	{NULL, NULL, NULL, NULL},
};

#define SLOWLY 30 /* seconds after which a browser without script loads a page again, at least */

const struct html_file *page_file(const char *name)
{
	static const struct html_file script = {"page.js", "text/javascript; charset=utf-8",
						page_js, sizeof(page_js)};
	const struct html_file *const files[] = {&html_looks, &script};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!strcmp(files[i]->name, name))
			return files[i];
	return NULL;
}

/* In one file, or beside it. */
static void write_looks(struct html *html, const struct page_live *live)
{
	if (!live) {
		html_style(html);
		return;
	}
	html_add(html,
		 "<link rel=\"stylesheet\" href=\"page.css\"/>\n"
		 "<script src=\"page.js\" defer=\"defer\"></script>\n<noscript><meta "
		 "http-equiv=\"refresh\" content=\"%d\"/></noscript>\n",
		 live->every > SLOWLY ? live->every : SLOWLY);
}

static void write_head(struct html *html, const struct page_live *live, const char *cluster)
{
	html_begin(html, *cluster ? cluster : "Slurm", live ? live->every : 0);
	write_looks(html, live);
	html_add(html, "</head>\n");
}

/* What every reader has to know first. */
static void write_notices(struct html *html, const struct page *page)
{
	struct json_object *status = page_data(page, PAGE_STATUS);
	struct json_object *policy = member_object(status, "policy");

	if (!page->queue)
		html_add(html, "<p class=\"notice\">Slurm could not be asked: %s.</p>\n",
			 page->queue_problem);
	if (!status)
		html_add(html, "<p class=\"notice\">The engine could not be asked: %s.</p>\n",
			 page->answers[PAGE_STATUS].problem);
	if (!strcmp(member_text(status, "mode"), "shadow"))
		html_add(html,
			 "<p class=\"notice\">Shadow mode: this is what would be. Slurm works "
			 "as it does without the engine.</p>\n");
	if (member_object(policy, "refused"))
		html_add(html,
			 "<p class=\"notice\">A newer maui.cfg was refused: the policy shown is "
			 "not that of the file.</p>\n");
	else if (member_object(policy, "left_out"))
		html_add(html,
			 "<p class=\"notice\">The maui.cfg in force has errors, and the lines "
			 "concerned are left out.</p>\n");
	if (status && !member_flag(status, "select"))
		html_add(html, "<p class=\"notice\">slurmctld has not loaded the select plugin of "
			       "Slurm-Maui: limits and caps hold no job back.</p>\n");
}

static bool is_shown(const struct page_view *view, const struct page *page)
{
	if (!strcmp(view->id, "queue"))
		return page->all;
	return page->what_if || page->replay || strcmp(view->id, "whatif") != 0;
}

static const char *title_of(const struct page_view *view, const struct page *page)
{
	return page->anybody && !strcmp(view->id, "jobs") ? "Waiting jobs" : view->title;
}

/* A form without script: it loads the page that has only these rows. */
static void write_search(struct html *html, const struct page *page)
{
	if (!page->live)
		return;
	html_add(html,
		 "<form method=\"get\" action=\"./\" role=\"search\"><label for=\"q\">Only rows "
		 "with</label> <input id=\"q\" name=\"q\" type=\"search\" maxlength=\"60\" "
		 "value=\"%s\"/> <button type=\"submit\">Find</button>",
		 page_search(page));
	if (*page_search(page))
		html_add(html, " <a href=\"./\">All rows</a>");
	html_add(html, "</form>\n");
}

static void write_header(struct html *html, const struct page *page, const char *cluster)
{
	html_add(html,
		 "<body>\n<a class=\"skip\" href=\"#main\">To the "
		 "content</a>\n<header>\n<h1>%s</h1>\n"
		 "<div id=\"state\"><p>As of ",
		 *cluster ? cluster : "This cluster");
	page_time(html, page->now);
	if (page->all)
		html_add(html, ", all users, as <strong>%s</strong> may see them", page->asker);
	else if (page->anybody)
		html_add(html, ", as anybody may see it");
	else
		html_add(html, ", for <strong>%s</strong>", page->user);
	if (page->live)
		html_add(html, ". Up to date within %d seconds.</p>\n", page->live->every);
	else
		html_add(html, ". A snapshot: it does not change by itself.</p>\n");
	write_notices(html, page);
	html_add(html, "</div>\n");
	write_search(html, page);
	html_add(html, "<nav aria-label=\"Views\"><ul>\n");
	for (const struct page_view *view = page_views; view->id; view++)
		if (is_shown(view, page))
			html_add(html, "<li><a href=\"#%s\">%s</a></li>\n", view->id,
				 title_of(view, page));
	html_add(html, "</ul></nav>\n</header>\n");
}

static void write_view(struct html *html, const struct page_view *view, const struct page *page)
{
	html_add(html,
		 "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n"
		 "<p class=\"source\">The numbers of <code>%s</code>. "
		 "<a href=\"#manual-%s\">What the manual says of %s</a></p>\n",
		 view->id, view->id, view->id, title_of(view, page), view->command, view->id,
		 title_of(view, page));
	view->write(html, page);
	html_add(html, "</section>\n");
}

void page_write(struct html *html, const struct page *page)
{
	const char *cluster = member_text(page->queue, "cluster");

	write_head(html, page->live, cluster);
	write_header(html, page, cluster);
	html_add(html, "<main id=\"main\">\n");
	for (const struct page_view *view = page_views; view->id; view++)
		if (is_shown(view, page))
			write_view(html, view, page);
	html_add(html, "</main>\n");
	html_bytes(html, page_manual_html, sizeof(page_manual_html));
	html_add(html,
		 "<footer><p>Made by <code>maui %s</code> of Slurm-Maui.</p></footer>\n"
		 "</body>\n</html>\n",
		 page->live ? "serve" : "page");
}
