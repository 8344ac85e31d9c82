/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks Slurm's records for a report, and copies texts and jobs out of them. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/report_records.h"

#include <string.h>

#include "plugins/engine/reservation/shadow_nodes.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"

static const slurmctld_lock_t records_read = {
	.job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK};

bool report_records_lock(void)
{
	lock_slurmctld(records_read);
	if (engine_may_look()) {
		shadow_forget_nodes();
		return true;
	}
	unlock_slurmctld(records_read);
	return false;
}

void report_records_unlock(void)
{
	unlock_slurmctld(records_read);
}

const char *report_copy_text(struct maui_arena *arena, const char *text)
{
	return text ? maui_arena_text(arena, text, strlen(text)) : NULL;
}

void report_copy_job(struct maui_arena *arena, const job_record_t *job, struct report_job *ret_copy)
{
	*ret_copy = (struct report_job){
		.id = jobrec_id(job),
		.array_id = jobrec_array_id(job),
		.array_task = jobrec_array_task(job),
		.uid = jobrec_user(job),
		.account = report_copy_text(arena, jobrec_account(job)),
	};
}
