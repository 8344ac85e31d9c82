/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills a queue: submits jobs, each a record of its own, through libslurm, which is several times
 * faster than a process of sbatch for each. `testsuite/bench/priority slurmctld` runs it as root,
 * who may submit for others.
 *
 *   bench-submit-jobs [--allocate PARTITION] [--hold] FIRST COUNT UID:GID:ACCOUNT...
 *       numbers FIRST to FIRST+COUNT-1 decide what each job asks for. --allocate: no batch jobs but
 *       bare allocations, which hold nodes without a slurmd there, and have no files; --hold: jobs
 *       that are held
 *
 * slurmctld may be too busy for a while; a job that it turns down for ten seconds ends the program.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#define MAX_OWNERS     64
#define ACCOUNT_SIZE   64
#define ATTEMPTS       100
#define RETRY_INTERVAL 100000 /* microseconds */

struct owner {
	unsigned int uid, gid;
	char account[ACCOUNT_SIZE];
};

static char script[] = "#!/bin/sh\nexit 0\n", work_dir[] = "/", output[] = "/dev/null";
static char path_variable[] = "PATH=/usr/bin:/bin";

static char *partition; /* of allocations; NULL: batch jobs */
static int held;

static int ask_for(job_desc_msg_t *job)
{
	resource_allocation_response_msg_t *allocated = NULL;
	submit_response_msg_t *submitted = NULL;

	if (partition) {
		if (slurm_allocate_resources(job, &allocated) != SLURM_SUCCESS)
			return -1;
		slurm_free_resource_allocation_response_msg(allocated);
		return 0;
	}
	if (slurm_submit_batch_job(job, &submitted) != SLURM_SUCCESS)
		return -1;
	slurm_free_submit_response_response_msg(submitted);
	return 0;
}

static int submit(unsigned long number, struct owner *owner)
{
	char *environment[] = {path_variable, NULL};
	char name[32];
	job_desc_msg_t job;

	slurm_init_job_desc_msg(&job);
	snprintf(name, sizeof(name), "bench%lu", number);
	job.name = name;
	job.user_id = owner->uid;
	job.group_id = owner->gid;
	job.account = owner->account;
	job.partition = partition;
	job.script = partition ? NULL : script;
	job.work_dir = work_dir;
	job.std_in = job.std_out = job.std_err = output;
	job.environment = environment;
	job.env_size = 1;
	job.min_nodes = 1;
	job.min_cpus = 1 + number % 8;
	job.num_tasks = job.min_cpus;
	job.time_limit = 10 + number % 1430;
	job.pn_min_memory = (1 + number % 13) | MEM_PER_CPU;
	job.pn_min_tmp_disk = 0;
	if (held)
		job.priority = 0;

	for (int attempt = 0;; attempt++) {
		if (!ask_for(&job))
			return 0;
		if (attempt == ATTEMPTS) {
			fprintf(stderr, "bench-submit-jobs: job %lu: %s\n", number,
				slurm_strerror(errno));
			return -1;
		}
		usleep(RETRY_INTERVAL);
	}
}

int main(int argc, char **argv)
{
	struct owner owners[MAX_OWNERS];
	unsigned long first, count, owner_count = 0;

	if (argc > 2 && !strcmp(argv[1], "--allocate")) {
		partition = argv[2];
		argc -= 2;
		argv += 2;
	}
	if (argc > 1 && !strcmp(argv[1], "--hold")) {
		held = 1;
		argc--;
		argv++;
	}
	if (argc < 4 || argc - 3 > MAX_OWNERS) {
		fprintf(stderr, "usage: bench-submit-jobs [--allocate PARTITION] [--hold] FIRST "
				"COUNT UID:GID:ACCOUNT...\n");
		return 2;
	}
	first = strtoul(argv[1], NULL, 10);
	count = strtoul(argv[2], NULL, 10);
	for (int i = 3; i < argc; i++) {
		struct owner *owner = &owners[owner_count++];

		if (sscanf(argv[i], "%u:%u:%63s", &owner->uid, &owner->gid, owner->account) != 3) {
			fprintf(stderr, "bench-submit-jobs: '%s' is not UID:GID:ACCOUNT\n",
				argv[i]);
			return 2;
		}
	}
	slurm_init(NULL);
	for (unsigned long number = first; number < first + count; number++)
		if (submit(number, &owners[number % owner_count]))
			return 1;
	slurm_fini();
	return 0;
}
