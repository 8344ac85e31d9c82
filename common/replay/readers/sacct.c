/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of sacct's columns, and the conversion of a row to a job: ID,
 * times, processors, nodes, memory, constraints and GRES.
 */
#include "common/replay/readers/sacct.h"

#include <string.h>

#include "common/replay/readers/table.h"
#include "common/util/text.h"

enum column {
	JOB,
	JOB_RAW,
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
	NODES,
	MEMORY,
	TRES,
	ALLOC_TRES,
	CONSTRAINTS,
	ELAPSED_TEXT,
	LIMIT_TEXT,
	CPUS_EITHER,
	NAME,
	COMMENT,
	COMMAND,
	DIRECTORY,
	COLUMNS
};

static const struct maui_table_column columns[COLUMNS] = {
	[JOB] = {"JobID", true, .instead = "JobIDRaw"},
	[JOB_RAW] = {"JobIDRaw", false},
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
	[CPUS] = {"AllocCPUS", true, .instead = "NCPUS"},
	[NODES] = {"NNodes", false},
	[MEMORY] = {"ReqMem", false},
	[TRES] = {"ReqTRES", false},
	[ALLOC_TRES] = {"AllocTRES", false},
	[CONSTRAINTS] = {"Constraints", .free = true},
	[ELAPSED_TEXT] = {"Elapsed", false},
	[LIMIT_TEXT] = {"Timelimit", false},
	[CPUS_EITHER] = {"NCPUS", false},
	[NAME] = {"JobName", .free = true},
	[COMMENT] = {"Comment", .free = true},
	[COMMAND] = {"SubmitLine", .free = true},
	[DIRECTORY] = {"WorkDir", .free = true},
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
static struct maui_table_piece sacct_tres(const struct maui_table *table, enum column column,
					  const char *name)
{
	struct maui_table_piece all = table->value[column], item;
	size_t size = strlen(name);

	while (maui_table_item(&all, ',', &item))
		if (item.size > size && item.text[size] == '=' &&
		    maui_equals(item.text, size, name))
			return (struct maui_table_piece){item.text + size + 1,
							 item.size - size - 1};
	return (struct maui_table_piece){NULL, 0};
}

static int64_t tres_count(const struct maui_table *table, enum column column, const char *name)
{
	struct maui_table_piece piece = sacct_tres(table, column, name);
	int64_t count;

	return piece.text && maui_table_digits(&piece, &count) ? count : 0;
}

/* ---- a job ---- */

static const int names[MAUI_CREDENTIALS] = {[MAUI_USER] = USER,
					    [MAUI_GROUP] = GROUP,
					    [MAUI_ACCOUNT] = ACCOUNT,
					    [MAUI_QOS] = QOS,
					    [MAUI_CLASS] = PARTITION};

/* The features and GRES that it asks for. */
static void read_request(const struct maui_table *table, struct maui_replay_trace *trace,
			 struct maui_replay_job *job)
{
	struct maui_table_piece features = table->value[CONSTRAINTS], all = table->value[TRES];

	job->constraint = maui_replay_trace_name(trace->constraints, features.text, features.size);
	if (all.text)
		job->gres = maui_replay_trace_gres(trace, all.text, all.size);
}

static const char *const none[] = {NULL};
/* What sacct prints of a length below 0. */
static const char *const invalid[] = {"INVALID", NULL};

/* The column of seconds, or else that of the same as a text; factor: what the number counts. */
static bool read_length(const struct maui_table *table, enum column number, int64_t factor,
			enum column text, const char *const *other, int64_t *ret_seconds)
{
	if (!table->value[number].text)
		return maui_table_duration(table, text, other, ret_seconds);
	if (!maui_table_number(table, number, other, ret_seconds))
		return false;
	if (*ret_seconds > 0) /* below 2^40 */
		*ret_seconds *= factor;
	return true;
}

/* When it was submitted, or could begin, whatever came later. Slurm has no job of 1970. */
static int64_t later_of(int64_t submitted, int64_t eligible)
{
	if (submitted <= 0)
		submitted = MAUI_REPLAY_UNKNOWN;
	return eligible > 0 && eligible > submitted ? eligible : submitted;
}

/* Of one that still ran when the record was made, its limit is the best guess. */
static void guess_end(struct maui_replay_job *job, int64_t elapsed)
{
	job->run = job->estimate > elapsed ? job->estimate : elapsed;
	job->recorded = elapsed > 0 ? elapsed : 0;
	job->unfinished = true;
}

static bool read_times(const struct maui_table *table, struct maui_replay_job *job)
{
	static const char *const no_limit[] = {"UNLIMITED", "Partition_Limit", "INVALID", NULL};
	int64_t eligible, end, elapsed, limit;

	if (!maui_table_time(table, SUBMIT, &job->submitted) ||
	    !maui_table_time(table, ELIGIBLE, &eligible) ||
	    !maui_table_time(table, START, &job->started) || !maui_table_time(table, END, &end) ||
	    !read_length(table, ELAPSED, 1, ELAPSED_TEXT, invalid, &elapsed) ||
	    !read_length(table, LIMIT, 60, LIMIT_TEXT, no_limit, &limit))
		return false;
	job->submitted = later_of(job->submitted, eligible);
	job->estimate = limit > 0 ? limit : MAUI_REPLAY_UNKNOWN;
	if (job->started != MAUI_REPLAY_UNKNOWN && end == MAUI_REPLAY_UNKNOWN)
		guess_end(job, elapsed);
	else if (elapsed != MAUI_REPLAY_UNKNOWN)
		job->run = elapsed;
	else if (job->started != MAUI_REPLAY_UNKNOWN)
		job->run = end - job->started;
	return true;
}

static struct maui_table_piece id_of(const struct maui_table *table)
{
	return table->value[table->value[JOB].text ? JOB : JOB_RAW];
}

/* 100, or 100_1 of an array; a component of a heterogeneous job, 100+1, is counted and no job. To
 * JobIDRaw a component is a job of its own, 101. */
static bool read_id(const struct maui_table *table, struct maui_replay_trace *trace,
		    struct maui_replay_job *job)
{
	struct maui_table_piece id = id_of(table);
	int64_t part;

	if (!maui_table_digits(&id, &job->number)) {
		maui_table_complain(table, id.text, "this is not a job");
		return false;
	}
	trace->raw_ids |= !table->value[JOB].text;
	if (id.size > 1 && *id.text == '+') {
		trace->lacking[MAUI_REPLAY_HETEROGENEOUS]++;
		return false;
	}
	if (id.size < 2 || *id.text != '_')
		return true;
	job->mark = *id.text++;
	id.size--;
	if (maui_table_digits(&id, &part) && part <= UINT32_MAX)
		job->part = (uint32_t)part;
	else
		job->mark = '\0'; /* tasks that have not been told apart yet */
	return true;
}

/* Nodes that a job has been allocated: NNodes, where 2K is 2048, or else of AllocTRES. */
static bool read_nodes(const struct maui_table *table, struct maui_replay_job *job)
{
	struct maui_table_piece piece = table->value[NODES];
	int64_t nodes = piece.size ? 0 : tres_count(table, ALLOC_TRES, "node");
	bool good = !piece.size || maui_table_digits(&piece, &nodes);

	if (good && nodes <= MAUI_REPLAY_MAX_PROCS && maui_table_skip(&piece, 'K'))
		nodes *= 1024;
	if (!good || piece.size || nodes > MAUI_REPLAY_MAX_PROCS) {
		maui_table_complain(table, table->value[NODES].text, "this is no number of nodes");
		return false;
	}
	job->had_nodes = (uint32_t)nodes;
	return true;
}

/* Of one that was allocated nothing, what it asked for; its NNodes are no more than that, too. */
static bool read_size(const struct maui_table *table, struct maui_replay_job *job,
		      int64_t *ret_procs)
{
	enum column column = table->value[CPUS].text ? CPUS : CPUS_EITHER;

	if (!maui_table_number(table, column, none, ret_procs))
		return false;
	job->nodes = (uint32_t)(tres_count(table, TRES, "node") & 0xffffff);
	if (*ret_procs > 0)
		return read_nodes(table, job);
	*ret_procs = tres_count(table, TRES, "cpu");
	return true;
}

static void add_job(void *context, const struct maui_table *table)
{
	struct maui_replay_trace *trace = context;
	struct maui_table_piece id = id_of(table);
	struct maui_table_piece memory = sacct_tres(table, TRES, "mem");
	struct maui_replay_job job = {.line = table->line};
	int64_t procs;

	if (memchr(id.text, '.', id.size)) {
		trace->lacking[MAUI_REPLAY_STEP]++;
		return;
	}
	if (!read_id(table, trace, &job) || !read_times(table, &job) ||
	    !read_size(table, &job, &procs))
		return;
	job.memory = read_memory(memory.text ? memory : table->value[MEMORY], procs, job.nodes);
	maui_table_names(table->value, names, trace, &job);
	read_request(table, trace, &job);
	maui_replay_trace_add_once(trace, &job, procs);
}

/* ---- all of it ---- */

static const char shredder_names[] =
	"JobID|JobIDRaw|Cluster|Partition|QOS|Account|Group|GID|User|UID|Submit|Eligible|Start|End|"
	"Elapsed|ExitCode|State|NNodes|NCPUS|ReqCPUS|ReqMem|ReqTRES|AllocTRES|Timelimit|NodeList|"
	"JobName";
#define SHREDDER_BARS 25

/* How often, in the size bytes at text. */
static size_t sacct_count(const char *text, size_t size, const char *what)
{
	const char *end = text + size;
	size_t found = 0;

	while ((text = memmem(text, (size_t)(end - text), what, strlen(what)))) {
		text += strlen(what);
		found++;
	}
	return found;
}

enum maui_replay_sacct_looks maui_replay_sacct_looks(const char *text, size_t size,
						     const char *delimiter)
{
	const char *stop = memchr(text, '\n', size), *start;
	size_t line = stop ? (size_t)(stop - text) : size;
	bool named = sacct_count(text, line, "JobID"), rows;

	start = maui_table_begin(text, line);
	line -= (size_t)(start - text);
	text = start;
	rows = !named && line && maui_is_digit(*text);
	/* SWF begins with a number or ';', and may have tabs. */
	if (!delimiter)
		delimiter = line && maui_is_name(*text) && !rows && memchr(text, '\t', line) ? "\t"
											     : "|";
	if (!sacct_count(text, line, delimiter))
		return named ? MAUI_REPLAY_SACCT_BLANKS : MAUI_REPLAY_SACCT_NO;
	return rows && sacct_count(text, line, delimiter) >= SHREDDER_BARS
		       ? MAUI_REPLAY_SACCT_SHREDDER
		       : MAUI_REPLAY_SACCT_NAMES;
}

int maui_replay_sacct_read_form(struct maui_replay_trace *trace, const char *text, size_t size,
				const struct maui_replay_sacct_form *form,
				const struct maui_replay_complaints *complaints)
{
	struct maui_table table = {.columns = columns,
				   .column_count = COLUMNS,
				   .complaints = complaints,
				   .bad_lines = &trace->bad_lines,
				   .delimiter = form ? form->delimiter : NULL,
				   .names = form && form->shredder ? shredder_names : NULL};

	return maui_table_read(&table, text, size, add_job, trace);
}

int maui_replay_sacct_read(struct maui_replay_trace *trace, const char *text, size_t size,
			   const struct maui_replay_complaints *complaints)
{
	return maui_replay_sacct_read_form(trace, text, size, NULL, complaints);
}
