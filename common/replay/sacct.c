/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/replay/sacct.h"

#include <string.h>

#include "common/replay/table.h"
#include "common/util/text.h"

enum column {
	JOB,
	SUBMIT,
	ELIGIBLE,
	START,
	END,
	ELAPSED,
	LIMIT,
	USER,
	GROUP,
	ACCOUNT,
	QOS,
	PARTITION,
	CPUS,
	MEMORY,
	TRES,
	CONSTRAINTS,
	COLUMNS
};

static const struct maui_table_column columns[COLUMNS] = {
	[JOB] = {"JobID", true},
	[SUBMIT] = {"Submit", true},
	[ELIGIBLE] = {"Eligible", false},
	[START] = {"Start", true},
	[END] = {"End", true},
	[ELAPSED] = {"ElapsedRaw", false},
	[LIMIT] = {"TimelimitRaw", false},
	[USER] = {"User", false},
	[GROUP] = {"Group", false},
	[ACCOUNT] = {"Account", false},
	[QOS] = {"QOS", false},
	[PARTITION] = {"Partition", false},
	[CPUS] = {"AllocCPUS", true},
	[MEMORY] = {"ReqMem", false},
	[TRES] = {"ReqTRES", false},
	[CONSTRAINTS] = {"Constraints", false},
};

/* ---- values ---- */

/* MB of 4000M, 16G, 1.50T, and with a c or n behind it, which sacct had up to 21.08. */
static int64_t read_memory(struct maui_table_piece piece, int64_t procs, int64_t nodes)
{
	static const char units[] = "KMGTP";
	int64_t number, hundredths = 0, scale = 1;
	const char *unit;

	if (!maui_table_digits(&piece, &number))
		return 0;
	if (piece.size && *piece.text == '.')
		for (piece.text++, piece.size--; piece.size && maui_is_digit(*piece.text);
		     piece.text++, piece.size--)
			if (scale < 100) {
				hundredths = hundredths * 10 + (*piece.text - '0');
				scale *= 10;
			}
	unit = piece.size && *piece.text ? strchr(units, maui_upper(*piece.text)) : NULL;
	if (!unit || number > INT64_C(1) << (unit < units + 3 ? 40 : 20))
		return 0;
	number = number * scale + hundredths;
	if (unit == units)
		number /= 1024;
	for (const char *step = units + 1; step < unit; step++)
		number *= 1024;
	number /= scale;
	if (piece.size > 1 && maui_upper(piece.text[1]) == 'C')
		number *= procs > 0 && procs < 4096 ? procs : 1;
	if (piece.size > 1 && maui_upper(piece.text[1]) == 'N')
		number *= nodes > 0 && nodes < 4096 ? nodes : 1;
	return number;
}

/* The value of a name in cpu=4,mem=16G,node=1. */
static struct maui_table_piece tres(const struct maui_table *table, const char *name)
{
	struct maui_table_piece all = table->value[TRES], item;
	size_t size = strlen(name);

	while (maui_table_item(&all, &item))
		if (item.size > size && item.text[size] == '=' &&
		    maui_equals(item.text, size, name))
			return (struct maui_table_piece){item.text + size + 1,
							 item.size - size - 1};
	return (struct maui_table_piece){NULL, 0};
}

static int64_t tres_count(const struct maui_table *table, const char *name)
{
	struct maui_table_piece piece = tres(table, name);
	int64_t count;

	return piece.text && maui_table_digits(&piece, &count) ? count : 0;
}

/* ---- a job ---- */

static void read_names(const struct maui_table *table, struct maui_replay_trace *trace,
		       struct maui_replay_job *job)
{
	static const enum column names[MAUI_CREDENTIALS] = {[MAUI_USER] = USER,
							    [MAUI_GROUP] = GROUP,
							    [MAUI_ACCOUNT] = ACCOUNT,
							    [MAUI_QOS] = QOS,
							    [MAUI_CLASS] = PARTITION};

	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		struct maui_table_piece piece = table->value[names[type]];

		job->credential[type] =
			maui_replay_trace_name(trace->names[type], piece.text, piece.size);
	}
}

/* The features and GRES that it asks for. */
static void read_request(const struct maui_table *table, struct maui_replay_trace *trace,
			 struct maui_replay_job *job)
{
	struct maui_table_piece features = table->value[CONSTRAINTS], all = table->value[TRES];

	job->constraint = maui_replay_trace_name(trace->constraints, features.text, features.size);
	if (all.text)
		job->gres = maui_replay_trace_gres(trace, all.text, all.size);
}

static bool read_times(const struct maui_table *table, struct maui_replay_job *job)
{
	static const char *const none[] = {NULL};
	static const char *const no_limit[] = {"UNLIMITED", "Partition_Limit", NULL};
	int64_t eligible, end, elapsed, limit;

	if (!maui_table_time(table, SUBMIT, &job->submitted) ||
	    !maui_table_time(table, ELIGIBLE, &eligible) ||
	    !maui_table_time(table, START, &job->started) || !maui_table_time(table, END, &end) ||
	    !maui_table_number(table, ELAPSED, none, &elapsed) ||
	    !maui_table_number(table, LIMIT, no_limit, &limit))
		return false;
	if (job->submitted != MAUI_REPLAY_UNKNOWN && eligible > job->submitted)
		job->submitted = eligible;
	if (elapsed != MAUI_REPLAY_UNKNOWN)
		job->run = elapsed;
	else if (job->started != MAUI_REPLAY_UNKNOWN && end != MAUI_REPLAY_UNKNOWN)
		job->run = end - job->started;
	job->estimate = limit > 0 ? limit * 60 : MAUI_REPLAY_UNKNOWN;
	return true;
}

static void add_job(void *context, const struct maui_table *table)
{
	struct maui_replay_trace *trace = context;
	static const char *const none[] = {NULL};
	struct maui_table_piece id = table->value[JOB], memory = tres(table, "mem");
	struct maui_replay_job job = {.line = table->line};
	int64_t procs;

	if (memchr(id.text, '.', id.size)) {
		trace->lacking[MAUI_REPLAY_STEP]++;
		return;
	}
	if (!maui_table_digits(&id, &job.number)) {
		maui_table_complain(table, id.text, "this is not a job");
		return;
	}
	if (!read_times(table, &job) || !maui_table_number(table, CPUS, none, &procs))
		return;
	if (procs <= 0)
		procs = tres_count(table, "cpu");
	job.nodes = (uint32_t)(tres_count(table, "node") & 0xffffff);
	job.memory = read_memory(memory.text ? memory : table->value[MEMORY], procs, job.nodes);
	read_names(table, trace, &job);
	read_request(table, trace, &job);
	maui_replay_trace_add(trace, &job, procs);
}

/* ---- all of it ---- */

bool maui_replay_sacct_looks(const char *text, size_t size)
{
	const char *stop = memchr(text, '\n', size);

	return memchr(text, '|', stop ? (size_t)(stop - text) : size);
}

int maui_replay_sacct_read(struct maui_replay_trace *trace, const char *text, size_t size,
			   const struct maui_replay_complaints *complaints)
{
	struct maui_table table = {.columns = columns,
				   .column_count = COLUMNS,
				   .complaints = complaints,
				   .bad_lines = &trace->bad_lines};

	return maui_table_read(&table, text, size, add_job, trace);
}
