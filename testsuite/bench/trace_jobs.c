/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the jobs of a trace through a private slurmctld whose clock is stepped
 * (`testsuite/cluster up --stepped`): it stops the clock, and whenever nothing is left to do at the
 * time that it shows, sets it to when something happens next: a job comes, its run time is over, or
 * a daemon has waited for it. So slurmctld does all that it would have done, a pass takes no time,
 * and a day some seconds.
 *
 *   bench-trace-jobs CLOCK LOG PID... <JOBS
 *       CLOCK: the cluster's file; LOG: slurmctld's, which says at `info` who begins; PID: its
 *       daemons. JOBS: a line each, in the order of submission: seconds from the beginning, uid,
 *       gid, processors, minutes of the time limit, seconds that it runs, account and QOS, of each
 *       which - is Slurm's default. Prints when the beginning
 *       was (epoch seconds), and a line for each: when it began, in seconds from there; -1 if it
 *       still waited an hour after all else was over.
 *
 * First the clock goes to a full minute, and whoever waited for it goes on then; the first job comes
 * a minute later. So however long the start has taken, backfill has its turns at the same seconds,
 * and plans, which are rounded to minutes, are rounded alike. Jobs are allocations without a script,
 * on nodes of one processor; whoever reaches its run time is ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurm_version.h>

#include "testsuite/bench/quiet.h"
#include "testsuite/clock/clock.h"

#define MAX_JOBS  100000
#define LEAD      MINUTE /* before the first job: a turn of backfill comes with it, as in a replay */
#define MINUTE    60
#define PATIENCE  3600
#define QUIET     1000000 /* nanoseconds in which no daemon has run */
#define NEVER     INT64_MAX
#define NAME_SIZE 32

struct job {
	int64_t submitted; /* these two: seconds from the beginning */
	int64_t started;
	unsigned int uid, gid, procs, minutes;
	int64_t run;
	uint32_t id;
	char account[NAME_SIZE], qos[NAME_SIZE];
};

static struct job jobs[MAX_JOBS];
static size_t job_count, next_job, over;
static size_t running[MAX_JOBS], running_count;
static uint32_t job_of_id[2 * MAX_JOBS]; /* 1 + its place */

static struct test_clock *shared;
static int64_t beginning; /* seconds of the clock */
static FILE *controller_log;

static void fail(const char *what)
{
	fprintf(stderr, "bench-trace-jobs: %s\n", what);
	exit(1);
}

/* ---- the clock ---- */

/* When the first of those who wait is to be woken. */
static int64_t next_wake(void)
{
	int64_t first = NEVER;

	for (int i = 0; i < CLOCK_WAITS; i++) {
		int64_t until = atomic_load(&shared->until[i]);

		if (until && until < first)
			first = until;
	}
	return first;
}

/* Until nobody has run for a while, nor is about to. */
static void settle(void)
{
	int64_t before, after;

	do {
		while (!quiet_look(&before))
			real_sleep(QUIET / 10);
		real_sleep(QUIET);
	} while (!quiet_look(&after) || after != before ||
		 next_wake() <= atomic_load(&shared->stands));
}

static void step(int64_t when)
{
	if (when > atomic_load(&shared->stands))
		atomic_store(&shared->stands, when);
	atomic_fetch_add(&shared->turn, 1);
	syscall(SYS_futex, &shared->turn, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static int64_t seconds_now(void)
{
	return atomic_load(&shared->stands) / NANOSECONDS - beginning;
}

/* ---- questions to slurmctld, which may have to wait before it answers ---- */

struct question {
	void (*ask)(struct job *job);
	struct job *job;
	_Atomic bool answered;
};

static void *ask(void *context)
{
	struct question *question = context;

	question->ask(question->job);
	question->answered = true;
	return NULL;
}

static void ask_controller(void (*what)(struct job *job), struct job *job)
{
	struct question question = {what, job, false};
	pthread_t thread;

	if (pthread_create(&thread, NULL, ask, &question))
		fail("no thread can be had");
	for (;;) {
		settle();
		if (question.answered)
			break;
		step(next_wake());
	}
	pthread_join(thread, NULL);
}

/* ---- jobs ---- */

static void read_jobs(void)
{
	struct job *job = jobs;

	while (job_count < MAX_JOBS &&
	       scanf("%" SCNd64 " %u %u %u %u %" SCNd64 " %31s %31s", &job->submitted, &job->uid,
		     &job->gid, &job->procs, &job->minutes, &job->run, job->account,
		     job->qos) == 8) {
		job->submitted += LEAD;
		job->started = -1;
		job++;
		job_count++;
	}
	if (!feof(stdin) || !job_count)
		fail("these are no jobs, or too many");
}

/* From 25.11 on libslurm names a job by a step's id. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
#define ALLOCATED_JOB(answer) ((answer)->step_id.job_id)

static int complete_job(uint32_t id)
{
	slurm_step_id_t step = SLURM_STEP_ID_INITIALIZER;

	step.job_id = id;
	return slurm_complete_job(&step, 0);
}
#else
#define ALLOCATED_JOB(answer) ((answer)->job_id)

static int complete_job(uint32_t id)
{
	return slurm_complete_job(id, 0);
}
#endif

static void submit(struct job *job)
{
	static char name[] = "trace", directory[] = "/", path[] = "PATH=/usr/bin:/bin";
	char *environment[] = {path, NULL};
	resource_allocation_response_msg_t *answer = NULL;
	job_desc_msg_t wanted;

	slurm_init_job_desc_msg(&wanted);
	wanted.name = name;
	wanted.user_id = job->uid;
	wanted.group_id = job->gid;
	wanted.work_dir = directory;
	wanted.environment = environment;
	wanted.env_size = 1;
	wanted.min_nodes = wanted.min_cpus = wanted.num_tasks = job->procs;
	wanted.time_limit = job->minutes;
	wanted.pn_min_memory = 1;
	if (strcmp(job->account, "-") != 0)
		wanted.account = job->account;
	if (strcmp(job->qos, "-") != 0)
		wanted.qos = job->qos;
	if (slurm_allocate_resources(&wanted, &answer) != SLURM_SUCCESS)
		fail(slurm_strerror(errno));
	job->id = ALLOCATED_JOB(answer);
	slurm_free_resource_allocation_response_msg(answer);
	if (job->id >= 2 * MAX_JOBS)
		fail("a job has too high a number");
	job_of_id[job->id] = (uint32_t)(job - jobs) + 1;
}

static void began(uint32_t id)
{
	size_t at = id < 2 * MAX_JOBS ? job_of_id[id] : 0;

	if (!at || jobs[at - 1].started >= 0)
		return;
	jobs[at - 1].started = seconds_now();
	running[running_count++] = at - 1;
}

/* Lines are whole: nobody runs. */
static void read_log(void)
{
	static const char *const begins[] = {
		"sched: Allocate JobId=", "Started JobId=", "_slurm_rpc_allocate_resources JobId="};
	char line[4096];

	clearerr(controller_log);
	while (fgets(line, sizeof(line), controller_log)) {
		for (size_t i = 0; i < 3; i++) {
			const char *found = strstr(line, begins[i]);

			if (found && !strstr(line, "NodeList=(null)"))
				began((uint32_t)strtoul(found + strlen(begins[i]), NULL, 10));
		}
	}
}

static int64_t end_of(size_t at)
{
	return jobs[at].started + jobs[at].run;
}

/* slurmctld may have ended it at its time limit. */
static void complete(struct job *job)
{
	if (complete_job(job->id) != SLURM_SUCCESS && errno != ESLURM_ALREADY_DONE &&
	    errno != ESLURM_INVALID_JOB_ID)
		fail(slurm_strerror(errno));
}

/* Those whose run time is over; true if there were any. */
static bool end_jobs(void)
{
	int64_t now = seconds_now();
	bool any = false;

	for (size_t i = 0; i < running_count; i++) {
		struct job *job = &jobs[running[i]];

		if (end_of(running[i]) > now)
			continue;
		ask_controller(complete, job);
		running[i--] = running[--running_count];
		over++;
		any = true;
	}
	return any;
}

static bool submit_jobs(void)
{
	bool any = false;

	while (next_job < job_count && jobs[next_job].submitted <= seconds_now()) {
		ask_controller(submit, &jobs[next_job++]);
		any = true;
	}
	return any;
}

/* Seconds from the beginning. */
static int64_t next_event(void)
{
	int64_t next = next_job < job_count ? jobs[next_job].submitted : NEVER;

	for (size_t i = 0; i < running_count; i++)
		if (end_of(running[i]) < next)
			next = end_of(running[i]);
	return next;
}

static void drive(void)
{
	int64_t last = 0; /* when something happened */

	while (over < job_count) {
		int64_t wake, event;

		settle();
		read_log();
		if (end_jobs() || submit_jobs())
			continue;
		wake = next_wake();
		event = next_event();
		if (event != NEVER)
			last = event;
		else if (seconds_now() > last + PATIENCE)
			break;
		if (event != NEVER && (beginning + event) * NANOSECONDS < wake)
			wake = (beginning + event) * NANOSECONDS;
		if (wake == NEVER)
			fail("nobody waits for anything");
		step(wake);
	}
}

/* ---- all of it ---- */

static void stop_clock(const char *path)
{
	int file = open(path, O_RDWR | O_CLOEXEC);
	int64_t now;

	if (file < 0)
		fail(path);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (shared == MAP_FAILED || !atomic_load(&shared->stepped))
		fail("this clock cannot be stopped");
	beginning = ((int64_t)time(NULL) / MINUTE + 2) * MINUTE; /* more than bf_interval */
	now = beginning * NANOSECONDS;
	atomic_store(&shared->monotonic, now - real_now(CLOCK_MONOTONIC));
	atomic_store(&shared->stands, now);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		fail("usage: bench-trace-jobs CLOCK LOG PID... <JOBS");
	read_jobs();
	for (int i = 3; i < argc; i++)
		quiet_watch(atoi(argv[i]));
	quiet_watch(getpid());
	controller_log = fopen(argv[2], "r");
	if (!controller_log)
		fail(argv[2]);
	slurm_init(NULL);
	stop_clock(argv[1]);
	real_sleep(NANOSECONDS / 10); /* longer than a slice of a wait while it ran */
	drive();
	printf("%" PRId64 "\n", beginning + LEAD);
	for (size_t i = 0; i < job_count; i++)
		printf("%" PRId64 "\n", jobs[i].started < 0 ? -1 : jobs[i].started - LEAD);
	slurm_fini();
	return 0;
}
