/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies assoc_mgr_qos_list into a table from Slurm's QOS id to the interned
 * name, under the association manager's QOS lock.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/qos_records.h"

#include <stdlib.h>

#include "common/util/memory.h"
#include "plugins/engine/slurm/jobrec.h"

/* Never changed; Slurm takes no const. */
static assoc_mgr_lock_t qos_read = {.qos = READ_LOCK};

void qos_records_lock(void)
{
	assoc_mgr_lock(&qos_read);
}

void qos_records_unlock(void)
{
	assoc_mgr_unlock(&qos_read);
}

/* By Slurm's QOS id. */
struct table {
	uint32_t *id;
	uint32_t size;
	bool threshold;
};

struct walk {
	struct maui_names *names;
	struct table *table;
};

ENGINE_GUARDED static struct table seen;

static int highest_qos(void *object, void *context)
{
	const slurmdb_qos_rec_t *qos = object;
	uint32_t *highest = context;

	if (qos->id > *highest)
		*highest = qos->id;
	return 0;
}

static int note_qos(void *object, void *context)
{
	const slurmdb_qos_rec_t *qos = object;
	struct walk *walk = context;

	if (qos->id < walk->table->size)
		walk->table->id[qos->id] = maui_names_of_text(walk->names, MAUI_QOS, qos->name);
	if ((qos->flags & QOS_FLAG_ENFORCE_USAGE_THRES) && !fuzzy_equal(qos->usage_thres, NO_VAL))
		walk->table->threshold = true;
	return 0;
}

void qos_records_look(struct maui_names *names)
{
	struct table table = {0};
	struct walk walk = {.names = names, .table = &table};

	if (assoc_mgr_qos_list) {
		uint32_t highest = 0;

		list_for_each_ro(assoc_mgr_qos_list, highest_qos, &highest);
		table.id = maui_calloc(highest + 1, sizeof(*table.id));
		table.size = highest + 1;
		list_for_each_ro(assoc_mgr_qos_list, note_qos, &walk);
	}
	free(seen.id);
	seen = table;
}

uint32_t qos_records_seen(uint32_t qos)
{
	return qos < seen.size ? seen.id[qos] : MAUI_NO_CREDENTIAL;
}

bool qos_records_threshold_seen(void)
{
	return seen.threshold;
}

static int find_qos(void *object, void *key)
{
	return ((const slurmdb_qos_rec_t *)object)->id == *(const uint32_t *)key;
}

uint32_t qos_records_now(uint32_t qos, struct maui_names *names)
{
	const slurmdb_qos_rec_t *record;

	if (!qos || !assoc_mgr_qos_list)
		return MAUI_NO_CREDENTIAL;
	record = list_find_first(assoc_mgr_qos_list, find_qos, &qos);
	return record ? maui_names_of_text(names, MAUI_QOS, record->name) : MAUI_NO_CREDENTIAL;
}

uint32_t qos_records_of_job(const job_record_t *job, struct maui_names *names)
{
	return qos_records_now(jobrec_qos(job), names);
}
