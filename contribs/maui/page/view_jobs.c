/* SPDX-License-Identifier: GPL-2.0-or-later */
/* My jobs: what each one's priority is made of, its rank, why it waits, and when it may start. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page.h"

static const char *const components[] = {"CRED", "FS", "SERV", "TARG", "RES", "USAGE"};
#define COMPONENTS (sizeof(components) / sizeof(components[0]))

/* The jobs to show. */
struct shown {
	const struct page_job *jobs;
	size_t count, all;
};

static struct shown shown_of(const struct page *page)
{
	if (*page_search(page))
		return (struct shown){page->found, page->found_count, page->matching};
	return (struct shown){page->jobs, page->job_count, page->waiting};
}

/* What all bars have to hold, on both sides of zero. */
struct span {
	double below, above;
};

static double amount_of(const struct page_job *job, size_t component)
{
	struct json_object *part =
		member_object(member_object(job->terms, "components"), components[component]);

	return member_number(part, "weight") * member_number(part, "value");
}

static struct span span_of(const struct shown *shown)
{
	struct span span = {0, 0};

	for (size_t i = 0; i < shown->count; i++) {
		double below = 0, above = 0;

		for (size_t k = 0; k < COMPONENTS; k++) {
			double amount = amount_of(&shown->jobs[i], k);

			below += amount < 0 ? -amount : 0;
			above += amount > 0 ? amount : 0;
		}
		span.below = fmax(span.below, below);
		span.above = fmax(span.above, above);
	}
	return span;
}

/* ---- the bar -------------------------------------------------------------------------------- */

static void write_bar(struct html *html, const struct page_job *job, const struct span *span)
{
	double whole = span->below + span->above, zero = page_part(span->below, whole);
	double left = zero, right = zero;

	html_add(html, "<svg class=\"bar\" aria-hidden=\"true\">");
	for (size_t i = 0; i < COMPONENTS; i++) {
		double amount = amount_of(job, i), width = page_part(fabs(amount), whole);

		if (width < 0.01)
			continue;
		left -= amount < 0 ? width : 0;
		html_add(
			html,
			"<rect class=\"c%d\" x=\"%.2f%%\" y=\"3\" width=\"%.2f%%\" height=\"12\"/>",
			(int)i, amount < 0 ? left : right, width);
		right += amount < 0 ? 0 : width;
	}
	html_add(html,
		 "<svg x=\"%.2f%%\" class=\"mark\" overflow=\"visible\"><path d=\"M0 "
		 "0V18\"/></svg></svg>",
		 zero);
}

static void write_key(struct html *html)
{
	static const char *const words[] = {"CRED: who, and which QOS, partition",
					    "FS: fairshare",
					    "SERV: how long it has waited",
					    "TARG: how near its target",
					    "RES: what it asks for",
					    "USAGE"};

	html_add(html, "<ul class=\"key\">");
	for (size_t i = 0; i + 1 < COMPONENTS; i++)
		html_add(html,
			 "<li><svg class=\"swatch\" aria-hidden=\"true\"><rect class=\"c%d\" "
			 "y=\"2\" width=\"14\" height=\"14\"/></svg>%s</li>",
			 (int)i, words[i]);
	html_add(html, "</ul>\n");
}

/* ---- why ------------------------------------------------------------------------------------ */

/* The first finding of a part; "" if there is none. */
static const char *view_jobs_finding(const struct page_job *job, const char *part)
{
	struct json_object *findings = member_array(job->why, "findings");

	for (size_t i = 0; i < array_size(findings); i++) {
		struct json_object *one = json_object_array_get_idx(findings, i);

		if (!strcmp(member_text(one, "part"), part))
			return member_text(one, "text");
	}
	return "";
}

static void write_why(struct html *html, const struct page_job *job)
{
	const char *cause = view_jobs_finding(job, "cause");

	if (!*cause)
		cause = member_text(job->record, "description");
	html_add(html, "%s", *cause ? cause : member_text(job->record, "reason"));
	if (*view_jobs_finding(job, "frees"))
		html_add(html, "<br/><span class=\"none\">What would free it: %s</span>",
			 view_jobs_finding(job, "frees"));
}

static void write_start(struct html *html, const struct page_job *job)
{
	if (member_integer(job->record, "start") > 0)
		page_time(html, member_integer(job->record, "start"));
	else
		html_add(html, "<span class=\"none\">%s</span>",
			 *view_jobs_finding(job, "when") ? view_jobs_finding(job, "when")
							 : "not known");
}

/* ---- tables --------------------------------------------------------------------------------- */

static void write_job(struct html *html, const struct page *page, const struct page_job *job,
		      const struct span *span)
{
	html_add(html, "<tr><th scope=\"row\"><b>%s</b><br/>%s%s%s</th><td class=\"wide\">",
		 member_text(job->record, "id"),
		 page->anybody ? member_text(job->record, "user") : "", page->anybody ? ": " : "",
		 member_text(job->record, "name"));
	if (job->terms)
		write_bar(html, job, span);
	else
		html_add(html, "<span class=\"none\">not known</span>");
	html_add(html, "</td><td class=\"number\">");
	page_count(html, member_integer(job->record, "priority"));
	html_add(html, "</td><td class=\"number\">");
	if (job->rank)
		page_count(html, (int64_t)job->rank);
	else
		html_add(html, "<span class=\"none\">held</span>");
	html_add(html, "</td><td>%s</td><td class=\"reason\">",
		 member_text(job->record, "partition"));
	write_why(html, job);
	html_add(html, "</td><td class=\"when\">");
	write_start(html, job);
	html_add(html, "</td></tr>\n");
}

static void write_jobs(struct html *html, const struct page *page, const struct shown *shown)
{
	struct span span = span_of(shown);

	page_table(html, "Jobs by priority");
	html_add(html,
		 "<caption>Waiting jobs, the highest priority first</caption><thead><tr>"
		 "<th scope=\"col\">Job</th><th scope=\"col\" class=\"wide\">Priority by its "
		 "components</th><th scope=\"col\" class=\"number\">Priority</th>"
		 "<th scope=\"col\" class=\"number\">Rank</th><th scope=\"col\">Partition</th>"
		 "<th scope=\"col\">Why it waits</th><th scope=\"col\">May start</th></tr></thead>"
		 "<tbody>\n");
	for (size_t i = 0; i < shown->count; i++)
		write_job(html, page, &shown->jobs[i], &span);
	if (shown->all > shown->count)
		page_rest(html, 7, shown->all - shown->count, "more, of lower priority");
	page_table_end(html);
}

static void write_terms(struct html *html, const struct shown *shown)
{
	html_add(html, "<details><summary>The components in numbers</summary>\n");
	page_table(html, "Components");
	html_add(html, "<caption>Components of the priorities</caption><thead><tr>"
		       "<th scope=\"col\">Job</th>");
	for (size_t i = 0; i < COMPONENTS; i++)
		html_add(html, "<th scope=\"col\" class=\"number\">%s</th>", components[i]);
	html_add(html, "<th scope=\"col\" class=\"number\">Sum</th>"
		       "<th scope=\"col\" class=\"number\">squeue</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < shown->count; i++) {
		const struct page_job *job = &shown->jobs[i];

		if (!job->terms)
			continue;
		html_add(html, "<tr><th scope=\"row\">%s</th>", member_text(job->record, "id"));
		for (size_t k = 0; k < COMPONENTS; k++)
			html_add(html, "<td class=\"number\"><data value=\"%.4f\">%.1f</data></td>",
				 amount_of(job, k), amount_of(job, k));
		html_add(html, "<td class=\"number\"><data value=\"%.4f\">%.1f</data></td>",
			 member_number(job->terms, "sum"), member_number(job->terms, "sum"));
		html_add(html, "<td class=\"number\">");
		page_count(html, member_integer(job->terms, "priority"));
		html_add(html, "</td></tr>\n");
	}
	page_table_end(html);
	html_add(html, "</details>\n");
}

void page_jobs(struct html *html, const struct page *page)
{
	const struct shown shown = shown_of(page);

	if (!page->queue) {
		html_add(html, "<p class=\"missing\">Not shown: %s.</p>\n", page->queue_problem);
		return;
	}
	html_add(html, "<p>%zu waiting, %zu running.</p>\n", page->waiting, page->running);
	if (!page->anybody && !page->waiting && !page->running)
		html_add(html,
			 "<p class=\"none\">All users' jobs: <code>maui %s "
			 "--all</code>.</p>\n",
			 page->live ? "serve" : "page");
	if (!shown.count) {
		if (*page_search(page))
			html_add(html, "<p class=\"missing\">No waiting job is found.</p>\n");
		return;
	}
	if (!page_data(page, PAGE_PRIORITY))
		page_missing(html, &page->answers[PAGE_PRIORITY]);
	write_key(html);
	write_jobs(html, page, &shown);
	write_terms(html, &shown);
}
