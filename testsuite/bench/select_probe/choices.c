/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/bench/select_probe/choices.h"

#include <inttypes.h>
#include <time.h>

#define SHOWN    10 /* differences that are told in words */
#define FOR_EVER ((time_t)5 * 365 * 24 * 60 * 60)
#define LONGEST  (UINT64_C(12) * 60 * 60) /* a running job; seconds */

/* ---- drawing ---- */

static uint64_t random_state;

static uint64_t draw(uint64_t below)
{
	uint64_t word = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (word ^ (word >> 31)) % below;
}

static bool one_in(uint64_t count)
{
	return draw(count) == 0;
}

/* ---- a request ---- */

struct request {
	struct compat_job_test test;
	job_details_t details;
	uint64_t bit_flags;
	bitstr_t *nodes, *cores;                /* cores may be NULL */
	list_t *preemptable;                    /* NULL: none */
	const struct compat_node_order *orders; /* of all nodes */
	will_run_data_t bounds; /* of a plan, where Slurm has some; 0: there is none */
};

static bitstr_t *draw_nodes(bitstr_t *all)
{
	bitstr_t *nodes = bit_copy(all);
	uint64_t share = 2 + draw(8);

	if (one_in(2))
		return nodes;
	for (int i = 0; i < node_record_count; i++)
		if (bit_test(nodes, i) && one_in(share))
			bit_clear(nodes, i);
	return nodes;
}

static bitstr_t *draw_cores(void)
{
	bitstr_t *cores = bit_alloc(cr_get_coremap_offset(node_record_count));

	for (int node = 0; node < node_record_count; node++)
		for (uint32_t core = cr_get_coremap_offset(node);
		     core < cr_get_coremap_offset(node + 1); core++)
			if (one_in(3))
				bit_set(cores, core);
	return cores;
}

/* Callback of list_for_each(). */
static int add_running(void *element, void *context)
{
	job_record_t *job = element;

	if (IS_JOB_RUNNING(job) && job->node_bitmap && one_in(2))
		list_append(context, job);
	return 0;
}

static list_t *draw_preemptable(void)
{
	list_t *jobs = list_create(NULL);

	(void)list_for_each(job_list, add_running, jobs);
	if (!list_count(jobs))
		FREE_NULL_LIST(jobs);
	return jobs;
}

static void draw_size(struct request *request)
{
	static const uint32_t sizes[] = {1, 1, 1, 2, 4, 16, 64, 256};
	uint32_t count = (uint32_t)MAX(bit_set_count(request->nodes), 1);
	uint32_t size = MIN(sizes[draw(ARRAY_SIZE(sizes))], count);
	uint32_t tasks = size * (uint32_t)(1 + draw(3));
	job_details_t *details = &request->details;

	request->test.min_nodes = size;
	request->test.req_nodes = size;
	request->test.max_nodes = one_in(2) ? size : MIN(2 * size, count);
	if (one_in(8))
		request->test.req_nodes = request->test.max_nodes;
	details->min_nodes = size;
	details->max_nodes = request->test.max_nodes;
	details->cpus_per_task = (uint16_t)(1 + draw(8));
	details->num_tasks = tasks;
	details->min_cpus = tasks * details->cpus_per_task;
	details->max_cpus = one_in(2) ? details->min_cpus : NO_VAL;
}

static void draw_details(struct request *request)
{
	job_details_t *details = &request->details;

	draw_size(request);
	details->contiguous = one_in(10);
	if (one_in(5)) {
		details->share_res = 0;
		details->whole_node = 1;
	}
	if (one_in(3))
		details->pn_min_memory =
			(one_in(2) ? MEM_PER_CPU : 0) | (100 + draw(one_in(2) ? 4000 : 60000));
}

/* As backfill asks: from now or from later on, in some cases until something else comes. What else
 * is drawn is the same where plans have no bounds. */
static void draw_bounds(struct request *request)
{
	uint64_t state = random_state;
	time_t now = time(NULL);

	random_state = ~state;
	if (!one_in(4))
		request->bounds.start = one_in(3) ? now : now + (time_t)draw(LONGEST);
	if (request->bounds.start && one_in(2))
		request->bounds.end = request->bounds.start + (time_t)draw(LONGEST);
	random_state = state;
}

static struct request draw_request(const struct compat_job_test *pattern)
{
	static const uint16_t modes[] = {SELECT_MODE_RUN_NOW, SELECT_MODE_WILL_RUN,
					 SELECT_MODE_WILL_RUN, SELECT_MODE_TEST_ONLY};
	struct request request = {.test = *pattern,
				  .details = *pattern->job->details,
				  .bit_flags = pattern->job->bit_flags,
				  .nodes = draw_nodes(pattern->nodes)};

	draw_details(&request);
	request.test.mode = modes[draw(ARRAY_SIZE(modes))];
	if (request.test.mode == SELECT_MODE_WILL_RUN) {
		if (one_in(2))
			request.bit_flags |= BACKFILL_TEST;
		if (one_in(8))
			request.bit_flags |= TEST_NOW_ONLY;
		draw_bounds(&request);
	}
	if (one_in(5))
		request.cores = draw_cores();
	if (request.test.mode != SELECT_MODE_TEST_ONLY && one_in(4))
		request.preemptable = draw_preemptable();
	return request;
}

static void free_request(struct request *request)
{
	FREE_NULL_BITMAP(request->nodes);
	FREE_NULL_BITMAP(request->cores);
	FREE_NULL_LIST(request->preemptable);
}

/* ---- an answer ---- */

struct answer {
	int status;
	time_t start; /* of a plan; 0: now, or none */
	bitstr_t *nodes;
	uint64_t preempted; /* a sum over their ids, and their number */
};

/* Callback of list_for_each(). */
static int add_id(void *element, void *context)
{
	const job_record_t *job = element;
	uint64_t *sum = context;

	*sum += (uint64_t)job->job_id << 20 | 1;
	return 0;
}

static int add_to(void *element, void *context)
{
	list_append(context, element);
	return 0;
}

/*
 * As slurmctld does before each question. cons_tres writes into the weights of the nodes that it
 * looks at, and from 26.05 on, for one node, of those alone that it has tried: who asks the same
 * again gets the next node of equal weight.
 */
static void put_orders_back(const struct compat_node_order *orders)
{
	for (int i = 0; i < node_record_count; i++)
		if (node_record_table_ptr[i])
			compat_unrank_node(node_record_table_ptr[i], orders[i],
					   SELECT_MODE_WILL_RUN);
}

static struct compat_node_order *copy_orders(void)
{
	struct compat_node_order *orders = xcalloc(node_record_count, sizeof(*orders));

	for (int i = 0; i < node_record_count; i++)
		if (node_record_table_ptr[i])
			orders[i] = compat_node_order(node_record_table_ptr[i]);
	return orders;
}

/* The job is left as the call has left it. */
static struct answer ask(const struct choices_plugins *plugins, const slurm_select_ops_t *ops,
			 const struct request *request)
{
	struct compat_job_test test = request->test;
	job_record_t *job = test.job;
	struct answer answer = {.nodes = bit_copy(request->nodes)};
	list_t *preempted = NULL;
	will_run_data_t bounds = request->bounds;

	put_orders_back(request->orders);
	*job->details = request->details;
	job->bit_flags = request->bit_flags;
	job->start_time = 0;
	test.nodes = answer.nodes;
	test.excluded_cores = request->cores ? bit_copy(request->cores) : NULL;
	compat_bind_plan(&test, &bounds);
	test.preempted = &preempted;
	test.preemptable = NULL;
	if (request->preemptable) {
		test.preemptable = list_create(NULL);
		(void)list_for_each(request->preemptable, add_to, test.preemptable);
	}
	if (ops == plugins->stock && test.mode != SELECT_MODE_TEST_ONLY)
		plugins->admit(job, test.nodes, &test.excluded_cores);
	answer.status = compat_job_test(ops, &test);
	if (answer.status == SLURM_SUCCESS && test.mode == SELECT_MODE_WILL_RUN &&
	    job->start_time > time(NULL))
		answer.start = job->start_time;
	/* When the reservations end, that never do. */
	if (answer.start > time(NULL) + FOR_EVER)
		answer.status = SLURM_ERROR;
	if (answer.status != SLURM_SUCCESS)
		answer.start = 0;
	if (preempted)
		(void)list_for_each(preempted, add_id, &answer.preempted);
	FREE_NULL_LIST(preempted);
	FREE_NULL_LIST(test.preemptable);
	FREE_NULL_BITMAP(test.excluded_cores);
	free_job_resources(&job->job_resrcs);
	return answer;
}

static bool same_answer(const struct answer *one, const struct answer *other)
{
	return (one->status == SLURM_SUCCESS) == (other->status == SLURM_SUCCESS) &&
	       one->start == other->start;
}

/* Nodes mean nothing where the answer is no. */
static bool same_nodes(const struct answer *one, const struct answer *other)
{
	return one->status != SLURM_SUCCESS ||
	       (bit_equal(one->nodes, other->nodes) && one->preempted == other->preempted);
}

/* ---- all of them ---- */

enum { SLOW, STOCK, OTHERS };
static const char *const names[OTHERS] = {"slow", "stock"};

struct outcome {
	uint64_t yes, planned, shown;
	uint64_t moved; /* at another time than Slurm's, which plans it on other nodes */
	uint64_t wrong[OTHERS];
	char *differences;
};

static void tell(struct outcome *outcome, const char *from, uint64_t number,
		 const struct request *request, const struct answer *ours,
		 const struct answer *theirs)
{
	char *our_nodes, *their_nodes;

	if (outcome->shown++ >= SHOWN)
		return;
	our_nodes = bitmap2node_name(ours->nodes);
	their_nodes = bitmap2node_name(theirs->nodes);
	xstrfmtcat(outcome->differences,
		   "%s\"%s, request %" PRIu64
		   ": mode %u, %u to %u nodes, %u tasks, %u CPUs, memory %" PRIx64
		   ", contiguous %u, cores %d, preemptable %d, flags %" PRIx64
		   ", from %ld until %ld: ours %d at %ld on %s, preempts %" PRIx64
		   "; there %d at %ld on %s, preempts %" PRIx64 "\"",
		   outcome->differences ? ", " : "", from, number, request->test.mode,
		   request->test.min_nodes, request->test.max_nodes, request->details.num_tasks,
		   request->details.min_cpus, request->details.pn_min_memory,
		   request->details.contiguous, request->cores != NULL,
		   request->preemptable != NULL, request->bit_flags, (long)request->bounds.start,
		   (long)request->bounds.end, ours->status, (long)ours->start, our_nodes,
		   ours->preempted, theirs->status, (long)theirs->start, their_nodes,
		   theirs->preempted);
	xfree(our_nodes);
	xfree(their_nodes);
}

static void free_answers(struct answer *answers)
{
	for (int i = 0; i <= OTHERS; i++)
		FREE_NULL_BITMAP(answers[i].nodes);
}

/* Until a plan has looked ahead ours leaves slurmctld's own list of jobs to cons_tres: one of all
 * nodes, of which nothing counts. */
static void look_ahead(const struct choices_plugins *plugins, const struct compat_job_test *pattern,
		       const struct compat_node_order *orders)
{
	struct request request = {.test = *pattern,
				  .details = *pattern->job->details,
				  .bit_flags = pattern->job->bit_flags,
				  .nodes = bit_copy(pattern->nodes),
				  .orders = orders};
	struct answer answer;

	request.test.mode = SELECT_MODE_WILL_RUN;
	request.test.min_nodes = request.test.max_nodes = request.test.req_nodes =
		(uint32_t)MAX(bit_set_count(request.nodes), 1);
	request.details.min_cpus = request.details.num_tasks = request.test.min_nodes;
	request.details.share_res = 0;
	request.details.whole_node = 1;
	answer = ask(plugins, plugins->ours, &request);
	FREE_NULL_BITMAP(answer.nodes);
	free_request(&request);
}

/* Both plan it, at different times, and that may be because of the nodes. */
static bool is_moved(const struct answer *one, const struct answer *other)
{
	return COMPAT_PLAN_DEPENDS_ON_NODES && one->start && other->start &&
	       one->start != other->start && !bit_equal(one->nodes, other->nodes);
}

static bool agrees(const struct answer *answers, int other)
{
	const struct answer *ours = &answers[OTHERS];

	if (other == STOCK && is_moved(ours, &answers[other]))
		return true;
	return same_answer(ours, &answers[other]) &&
	       (other != SLOW || same_nodes(ours, &answers[other]));
}

/* What may start depends on the time: a difference counts only if it was seen within one second,
 * and one that is there only between two is not. */
static void ask_all(const struct choices_plugins *plugins, const struct request *request,
		    uint64_t number, struct outcome *outcome)
{
	const slurm_select_ops_t *all[] = {plugins->slow, plugins->stock, plugins->ours};
	struct answer answers[OTHERS + 1] = {0};
	const struct answer *ours = &answers[OTHERS];
	time_t began;

	do {
		free_answers(answers);
		began = time(NULL);
		for (int i = 0; i <= OTHERS; i++)
			answers[i] = ask(plugins, all[i], request);
	} while (time(NULL) != began && !(agrees(answers, SLOW) && agrees(answers, STOCK)));
	outcome->yes += ours->status == SLURM_SUCCESS;
	outcome->planned += ours->start != 0;
	outcome->moved += is_moved(ours, &answers[STOCK]);
	for (int other = 0; other < OTHERS; other++) {
		if (agrees(answers, other))
			continue;
		outcome->wrong[other]++;
		tell(outcome, names[other], number, request, ours, &answers[other]);
	}
	free_answers(answers);
}

char *choices_run(const struct choices_plugins *plugins, const struct compat_job_test *pattern)
{
	job_record_t *job = pattern->job;
	job_details_t details = *job->details;
	uint64_t bit_flags = job->bit_flags, count = 0;
	uint32_t total_cpus = job->total_cpus;
	uint64_t hidden = *plugins->hidden, refused = *plugins->refused;
	time_t start_time = job->start_time;
	struct compat_node_order *orders;
	struct outcome outcome = {0};
	char *text = NULL;

	if (sscanf(job->name, "choose:%" SCNu64 ":%" SCNu64, &random_state, &count) != 2)
		return xstrdup_printf("{\"job\": \"%s\", \"tests\": 0}", job->name);
	orders = copy_orders();
	look_ahead(plugins, pattern, orders);
	for (uint64_t i = 0; i < count; i++) {
		struct request request;

		*job->details = details;
		job->bit_flags = bit_flags;
		request = draw_request(pattern);
		request.orders = orders;
		ask_all(plugins, &request, i, &outcome);
		free_request(&request);
	}
	put_orders_back(orders);
	xfree(orders);
	*job->details = details;
	job->bit_flags = bit_flags;
	job->total_cpus = total_cpus;
	job->start_time = start_time;
	xstrfmtcat(text,
		   "{\"job\": \"%s\", \"nodes\": %d, \"tests\": %" PRIu64 ", \"yes\": %" PRIu64
		   ", \"planned\": %" PRIu64 ", \"hidden\": %" PRIu64 ", \"refused\": %" PRIu64
		   ", \"slow\": %" PRIu64 ", \"stock\": %" PRIu64 ", \"moved\": %" PRIu64
		   ", \"differences\": [%s]}",
		   job->name, bit_set_count(pattern->nodes), count, outcome.yes, outcome.planned,
		   *plugins->hidden - hidden, *plugins->refused - refused, outcome.wrong[SLOW],
		   outcome.wrong[STOCK], outcome.moved,
		   outcome.differences ? outcome.differences : "");
	xfree(outcome.differences);
	return text;
}
