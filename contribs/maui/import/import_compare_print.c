/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a comparison: figures, and the jobs that move most, with the reason. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "contribs/maui/import/import_compare.h"
#include "contribs/maui/lib/alike_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/lib/text.h"

#define MOST_SHOWN 10

/* A part's short name, and what gives its points in Slurm and in a maui.cfg. */
static const struct {
	const char *name, *slurm, *maui;
} compare_sources[MAUI_COMPARE_PARTS] = {
	[MAUI_COMPARE_AGE] = {"Age", "PriorityWeightAge gives", "SERVWEIGHT gives"},
	[MAUI_COMPARE_ASSOC] = {"Association", "PriorityWeightAssoc gives",
				"USERWEIGHT and ACCOUNTWEIGHT give"},
	[MAUI_COMPARE_FAIRSHARE] = {"Fairshare", "PriorityWeightFairshare gives", "FSWEIGHT gives"},
	[MAUI_COMPARE_SIZE] = {"Size and TRES", "PriorityWeightJobSize and PriorityWeightTRES give",
			       "RESWEIGHT and GROUPWEIGHT give"},
	[MAUI_COMPARE_PARTITION] = {"Partition", "PriorityWeightPartition gives",
				    "CLASSWEIGHT gives"},
	[MAUI_COMPARE_QOS] = {"QOS", "PriorityWeightQOS gives", "QOSWEIGHT gives"},
	[MAUI_COMPARE_TARGET] = {"Targets", "", "TARGWEIGHT gives"},
};

static void compare_print_part(const struct maui_comparison *comparison,
			       enum maui_compare_part part, double slurm, double maui)
{
	char some[GROUPED_SIZE], other[GROUPED_SIZE];

	grouped(llround(slurm), some);
	grouped(llround(maui), other);
	printf("%s %s points", compare_sources[part].name,
	       comparison->slurm_any[part] ? some : "no");
	if (comparison->maui_any[part])
		printf(", the file %s", other);
	else
		printf(", the file none");
}

static void compare_print_reason(const struct import_queue *queue,
				 const struct maui_comparison *comparison,
				 const struct maui_compared *job)
{
	const struct maui_compare_job *rows = queue->rows;
	enum maui_compare_part part = maui_compare_reason(comparison, rows, job);
	const struct maui_compare_job *slurm = &rows[job->slurm_row], *maui = &rows[job->maui_row];

	if (slurm->by_hand)
		printf("priority set by hand");
	else if (!slurm->parts_known)
		printf("%s", queue->points ? "sprio does not show it" : "-");
	else if (part != MAUI_COMPARE_PARTS)
		compare_print_part(comparison, part, slurm->slurm_part[part],
				   maui->maui_part[part]);
	else if (maui->maui == 1)
		printf("the file's least priority, 1");
	else
		printf("less than a point");
}

static void compare_print_jobs(const struct import_queue *queue,
			       const struct maui_comparison *comparison)
{
	size_t shown = comparison->moved < MOST_SHOWN ? comparison->moved : MOST_SHOWN;
	char name[64];

	if (!shown) {
		printf("\nNo job has another place\n");
		return;
	}
	printf("\n%sJobs that move most%s (%zu have another place)\n", mark(MARK_TITLE),
	       mark(MARK_END), comparison->moved);
	printf("%-10s %-10s %6s    %-6s %s\n", "Job", "User", "Place", "Then", "Why");
	for (size_t i = 0; i < shown; i++) {
		const struct maui_compared *job = &comparison->jobs[i];
		const struct maui_compare_job *row = &queue->rows[job->slurm_row];

		printf("%-10" PRId64 " %-10s %6zu -> %-6zu ", row->number,
		       clean_copy(row->names[MAUI_USER], name, sizeof(name)), job->slurm_place,
		       job->maui_place);
		compare_print_reason(queue, comparison, job);
		putchar('\n');
	}
	if (!queue->points)
		printf("\nThe points behind Slurm's priorities are not known: sprio has none of a "
		       "saved\n"
		       "queue, and none with priority/basic\n");
}

/* Parts that give the mean job other points. */
static void compare_print_means(const struct maui_comparison *comparison)
{
	char some[GROUPED_SIZE], other[GROUPED_SIZE];

	for (int part = 0; part < MAUI_COMPARE_PARTS; part++) {
		double slurm = comparison->slurm_mean[part], maui = comparison->maui_mean[part];

		grouped(llround(slurm), some);
		grouped(llround(maui), other);
		if (!comparison->slurm_any[part] && comparison->maui_any[part])
			printf("The file's %s the mean job %s points, and Slurm none\n",
			       compare_sources[part].maui, other);
		else if (comparison->slurm_any[part] && !comparison->maui_any[part])
			printf("%s the mean job %s points,\nand the file has no counterpart\n",
			       compare_sources[part].slurm, some);
		else if (fabs(slurm - maui) >= 1)
			printf("%s the mean job %s points,\nand the file's %s %s\n",
			       compare_sources[part].slurm, some, compare_sources[part].maui,
			       other);
	}
}

static void compare_print_tree(const struct import_queue *queue,
			       const struct maui_comparison *comparison)
{
	const char *why = import_compare_tree(queue, comparison);

	if (why)
		printf("The file's FSTREEWEIGHT gives no job points here:\n%s\n", why);
}

void import_compare_print(const struct import_queue *queue,
			  const struct maui_comparison *comparison, const char *file)
{
	char date[TEXT_DATE_SIZE];

	printf("The queue of %s: Slurm's priorities beside those of\n",
	       text_date(queue->now, "?", date));
	if (file)
		print_clean(file);
	else
		printf("the file that the import writes");
	printf("\n\n%zu waiting job%s compared", comparison->count,
	       comparison->count == 1 ? "" : "s");
	if (queue->held)
		printf(" (held, and left out: %zu)", queue->held);
	putchar('\n');
	print_alike(&comparison->kendall, "Slurm", "the file");
	compare_print_means(comparison);
	compare_print_tree(queue, comparison);
	compare_print_jobs(queue, comparison);
}
