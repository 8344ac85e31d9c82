/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of owners' reclaims, each checked when it is added, and their records
 * in the file `reclaims`.
 */
#include "common/state/reclaims.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

static void clear_reclaims(void *state)
{
	struct maui_reclaims *reclaims = state;

	maui_arena_free(reclaims->texts);
	free(reclaims->list);
	*reclaims = (struct maui_reclaims){0};
}

/* What a line can hold. */
static bool is_sound(const struct maui_reclaim *reclaim)
{
	size_t owner = strlen(reclaim->owner), nodes = strlen(reclaim->nodes);

	return owner && owner < MAUI_RECLAIMS_OWNER_SIZE && !strchr(reclaim->owner, '\n') &&
	       nodes < MAUI_RECLAIMS_NODES_SIZE && maui_statetext_is_name(reclaim->nodes, nodes) &&
	       reclaim->type < MAUI_CREDENTIALS && reclaim->job_id && reclaim->made >= 0 &&
	       reclaim->until > reclaim->made && reclaim->until <= MAUI_STATE_LAST_SECOND;
}

static const char *reclaims_keep(struct maui_reclaims *reclaims, const char *text)
{
	if (!reclaims->texts)
		reclaims->texts = maui_arena_new();
	return maui_arena_text(reclaims->texts, text, strlen(text));
}

int maui_reclaims_add(struct maui_reclaims *reclaims, const struct maui_reclaim *reclaim)
{
	struct maui_reclaim copy = *reclaim;

	if (!is_sound(reclaim))
		return -EINVAL;
	if (reclaims->count == MAUI_RECLAIMS_MAX)
		return -ENOSPC;
	reclaims->list =
		maui_grow(reclaims->list, reclaims->count + 1, &reclaims->room, sizeof(copy));
	copy.owner = reclaims_keep(reclaims, reclaim->owner);
	copy.nodes = reclaims_keep(reclaims, reclaim->nodes);
	reclaims->list[reclaims->count++] = copy;
	return 0;
}

/* ---- the file ---- */

static const struct maui_field reclaim_fields[] = {
	MAUI_TYPE(struct maui_reclaim, type),
	MAUI_NUMBER("JOB", struct maui_reclaim, job_id, 1, UINT32_MAX),
	MAUI_TIME("MADE", struct maui_reclaim, made),
	MAUI_TIME("UNTIL", struct maui_reclaim, until),
	MAUI_NUMBER("SETTLED", struct maui_reclaim, settled, 0, 1),
	MAUI_TEXT_AT("NODES", NAME, struct maui_reclaim, nodes, MAUI_RECLAIMS_NODES_SIZE),
	MAUI_TEXT_AT("OWNER", REST, struct maui_reclaim, owner, MAUI_RECLAIMS_OWNER_SIZE),
};
static const struct maui_record records[] = {MAUI_RECORD("reclaim", reclaim_fields)};

static int take_reclaim(void *reclaims, struct maui_state_line *line)
{
	int rc = maui_reclaims_add(reclaims, line->members);

	return rc == -ENOSPC ? -EINVAL : rc;
}

const struct maui_state_file maui_reclaims_file = {
	.name = "reclaims",
	.version = 1,
	.limit = MAUI_RECLAIMS_MAX_SIZE,
	MAUI_STATE_RECORDS(records),
	MAUI_STATE_LIST(struct maui_reclaims, list, struct maui_reclaim),
	.take = take_reclaim,
	.clear = clear_reclaims,
	.lost = "what owners have taken back and not got yet is anybody's",
	.kept = "what owners take back and have not got when slurmctld ends is anybody's",
	.waits = "what owners have taken back and not got yet is anybody's",
	.forgets = "what owners have taken back and not got yet",
};
