/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the bits that are set in array_bitmap, and writes them as ranges by
 * maui_task_list_write().
 */
#include "contribs/maui/slurm/slurm_tasks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/util/memory.h"
#include "common/util/slurm/task_list.h"
#include "contribs/maui/slurm/slurm_compat.h"

/* malloc'ed. */
static uint32_t *slurm_tasks_listed(bitstr_t *bitmap, size_t *ret_count)
{
	bitoff_t size = slurm_bit_size(bitmap);
	uint32_t *tasks = maui_calloc((size_t)size + 1, sizeof(*tasks));
	size_t count = 0;

	for (bitoff_t i = 0; i < size; i++)
		if (slurm_bit_test(bitmap, i))
			tasks[count++] = (uint32_t)i;
	*ret_count = count;
	return tasks;
}

char *slurm_waiting_tasks(const slurm_job_info_t *job)
{
	size_t count = 0, size;
	uint32_t *tasks = job->array_bitmap ? slurm_tasks_listed(job->array_bitmap, &count) : NULL;
	char *text = NULL;
	FILE *file = count ? open_memstream(&text, &size) : NULL;

	if (file) {
		maui_task_list_write(tasks, count, file);
		if (job->array_max_tasks)
			fprintf(file, "%%%" PRIu32, job->array_max_tasks);
		if (fclose(file)) {
			free(text);
			text = NULL;
		}
	}
	free(tasks);
	return text;
}
