/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of started QOS with its mutex. An entry that the job's qos_list no
 * longer contains is replaced by the QOS of its record.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/qos_started.h"

#include "common/util/memory.h"
#include "plugins/engine/runtime/lock.h"

static struct mutex started_mutex = {PTHREAD_MUTEX_INITIALIZER}; /* no other lock under it */

GUARDED_BY(started_mutex) static struct maui_started_qos_table started_in;

uint32_t qos_started_of(uint32_t job_id, int64_t started, uint32_t recorded)
{
	uint32_t qos;

	mutex_lock(&started_mutex);
	qos = maui_started_qos_of(&started_in, job_id, started, recorded);
	mutex_unlock(&started_mutex);
	return qos;
}

#if COMPAT_FROM(24, 11)
static int has_number(void *object, void *number)
{
	return ((const slurmdb_qos_rec_t *)object)->id == *(const uint32_t *)number;
}

/* Its list may have been changed after the state file was written: then its record is right. */
LOCKED_BY(started_mutex) static bool note(const job_record_t *job)
{
	uint32_t id = job->job_id, recorded = job->qos_ptr->id;
	uint32_t qos = maui_started_qos_of(&started_in, id, job->start_time, recorded);

	if (qos != recorded && !list_find_first_ro(job->qos_list, has_number, &qos))
		maui_started_qos_forget(&started_in, id);
	return maui_started_qos_see(&started_in, id, job->start_time, recorded);
}

bool qos_started_see(const job_record_t *job)
{
	bool news;

	if (!job->qos_list || !job->qos_ptr || !job->start_time)
		return false;
	mutex_lock(&started_mutex);
	news = note(job);
	mutex_unlock(&started_mutex);
	return news;
}
#else
bool qos_started_see(const job_record_t *job)
{
	(void)job;
	return false;
}
#endif

void qos_started_begin(void)
{
	mutex_lock(&started_mutex);
	maui_started_qos_begin(&started_in);
	mutex_unlock(&started_mutex);
}

bool qos_started_end(void)
{
	bool gone;

	mutex_lock(&started_mutex);
	gone = maui_started_qos_end(&started_in) > 0;
	mutex_unlock(&started_mutex);
	return gone;
}

struct maui_started_qos *qos_started_copy(size_t *ret_count)
{
	struct maui_started_qos *copy;

	mutex_lock(&started_mutex);
	copy = maui_calloc(started_in.count + 1, sizeof(*copy));
	*ret_count = started_in.count;
	for (size_t i = 0; i < started_in.count; i++)
		copy[i] = started_in.list[i];
	mutex_unlock(&started_mutex);
	return copy;
}

void qos_started_restore(const struct maui_started_qos *list, size_t count)
{
	mutex_lock(&started_mutex);
	for (size_t i = 0; i < count; i++)
		maui_started_qos_restore(&started_in, &list[i]);
	mutex_unlock(&started_mutex);
}

void qos_started_clear(void)
{
	mutex_lock(&started_mutex);
	maui_started_qos_clear(&started_in);
	mutex_unlock(&started_mutex);
}
