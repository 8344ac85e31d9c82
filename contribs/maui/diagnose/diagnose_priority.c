/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnose -p, in the original's layout to the character: scripts read it. Its rules:
 *   - a job's number is the sum before floor, upper limit and system priority;
 *   - a component's number is its share of all components' absolute values, in percent;
 *   - in parentheses stand weighted terms, but plain absolute factors for Cred, and the share again
 *     for Targ;
 *   - numbers that do not fit into five characters are cut, not rounded.
 * Ours: jobs that do not wait with Maui's priority are listed and marked, 'd' (set by hand), 'h'
 * (held) or 'r' (rejected), where the original knew none; columns without a global weight are shown
 * if some job's own weight (of its partition, QOS or group) is not 0.
 */
#include "contribs/maui/diagnose/diagnose_priority.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"

/* What is shown in parentheses. */
enum term_style { TERM_WEIGHTED, TERM_FACTOR, TERM_SHARE };

/* A column. */
struct sub {
	const char *name, *label;
	double weight;
	bool shown;
	double total; /* of all jobs: |weighted term| */
};

/* A group of columns. */
struct group {
	const char *name, *label;
	double weight;
	enum term_style style;
	bool shown;
	double total; /* of all jobs: |weighted component| */
	struct sub *subs;
	size_t size;
};

struct table {
	struct group *groups;
	size_t size;
	struct json_object *jobs;
	double total; /* of all jobs: the sum of their absolute components */
	bool has_direct, has_held, has_rejected;
	int64_t *ids; /* of all rows, sorted: a job has a row for each of its partitions */
};

static enum term_style style_of(const char *component)
{
	if (!strcmp(component, "CRED"))
		return TERM_FACTOR;
	return strcmp(component, "TARG") ? TERM_WEIGHTED : TERM_SHARE;
}

static void read_group(struct json_object *component, struct group *group)
{
	struct json_object *array = member_array(component, "subcomponents");

	group->name = member_text(component, "name");
	group->label = member_text(component, "label");
	group->weight = member_number(component, "weight");
	group->style = style_of(group->name);
	group->size = array_size(array);
	group->subs = maui_calloc(group->size + 1, sizeof(*group->subs));
	for (size_t i = 0; i < group->size; i++) {
		struct json_object *sub = json_object_array_get_idx(array, i);

		group->subs[i].name = member_text(sub, "name");
		group->subs[i].label = member_text(sub, "label");
		group->subs[i].weight = member_number(sub, "weight");
		group->subs[i].shown = group->weight != 0 && (group->subs[i].weight != 0 ||
							      member_flag(sub, "qos_weight"));
	}
}

static void read_groups(struct json_object *data, struct table *table)
{
	struct json_object *array = member_array(data, "components");

	table->size = array_size(array);
	table->groups = maui_calloc(table->size + 1, sizeof(*table->groups));
	for (size_t i = 0; i < table->size; i++)
		read_group(json_object_array_get_idx(array, i), &table->groups[i]);
}

static void free_table(struct table *table)
{
	for (size_t i = 0; table->groups && i < table->size; i++)
		free(table->groups[i].subs);
	free(table->groups);
	free(table->ids);
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void collect_ids(struct table *table)
{
	size_t count = array_size(table->jobs);

	table->ids = maui_calloc(count + 1, sizeof(*table->ids));
	for (size_t i = 0; i < count; i++)
		table->ids[i] = member_integer(json_object_array_get_idx(table->jobs, i), "job");
	qsort(table->ids, count, sizeof(*table->ids), compare_ids);
}

static bool is_repeated(const struct table *table, int64_t id)
{
	size_t count = array_size(table->jobs);
	const int64_t *found = bsearch(&id, table->ids, count, sizeof(id), compare_ids);

	return found && ((found > table->ids && found[-1] == id) ||
			 (found + 1 < table->ids + count && found[1] == id));
}

static struct json_object *job_component(struct json_object *job, const struct group *group)
{
	return member_object(member_object(job, "components"), group->name);
}

static struct json_object *job_sub(struct json_object *component, const struct sub *sub)
{
	return member_object(member_object(component, "subcomponents"), sub->name);
}

/* The weighted component. */
static double component_value(struct json_object *component)
{
	return member_number(component, "weight") * member_number(component, "value");
}

/* The weighted term. */
static double sub_value(struct json_object *component, struct json_object *sub)
{
	return member_number(component, "weight") * member_number(sub, "weight") *
	       member_number(sub, "factor");
}

static double job_total(const struct table *table, struct json_object *job)
{
	double total = 0;

	for (size_t i = 0; i < table->size; i++)
		total += fabs(component_value(job_component(job, &table->groups[i])));
	return total;
}

/* A job's own weights may show columns; its terms go into the last line. */
static void add_job(struct table *table, struct json_object *job)
{
	const char *state = member_text(job, "state");

	table->has_direct |= !strcmp(state, "direct");
	table->has_held |= !strcmp(state, "held");
	table->has_rejected |= !strcmp(state, "rejected");
	table->total += job_total(table, job);
	for (size_t i = 0; i < table->size; i++) {
		struct group *group = &table->groups[i];
		struct json_object *component = job_component(job, group);

		group->total += fabs(component_value(component));
		for (size_t j = 0; j < group->size; j++) {
			struct sub *sub = &group->subs[j];
			struct json_object *term = job_sub(component, sub);

			sub->shown |= member_number(component, "weight") != 0 &&
				      member_number(term, "weight") != 0;
			sub->total += fabs(sub_value(component, term));
		}
	}
}

static void choose_groups(struct table *table)
{
	for (size_t i = 0; i < table->size; i++)
		for (size_t j = 0; j < table->groups[i].size; j++)
			table->groups[i].shown |= table->groups[i].subs[j].shown;
}

static double diagnose_priority_share(double part, double total)
{
	return total > 0 ? fabs(part) * 100 / total : 0;
}

/* One decimal, cut to five characters; no "-0.0". */
static void print_number(double value)
{
	char text[400];

	snprintf(text, sizeof(text), "%3.1f", value + 0.0);
	printf("%5.5s", text);
}

/* "    FS( User)", "  Serv(QTime:XFctr)" */
static void print_labels(const struct table *table)
{
	for (size_t i = 0; i < table->size; i++) {
		const struct group *group = &table->groups[i];
		const char *separator = "";
		char label[7];

		if (!group->shown)
			continue;
		printf("%6s(", clean_copy(group->label, label, sizeof(label)));
		for (size_t j = 0; j < group->size; j++) {
			if (!group->subs[j].shown)
				continue;
			printf("%s%5s", separator, clean_copy(group->subs[j].label, label, 6));
			separator = ":";
		}
		putchar(')');
	}
}

static void print_weights(const struct table *table)
{
	for (size_t i = 0; i < table->size; i++) {
		const struct group *group = &table->groups[i];
		const char *separator = "";

		if (!group->shown)
			continue;
		printf(" %5.10g(", group->weight);
		for (size_t j = 0; j < group->size; j++) {
			if (!group->subs[j].shown)
				continue;
			printf("%s%5.10g", separator, group->subs[j].weight);
			separator = ":";
		}
		putchar(')');
	}
}

static void print_header(const struct table *table, const char *partition)
{
	printf("diagnosing job priority information (partition: ");
	print_clean(*partition ? partition : "ALL");
	printf(")\n\n%-20s %10s%c ", "Job", "PRIORITY", '*');
	print_labels(table);
	printf("\n%20s %10s  ", "Weights", "--------");
	print_weights(table);
	printf("\n\n");
}

static void print_term(const struct group *group, struct json_object *component,
		       struct json_object *term, double component_share)
{
	switch (group->style) {
	case TERM_FACTOR:
		print_number(fabs(member_number(term, "factor")));
		break;
	case TERM_SHARE:
		print_number(component_share);
		break;
	default:
		print_number(sub_value(component, term));
		break;
	}
}

static void print_terms(const struct table *table, struct json_object *job)
{
	double total = job_total(table, job);

	for (size_t i = 0; i < table->size; i++) {
		const struct group *group = &table->groups[i];
		struct json_object *component = job_component(job, group);
		double component_share = diagnose_priority_share(component_value(component), total);
		const char *separator = "";

		if (!group->shown)
			continue;
		putchar(' ');
		print_number(component_share);
		putchar('(');
		for (size_t j = 0; j < group->size; j++) {
			if (!group->subs[j].shown)
				continue;
			fputs(separator, stdout);
			print_term(group, component, job_sub(component, &group->subs[j]),
				   component_share);
			separator = ":";
		}
		putchar(')');
	}
}

/* 17, 17_3, 17_[1-9]; 17/batch where the job has rows for other partitions, too. */
static void make_name(const struct table *table, struct json_object *job, char *text, size_t size)
{
	const char *array = member_text(job, "array");
	const char *partition = member_text(job, "partition");
	int64_t id = member_integer(job, "job");
	char number[24];

	snprintf(number, sizeof(number), "%" PRId64, id);
	if (!is_repeated(table, id))
		partition = "";
	snprintf(text, size, "%s%s%s", *array ? array : number, *partition ? "/" : "", partition);
	clean_text(text);
}

static char diagnose_priority_mark(struct json_object *job)
{
	const char *state = member_text(job, "state");

	if (member_flag(job, "system_priority"))
		return '*';
	return *state >= 'a' && *state <= 'z' && strcmp(state, "idle") != 0 ? *state : ' ';
}

static void print_job(const struct table *table, struct json_object *job)
{
	bool direct = !strcmp(member_text(job, "state"), "direct");
	char name[128];

	make_name(table, job, name, sizeof(name));
	printf("%-20s %10.0f%c ", name, member_number(job, direct ? "priority" : "sum") + 0.0,
	       diagnose_priority_mark(job));
	print_terms(table, job);
	putchar('\n');
}

static void print_contribution(const struct table *table)
{
	printf("\n%-20s %10s  ", "Percent Contribution", "--------");
	for (size_t i = 0; i < table->size; i++) {
		const struct group *group = &table->groups[i];
		const char *separator = "";

		if (!group->shown)
			continue;
		putchar(' ');
		print_number(diagnose_priority_share(group->total, table->total));
		putchar('(');
		for (size_t j = 0; j < group->size; j++) {
			if (!group->subs[j].shown)
				continue;
			fputs(separator, stdout);
			print_number(diagnose_priority_share(group->subs[j].total, table->total));
			separator = ":";
		}
		putchar(')');
	}
	printf("\n\n* indicates system prio set on job\n");
	if (table->has_direct)
		printf("d indicates priority set by hand (scontrol), without terms of Maui\n");
	if (table->has_held)
		printf("h indicates job is held: Slurm's priority is 0\n");
	if (table->has_rejected)
		printf("r indicates job is rejected: its priority is negative "
		       "(REJECTNEGPRIOJOBS)\n");
	putchar('\n');
}

static void print_cell(int width, const char *text)
{
	char clean[256];

	printf("%-*s ", width, *text ? clean_copy(text, clean, sizeof(clean)) : "-");
}

/* What Slurm adds; the original has no such table. */
static void print_details(const struct table *table)
{
	printf("%-20s %-12s %-12s %-12s %-12s %-12s %-8s %10s %10s %10s %6s %6s\n", "Job", "User",
	       "Group", "Account", "QOS", "Partition", "State", "Slurm", "Maui", "Base", "Nice",
	       "Site");
	for (size_t i = 0; i < array_size(table->jobs); i++) {
		struct json_object *job = json_object_array_get_idx(table->jobs, i);
		char name[128];

		make_name(table, job, name, sizeof(name));
		print_cell(20, name);
		print_cell(12, member_text(job, "user"));
		print_cell(12, member_text(job, "group"));
		print_cell(12, member_text(job, "account"));
		print_cell(12, member_text(job, "qos"));
		print_cell(12, member_text(job, "partition"));
		print_cell(8, member_text(job, "state"));
		printf("%10" PRId64 " %10" PRId64 " %10" PRId64 " %6" PRId64 " %6" PRId64 "\n",
		       member_integer(job, "priority"), member_integer(job, "maui_priority"),
		       member_integer(job, "base"), member_integer(job, "nice"),
		       member_integer(job, "site"));
	}
	putchar('\n');
}

/* With very many jobs, the engine answers only with the highest priorities. */
static void note_omitted(struct json_object *data)
{
	int64_t omitted = member_integer(data, "omitted");

	if (omitted)
		note("%" PRId64 " more jobs have lower priorities: ask by -t, --user or job",
		     omitted);
}

int print_priorities(struct json_object *data, bool verbose)
{
	struct table table = {.jobs = member_array(data, "jobs")};

	if (!table.jobs || !member_array(data, "components"))
		return fail(EXIT_UNTRUSTED, "the engine's answer has no jobs or no components");
	read_groups(data, &table);
	collect_ids(&table);
	for (size_t i = 0; i < array_size(table.jobs); i++)
		add_job(&table, json_object_array_get_idx(table.jobs, i));
	choose_groups(&table);
	print_header(&table, member_text(data, "partition"));
	for (size_t i = 0; i < array_size(table.jobs); i++)
		print_job(&table, json_object_array_get_idx(table.jobs, i));
	print_contribution(&table);
	if (verbose)
		print_details(&table);
	note_omitted(data);
	free_table(&table);
	return EXIT_OK;
}
