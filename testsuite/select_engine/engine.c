/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands in for libslurm_maui.so, so that the select plugin can be tested by itself. The file
 * `order` in its own directory says how it ranks, and is read at each call:
 *   none      not at all
 *   reverse   the last node first
 *   halves    two classes, nodes of odd index first
 *   broken    ranks that the interface does not allow
 * Everything that it is told is in slurmctld's log.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/api/select.h"
#include "plugins/engine/nodes/node_use.h"

#include <dlfcn.h>
#include <stdio.h>

const uint32_t maui_engine_slurm_version = SLURM_VERSION_NUMBER;

static void read_order(char *ret_order, size_t size)
{
	char path[4096];
	Dl_info self;
	FILE *file;

	*ret_order = '\0';
	if (!dladdr(&maui_engine_select, &self))
		return;
	snprintf(path, sizeof(path), "%s", self.dli_fname);
	*strrchr(path, '/') = '\0';
	strncat(path, "/order", sizeof(path) - strlen(path) - 1);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(ret_order, (int)size, file))
		ret_order[strcspn(ret_order, "\n")] = '\0';
	fclose(file);
}

static bool orders(const job_record_t *job)
{
	(void)job;
	return true;
}

static bool rank(const job_record_t *job, bitstr_t *nodes, bool immediate, uint32_t *ret_rank)
{
	int last = bit_fls(nodes);
	uint32_t behind = bit_set_count(nodes);
	char order[16];

	read_order(order, sizeof(order));
	info("test engine: %s for %pJ, %u nodes%s", order, job, behind, immediate ? ", now" : "");
	if (!*order || strcmp(order, "none") == 0)
		return false;
	for (int i = 0; i <= last; i++) {
		if (!bit_test(nodes, i))
			continue;
		behind--;
		if (strcmp(order, "reverse") == 0)
			ret_rank[i] = behind;
		else if (strcmp(order, "halves") == 0)
			ret_rank[i] = i % 2 == 0;
		else
			ret_rank[i] = 4000000000U - i;
	}
	return true;
}

static void loaded(void)
{
	info("test engine: loaded");
}

static bool may_start(job_record_t *job, bool immediate)
{
	(void)job;
	(void)immediate;
	return true;
}

static bool may_hold(job_record_t *job)
{
	(void)job;
	return true;
}

static bool limits_gres(const job_record_t *job)
{
	(void)job;
	return false;
}

static bool may_hold_on(const job_record_t *job, bitstr_t *nodes, bitstr_t *candidates)
{
	(void)job;
	(void)nodes;
	(void)candidates;
	return true;
}

static void resized(const job_record_t *job)
{
	(void)job;
	node_use_forget();
}

static void suspended(const job_record_t *job, bool suspended)
{
	(void)job;
	(void)suspended;
	node_use_forget();
}

static void permit(const job_record_t *job, bitstr_t *nodes)
{
	(void)job;
	(void)nodes;
}

static bool may_be_admitted(const job_record_t *job)
{
	(void)job;
	return false;
}

static time_t admit(const job_record_t *job, bitstr_t *nodes, bitstr_t **cores, time_t start)
{
	(void)job;
	(void)nodes;
	(void)cores;
	(void)start;
	return 0;
}

static void preempts(const job_record_t *job, bitstr_t *nodes, compat_list_t victims)
{
	info("test engine: %pJ preempts %d others on %u nodes", job, list_count(victims),
	     bit_set_count(nodes));
}

static bool place_reservation(bitstr_t **ret_nodes, bitstr_t **ret_cores)
{
	(void)ret_nodes;
	(void)ret_cores;
	return false;
}

static void nodes_changed(void)
{
	node_use_forget();
	info("test engine: nodes_changed");
}

static void run_began(job_record_t *job)
{
	node_use_begins(job);
}

static void run_ended(job_record_t *job)
{
	node_use_ends(job);
	info("test engine: run_ended %pJ, %u nodes, after %ld s", job,
	     job->job_resrcs ? job->job_resrcs->nhosts : 0,
	     (long)(job->end_time - job->start_time));
}

static void step_ended(const step_record_t *step)
{
	info("test engine: step_ended %pS, %s", step,
	     step->jobacct ? "measured" : "nothing measured");
}

const struct maui_engine_select maui_engine_select = {
	.version = MAUI_ENGINE_SELECT_VERSION,
	.loaded = loaded,
	.may_start = may_start,
	.may_hold = may_hold,
	.limits_gres = limits_gres,
	.may_hold_on = may_hold_on,
	.permit = permit,
	.may_be_admitted = may_be_admitted,
	.admit = admit,
	.preempts = preempts,
	.place_reservation = place_reservation,
	.orders = orders,
	.rank = rank,
	.node_use = node_use,
	.each_held = node_use_of,
	.run_began = run_began,
	.resized = resized,
	.suspended = suspended,
	.nodes_changed = nodes_changed,
	.run_ended = run_ended,
	.step_ended = step_ended,
};
