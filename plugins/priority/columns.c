/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rounds each component to its column and limits SITE to 32 bits. The
 * difference from priority plus nice goes into the largest other column.
 */
#include "plugins/priority/columns.h"

#include <math.h>
#include <stdlib.h>

/*
 * sprio adds seven doubles: if each is below this, every partial sum is a whole number that a
 * double holds exactly.
 */
#define MAX_COLUMN 281474976710656.0 /* 2^48 */

static int64_t columns_whole(double value)
{
	if (value > MAX_COLUMN)
		return (int64_t)MAX_COLUMN;
	if (value < -MAX_COLUMN)
		return (int64_t)-MAX_COLUMN;
	return llround(value);
}

/* SITE has 32 bits on the wire. Returns what did not fit. */
static int64_t saturate_site(int64_t *site)
{
	int64_t wanted = *site;

	if (wanted > INT32_MAX)
		*site = INT32_MAX;
	else if (wanted < INT32_MIN)
		*site = INT32_MIN;
	return wanted - *site;
}

/* The largest column takes the remainder; SITE never does, as it has no room to spare. */
static int64_t *columns_largest(struct priority_columns *columns)
{
	int64_t *candidates[] = {&columns->age,      &columns->association, &columns->fairshare,
				 &columns->job_size, &columns->partition,   &columns->qos};
	int64_t *best = candidates[0];

	for (size_t i = 1; i < sizeof(candidates) / sizeof(candidates[0]); i++)
		if (llabs(*candidates[i]) > llabs(*best))
			best = candidates[i];
	return best;
}

void priority_columns(const struct maui_priority_result *result, int64_t base, int64_t site_factor,
		      int64_t nice, uint32_t priority, struct priority_columns *ret_columns)
{
	const double *weighted = result->weighted;
	struct priority_columns columns = {
		.age = columns_whole(weighted[MAUI_SERV]),
		.association =
			columns_whole(weighted[MAUI_CRED] - result->cred_class - result->cred_qos),
		.fairshare = columns_whole(weighted[MAUI_FS]),
		.job_size = columns_whole(weighted[MAUI_RES]),
		.partition = columns_whole(result->cred_class),
		.qos = columns_whole(result->cred_qos),
		.site = columns_whole(weighted[MAUI_TARG]) + columns_whole(weighted[MAUI_USAGE]) +
			base + site_factor,
	};
	int64_t sum;

	columns.age += saturate_site(&columns.site);
	sum = columns.age + columns.association + columns.fairshare + columns.job_size +
	      columns.partition + columns.qos + columns.site;
	*columns_largest(&columns) += (int64_t)priority + nice - sum;
	*ret_columns = columns;
}
