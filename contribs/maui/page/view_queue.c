/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All jobs, for administrators: sums by user and by reason, and a row for each job. */
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/intern.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page.h"
#include "contribs/maui/queue/machine_use.h"

#define ROWS 200 /* of jobs, in each table */
#define SUMS 20  /* of users and of reasons */

/* What jobs with something in common come to. */
struct sum {
	const char *name;
	size_t running, waiting;
	int64_t held, wanted; /* processors */
};

struct sums {
	struct maui_intern *names;
	struct sum *sums; /* by the number of the name, less 1 */
	size_t count, room;
};

static struct sum *sum_of(struct sums *sums, const char *name)
{
	size_t number = maui_intern_add(sums->names, name);

	if (number > sums->count) {
		sums->sums = maui_grow(sums->sums, number, &sums->room, sizeof(*sums->sums));
		sums->sums[number - 1] =
			(struct sum){.name = maui_intern_name(sums->names, number)};
		sums->count = number;
	}
	return &sums->sums[number - 1];
}

static void sums_clear(struct sums *sums)
{
	free(sums->sums);
	maui_intern_free(sums->names);
}

/* Who has most, or waits for most, first; then by name. */
static int compare_sums(const void *one, const void *other)
{
	const struct sum *a = one, *b = other;

	if (a->held != b->held)
		return a->held > b->held ? -1 : 1;
	if (a->waiting != b->waiting)
		return a->waiting > b->waiting ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void sort_sums(struct sums *sums)
{
	if (sums->count)
		qsort(sums->sums, sums->count, sizeof(*sums->sums), compare_sums);
}

static void write_count(struct html *html, int64_t count)
{
	html_add(html, "<td class=\"number\">");
	page_count(html, count);
	html_add(html, "</td>");
}

/* ---- by user, by reason --------------------------------------------------------------------- */

static void write_users(struct html *html, const struct page *page, struct json_object *active)
{
	struct sums sums = {.names = maui_intern_new()};

	for (size_t i = 0; i < page->sorted.waiting_count; i++) {
		struct sum *sum = sum_of(&sums, page->sorted.waiting[i].user);

		sum->waiting++;
		sum->wanted += count_of(page->sorted.waiting[i].job, "procs");
	}
	for (size_t i = 0; i < array_size(active); i++) {
		struct json_object *job = json_object_array_get_idx(active, i);
		struct sum *sum = sum_of(&sums, member_text(job, "user"));

		sum->running++;
		sum->held += count_of(job, "procs");
	}
	sort_sums(&sums);
	page_table(html, "Jobs by user");
	html_add(html, "<caption>Jobs by user</caption><thead><tr><th scope=\"col\">User</th>"
		       "<th scope=\"col\" class=\"number\">Running</th>"
		       "<th scope=\"col\" class=\"number\">Processors in use</th>"
		       "<th scope=\"col\" class=\"number\">Waiting</th>"
		       "<th scope=\"col\" class=\"number\">Processors asked for</th></tr></thead>"
		       "<tbody>\n");
	for (size_t i = 0; i < sums.count && i < SUMS; i++) {
		const struct sum *sum = &sums.sums[i];

		html_add(html, "<tr><th scope=\"row\">%s</th>", sum->name);
		write_count(html, (int64_t)sum->running);
		write_count(html, sum->held);
		write_count(html, (int64_t)sum->waiting);
		write_count(html, sum->wanted);
		html_add(html, "</tr>\n");
	}
	if (sums.count > SUMS)
		page_rest(html, 5, sums.count - SUMS, "more users");
	page_table_end(html);
	sums_clear(&sums);
}

static void write_reasons(struct html *html, const struct page *page)
{
	struct sums sums = {.names = maui_intern_new()};

	for (size_t i = 0; i < page->sorted.kind_count; i++)
		sum_of(&sums, page->sorted.kinds[i].reason)->waiting += page->sorted.kinds[i].count;
	sort_sums(&sums);
	page_table(html, "Waiting jobs by reason");
	html_add(html, "<caption>Waiting jobs by Slurm's reason</caption><thead><tr>"
		       "<th scope=\"col\">Reason</th>"
		       "<th scope=\"col\" class=\"number\">Waiting</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < sums.count && i < SUMS; i++) {
		html_add(html, "<tr><th scope=\"row\">%s</th>", sums.sums[i].name);
		write_count(html, (int64_t)sums.sums[i].waiting);
		html_add(html, "</tr>\n");
	}
	if (sums.count > SUMS)
		page_rest(html, 2, sums.count - SUMS, "more reasons");
	page_table_end(html);
	sums_clear(&sums);
}

/* ---- jobs ----------------------------------------------------------------------------------- */

static void begin_jobs(struct html *html, const char *caption, const char *last)
{
	page_table(html, caption);
	html_add(html,
		 "<caption>%s</caption><thead><tr><th scope=\"col\">Job</th><th scope=\"col\">User"
		 "</th><th scope=\"col\">Account</th><th scope=\"col\">QOS</th>"
		 "<th scope=\"col\">Partition</th><th scope=\"col\" class=\"number\">Processors"
		 "</th><th scope=\"col\" class=\"number\">Priority</th><th scope=\"col\">Began, or "
		 "may start</th><th scope=\"col\">%s</th></tr></thead><tbody>\n",
		 caption, last);
}

static void write_job(struct html *html, struct json_object *job, const char *last)
{
	html_add(html,
		 "<tr><th scope=\"row\"><b>%s</b> %s</th><td>%s</td><td>%s</td><td>%s</td>"
		 "<td>%s</td>",
		 member_text(job, "id"), member_text(job, "name"), member_text(job, "user"),
		 member_text(job, "account"), member_text(job, "qos"),
		 member_text(job, "partition"));
	write_count(html, count_of(job, "procs"));
	write_count(html, member_integer(job, "priority"));
	html_add(html, "<td class=\"when\">");
	page_time(html, member_integer(job, "start"));
	html_add(html, "</td><td>%s</td></tr>\n", last);
}

static const char *why_of(struct json_object *job)
{
	const char *description = member_text(job, "description");

	return *description ? description : member_text(job, "reason");
}

static void end_jobs(struct html *html, const struct page *page, size_t found)
{
	if (!found)
		html_add(html, "<tr class=\"rest\"><th scope=\"row\" colspan=\"9\">%s</th></tr>\n",
			 *page_search(page) ? "none is found" : "none");
	if (found > ROWS)
		page_rest(html, 9, found - ROWS,
			  page->live ? "more: a search finds them"
				     : "more: maui showq has them all");
	page_table_end(html);
}

static void write_waiting(struct html *html, const struct page *page)
{
	size_t found = 0;

	begin_jobs(html, "All waiting jobs, the highest priority first", "Why it waits");
	for (size_t i = 0; i < page->sorted.waiting_count; i++) {
		struct json_object *job = page->sorted.waiting[i].job;

		if (page_finds_job(page, job) && found++ < ROWS)
			write_job(html, job, why_of(job));
	}
	end_jobs(html, page, found);
}

static void write_active(struct html *html, const struct page *page, struct json_object *active)
{
	size_t found = 0;

	begin_jobs(html, "All jobs that hold nodes", "Nodes");
	for (size_t i = 0; i < array_size(active); i++) {
		struct json_object *job = json_object_array_get_idx(active, i);

		if (page_finds_job(page, job) && found++ < ROWS)
			write_job(html, job, member_text(job, "node_list"));
	}
	end_jobs(html, page, found);
}

void page_queue(struct html *html, const struct page *page)
{
	struct json_object *active = member_array(page->sorted.active, "jobs");

	if (!page->queue) {
		html_add(html, "<p class=\"missing\">Not shown: %s.</p>\n", page->queue_problem);
		return;
	}
	write_users(html, page, active);
	write_reasons(html, page);
	write_waiting(html, page);
	write_active(html, page, active);
}
