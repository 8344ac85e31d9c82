/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands before our select plugin in PluginDir, under its name, hands every call on to it, or to
 * Slurm's own where it is not there, and measures: `testsuite/bench/select`. Slurm's own must be
 * the last select_cons_tres.so in PluginDir.
 *
 * Pairs: for a job whose name begins with "measure", job_test is called in turn through the next
 * plugin (ours) and straight at Slurm's own, MAUI_BENCH_PAIRS times, on the same state: candidates
 * and what a call changes in the job are put back between the calls, out of the time. They take
 * turns in being first. Such a job never starts, so the state stays. The time is this thread's CPU
 * time. In the same way it measures the filter of reservations alone, in the engine.
 *
 * Choices: choices.h, for a job whose name begins with "choose"; the plugin in MAUI_BENCH_SLOW is
 * the slow one.
 *
 * Starts: when jobs got their nodes, for the throughput.
 *
 * Nodes: slurmctld is told, under the locks that a registration takes, that every node has
 * answered, so that thousands of configured nodes are idle without a slurmd. Those that jobs hold
 * stay as they are.
 *
 * One JSON object a line goes to the file MAUI_BENCH_RECORD.
 */
#include "plugins/compat/select_api.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "src/common/run_in_daemon.h"

#include "plugins/engine/api/select.h"
#include "plugins/inner/plugin_path.h"
#include "testsuite/bench/select_probe/choices.h"

/* FILE_NAME: of meson.build. */
#define STOCK_NAME "select_cons_tres.so"
#define ENGINE     "libslurm_maui.so"
#define MAX_PAIRS  1000
#define WARM_UP    3

/* The name of ours, which looks for Slurm's own behind all of that name. */
MAUI_EXPORT const char plugin_name[] = "Maui node selection, before cons_tres";
MAUI_EXPORT const char plugin_type[] = COMPAT_SELECT_TYPE;
MAUI_EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;
MAUI_EXPORT const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;

MAUI_EXPORT int init(void);
MAUI_EXPORT int fini(void);
#define DECLARE(type, name, member, parameters, arguments)                                         \
	MAUI_EXPORT type select_p_##name parameters;
COMPAT_SELECT_FORWARDED(DECLARE)
COMPAT_SELECT_HOOKED(DECLARE)
#undef DECLARE

static slurm_select_ops_t next, slow, stock;
static const uint64_t *slow_hidden, *slow_refused; /* the slow one's */
static void *next_file;
static bool in_slurmctld;
static pthread_t keeper;
static pthread_mutex_t keeper_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t keeper_cond = PTHREAD_COND_INITIALIZER;
static bool keeper_ends;

static int64_t clock_of(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void record(const char *text)
{
	const char *path = getenv("MAUI_BENCH_RECORD");
	int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;

	if (file < 0)
		return;
	dprintf(file, "%s\n", text);
	close(file);
}

/* ---- loading ---- */

static const struct symbol {
	const char *name;
	size_t offset; /* of its pointer in slurm_select_ops_t */
} symbols[] = {
#define SYMBOL(type, name, member, parameters, arguments)                                          \
	{"select_p_" #name, offsetof(slurm_select_ops_t, member)},
	COMPAT_SELECT_FORWARDED(SYMBOL) COMPAT_SELECT_HOOKED(SYMBOL)
#undef SYMBOL
};

static bool look_up(void *file, slurm_select_ops_t *ret_ops)
{
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		void *address = dlsym(file, symbols[i].name);

		if (!address)
			return false;
		memcpy((char *)ret_ops + symbols[i].offset, &address, sizeof(address));
	}
	return true;
}

static void *open_plugin(const char *path, slurm_select_ops_t *ret_ops)
{
	void *file = path ? dlopen(path, RTLD_LAZY) : NULL;

	return file && look_up(file, ret_ops) ? file : NULL;
}

/* init() or fini(). */
static int call(void *file, const char *name)
{
	int (*function)(void);
	void *address = dlsym(file, name);

	if (!address)
		return SLURM_SUCCESS;
	memcpy(&function, &address, sizeof(function));
	return function();
}

/* After ours, which keeps the engine; it initialises Slurm's own again, to the same. */
static int open_slow(void)
{
	const char *path = getenv("MAUI_BENCH_SLOW");
	void *file;

	if (!path)
		return SLURM_SUCCESS;
	file = open_plugin(path, &slow);
	slow_hidden = file ? dlsym(file, "slow_hidden") : NULL;
	slow_refused = file ? dlsym(file, "slow_refused") : NULL;
	if (!slow_hidden || !slow_refused) {
		error("select probe: %s cannot be used", path);
		return SLURM_ERROR;
	}
	return call(file, "init");
}

/* Slurm's own, and the next one behind this: ours, or Slurm's own. */
static bool open_both(void)
{
	const char *rest = slurm_conf.plugindir;
	char *path = NULL, *behind;

	while ((behind = plugin_path_next(&rest, STOCK_NAME))) {
		xfree(path);
		path = behind; /* the last one */
	}
	rest = slurm_conf.plugindir;
	behind = plugin_path_next(&rest, FILE_NAME);
	xfree(behind); /* this one */
	behind = plugin_path_next(&rest, FILE_NAME);
	next_file = open_plugin(behind ? behind : path, &next);
	if (!open_plugin(path, &stock))
		next_file = NULL;
	xfree(behind);
	xfree(path);
	return next_file;
}

int init(void)
{
	/* If ours is there, it initialises Slurm's own. */
	if (!open_both() || call(next_file, "init") != SLURM_SUCCESS) {
		error("select probe: nothing to measure in PluginDir=%s", slurm_conf.plugindir);
		return SLURM_ERROR;
	}
	in_slurmctld = running_in_slurmctld();
	return in_slurmctld ? open_slow() : SLURM_SUCCESS;
}

int fini(void)
{
	if (keeper) {
		pthread_mutex_lock(&keeper_mutex);
		keeper_ends = true;
		pthread_cond_signal(&keeper_cond);
		pthread_mutex_unlock(&keeper_mutex);
		pthread_join(keeper, NULL);
	}
	return call(next_file, "fini");
}

/* ---- pairs ---- */

struct before {
	bitstr_t *nodes;
	job_details_t details;
	uint64_t bit_flags;
	uint32_t total_cpus;
	time_t start_time;
};

/* NULL where there is none: then ours is Slurm's own. */
static const struct maui_engine_select *find_engine(void)
{
	/* The one that the plugin has loaded, by the name that it gives itself. */
	void *file = dlopen(ENGINE, RTLD_LAZY | RTLD_NOLOAD);

	return file ? dlsym(file, MAUI_ENGINE_SELECT_SYMBOL) : NULL;
}

/* What the plugin asks of the engine because of reservations, before it calls Slurm's:
 * admission.c. */
static int64_t timed_filter(const struct maui_engine_select *engine,
			    const struct compat_job_test *test, const struct before *before)
{
	bitstr_t *cores = NULL;
	int64_t begin;

	if (!engine)
		return 0;
	bit_copybits(test->nodes, before->nodes);
	begin = clock_of(CLOCK_THREAD_CPUTIME_ID);
	if (engine->may_be_admitted(test->job))
		engine->admit(test->job, test->nodes, &cores, time(NULL));
	begin = clock_of(CLOCK_THREAD_CPUTIME_ID) - begin;
	FREE_NULL_BITMAP(cores);
	return begin;
}

static void put_back(const struct compat_job_test *test, const struct before *before)
{
	job_record_t *job = test->job;

	bit_copybits(test->nodes, before->nodes);
	job->details->pn_min_memory = before->details.pn_min_memory;
	job->details->min_cpus = before->details.min_cpus;
	job->bit_flags = before->bit_flags;
	job->total_cpus = before->total_cpus;
	job->start_time = before->start_time;
	free_job_resources(&job->job_resrcs);
}

static int timed(const slurm_select_ops_t *ops, const struct compat_job_test *test,
		 const struct before *before, int64_t *ret_time)
{
	int64_t begin;
	int status;

	put_back(test, before);
	begin = clock_of(CLOCK_THREAD_CPUTIME_ID);
	status = compat_job_test(ops, test);
	*ret_time = clock_of(CLOCK_THREAD_CPUTIME_ID) - begin;
	return status;
}

static void append_times(char **text, const char *name, const int64_t *times, int count)
{
	xstrfmtcat(*text, ", \"%s\": [", name);
	for (int i = 0; i < count; i++)
		xstrfmtcat(*text, "%s%" PRId64, i ? ", " : "", times[i]);
	xstrcat(*text, "]");
}

static int pairs_wanted(void)
{
	const char *text = getenv("MAUI_BENCH_PAIRS");
	long pairs = text ? strtol(text, NULL, 10) : 0;

	return (int)(pairs < 1 ? 1 : MIN(pairs, MAX_PAIRS));
}

static int measure(const struct compat_job_test *test)
{
	static int64_t ours_times[MAX_PAIRS], stock_times[MAX_PAIRS], filter_times[MAX_PAIRS];
	const struct maui_engine_select *engine = find_engine();
	struct before before = {.nodes = bit_copy(test->nodes),
				.details = *test->job->details,
				.bit_flags = test->job->bit_flags,
				.total_cpus = test->job->total_cpus,
				.start_time = test->job->start_time};
	int pairs = pairs_wanted(), ours_status = 0, stock_status = 0;
	char *text = NULL;

	for (int i = -WARM_UP; i < pairs; i++) {
		int at = MAX(i, 0);

		if (i % 2)
			ours_status = timed(&next, test, &before, &ours_times[at]);
		stock_status = timed(&stock, test, &before, &stock_times[at]);
		if (!(i % 2))
			ours_status = timed(&next, test, &before, &ours_times[at]);
		filter_times[at] = timed_filter(engine, test, &before);
	}
	xstrfmtcat(text,
		   "{\"job\": \"%s\", \"mode\": %u, \"candidates\": %d, \"ours_status\": %d, "
		   "\"stock_status\": %d",
		   test->job->name, test->mode, bit_set_count(before.nodes), ours_status,
		   stock_status);
	append_times(&text, "ours", ours_times, pairs);
	append_times(&text, "stock", stock_times, pairs);
	append_times(&text, "filter", filter_times, pairs);
	xstrcat(text, "}");
	record(text);
	xfree(text);
	if (test->mode != SELECT_MODE_WILL_RUN) {
		put_back(test, &before);
		ours_status = ESLURM_NODES_BUSY;
	}
	bit_free(before.nodes);
	return ours_status;
}

static void admit(const job_record_t *job, bitstr_t *nodes, bitstr_t **cores)
{
	const struct maui_engine_select *engine = find_engine();

	if (!engine)
		return;
	engine->permit(job, nodes);
	if (engine->may_be_admitted(job))
		engine->admit(job, nodes, cores, time(NULL));
}

static void choose(const struct compat_job_test *test)
{
	struct choices_plugins plugins = {.ours = &next,
					  .slow = &slow,
					  .stock = &stock,
					  .hidden = slow_hidden,
					  .refused = slow_refused,
					  .admit = admit};
	char *text = choices_run(&plugins, test);

	record(text);
	xfree(text);
}

/* Once for each job: what was refused is tried again. */
static bool is_first(const struct compat_job_test *test, const char *name)
{
	static char *last;

	if (test->mode == SELECT_MODE_TEST_ONLY || !test->job->details ||
	    xstrncmp(test->job->name, name, strlen(name)) != 0 ||
	    xstrcmp(test->job->name, last) == 0)
		return false;
	xfree(last);
	last = xstrdup(test->job->name);
	return true;
}

int select_p_job_test COMPAT_JOB_TEST_PARAMETERS
{
	struct compat_job_test test = COMPAT_JOB_TEST_OF_ARGUMENTS;

	if (in_slurmctld && is_first(&test, "measure"))
		return measure(&test);
	if (in_slurmctld && slow.job_test && is_first(&test, "choose"))
		choose(&test);
	if (mode == SELECT_MODE_RUN_NOW && xstrncmp(job->name, "measure", strlen("measure")) == 0)
		return ESLURM_NODES_BUSY;
	return compat_job_test(&next, &test);
}

/* ---- starts ---- */

static struct {
	uint64_t count;
	int64_t first_wall, last_wall, first_cpu, last_cpu; /* CPU: of all threads */
} starts;

static void note_start(void)
{
	pthread_mutex_lock(&keeper_mutex);
	starts.last_wall = clock_of(CLOCK_MONOTONIC);
	starts.last_cpu = clock_of(CLOCK_PROCESS_CPUTIME_ID);
	if (!starts.count++) {
		starts.first_wall = starts.last_wall;
		starts.first_cpu = starts.last_cpu;
	}
	pthread_mutex_unlock(&keeper_mutex);
}

int select_p_select_nodeinfo_set(job_record_t *job)
{
	if (IS_JOB_RUNNING(job)) /* not so for jobs from the saved state */
		note_start();
	return next.nodeinfo_set(job);
}

static void record_starts(void)
{
	static uint64_t recorded;
	char *text = NULL;

	pthread_mutex_lock(&keeper_mutex);
	if (starts.count != recorded) {
		recorded = starts.count;
		text = xstrdup_printf("{\"starts\": %" PRIu64 ", \"wall\": %" PRId64
				      ", \"cpu\": %" PRId64 "}",
				      recorded, starts.last_wall - starts.first_wall,
				      starts.last_cpu - starts.first_cpu);
	}
	pthread_mutex_unlock(&keeper_mutex);
	if (text)
		record(text);
	xfree(text);
}

/* ---- nodes ---- */

static bool is_silent(const node_record_t *node)
{
	return IS_NODE_UNKNOWN(node) || IS_NODE_NO_RESPOND(node);
}

static void answer_for_nodes(void)
{
	slurmctld_lock_t locks = {.conf = READ_LOCK, .job = WRITE_LOCK, .node = WRITE_LOCK};

	lock_slurmctld(locks);
	for (int i = 0; i < node_record_count; i++)
		if (node_record_table_ptr[i] && is_silent(node_record_table_ptr[i]))
			node_did_resp(node_record_table_ptr[i]->name);
	unlock_slurmctld(locks);
}

static void *keep(void *unused)
{
	struct timespec deadline;

	(void)unused;
	pthread_mutex_lock(&keeper_mutex);
	while (!keeper_ends) {
		clock_gettime(CLOCK_REALTIME, &deadline);
		deadline.tv_sec++;
		pthread_cond_timedwait(&keeper_cond, &keeper_mutex, &deadline);
		if (keeper_ends)
			break;
		pthread_mutex_unlock(&keeper_mutex);
		answer_for_nodes();
		record_starts();
		pthread_mutex_lock(&keeper_mutex);
	}
	pthread_mutex_unlock(&keeper_mutex);
	return NULL;
}

/* At the end of slurmctld's start there are nodes and locks. */
int select_p_reconfigure(void)
{
	int status = next.reconfigure();

	if (in_slurmctld && !keeper && pthread_create(&keeper, NULL, keep, NULL) != 0)
		error("select probe: no thread: nodes stay unknown");
	return status;
}

/* ---- all others ---- */

#define FORWARD(type, name, member, parameters, arguments)                                         \
	type select_p_##name parameters                                                            \
	{                                                                                          \
		return next.member arguments;                                                      \
	}
COMPAT_SELECT_FORWARDED(FORWARD)
COMPAT_SELECT_HOOKED_RESV(FORWARD)
COMPAT_SELECT_HOOKED_STEP(FORWARD)
#undef FORWARD

int select_p_node_init(void)
{
	return next.node_init();
}

int select_p_job_expand(job_record_t *from, job_record_t *to)
{
	return next.job_expand(from, to);
}

int select_p_job_resized(job_record_t *job, node_record_t *node)
{
	return next.job_resized(job, node);
}

int select_p_job_fini(job_record_t *job)
{
	return next.job_fini(job);
}

int select_p_job_suspend(job_record_t *job, bool indefinitely)
{
	return next.job_suspend(job, indefinitely);
}

int select_p_job_resume(job_record_t *job, bool indefinitely)
{
	return next.job_resume(job, indefinitely);
}
