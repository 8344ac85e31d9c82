/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a job's credentials, attributes, size and walltime for access lists. */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_asker.h"

#include <string.h>

#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/reservation/rsv_attributes.h"
#include "plugins/engine/slurm/jobrec_facts.h"
#include "plugins/engine/slurm/qos.h"
#include "plugins/engine/slurm/qos_records.h"
#include "plugins/engine/slurm/records.h"

static int64_t rsv_asker_walltime(double seconds)
{
	return seconds >= (double)MAUI_INFINITY ? MAUI_INFINITY : (int64_t)seconds;
}

struct maui_rsv_job rsv_asker(const struct jobrec_facts *facts, const part_record_t *partition,
			      uint32_t qos)
{
	struct maui_priority_job row;
	struct maui_rsv_job asker = {.start = MAUI_RSV_START_UNKNOWN};

	records_job(facts, partition, in_force.names, qos_records_seen(qos),
		    records_class(partition, in_force.names), &node_state.machine, &row);
	memcpy(asker.acl.credential, row.credential, sizeof(asker.acl.credential));
	asker.acl.attributes = rsv_attributes_of(facts->comment, row.credential[MAUI_QOS]);
	asker.acl.procs = (int64_t)row.procs;
	asker.acl.tasks = facts->tasks ? facts->tasks : 1;
	asker.walltime = rsv_asker_walltime(row.walltime);
	return asker;
}

/* Look up a QOS added since the last iteration: a list that excludes it would otherwise admit the
 * job as not listed. */
struct maui_rsv_job rsv_asker_now(const job_record_t *job)
{
	struct maui_rsv_job asker;
	struct jobrec_facts facts;
	uint32_t qos;

	jobrec_facts_read(job, &facts);
	qos = qos_find(facts.qos);
	asker = rsv_asker(&facts, facts.partition, facts.qos);
	asker.walltime = rsv_asker_walltime(jobrec_facts_walltime_at_start(
		&facts, job_queue_walltime(facts.job_id, facts.array_id)));
	if (qos) {
		asker.acl.credential[MAUI_QOS] = qos;
		asker.acl.attributes = rsv_attributes_of(facts.comment, qos);
	}
	return asker;
}
