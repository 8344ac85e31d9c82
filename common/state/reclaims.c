/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/state/reclaims.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/first_lines.h"
#include "common/state/text.h"
#include "common/util/grow.h"

#define NUMBERS_SIZE 96 /* "reclaim account " and four numbers */

void maui_reclaims_clear(struct maui_reclaims *reclaims)
{
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
	       reclaim->until > reclaim->made && reclaim->until <= MAUI_RECLAIMS_MAX_TIME;
}

static const char *keep(struct maui_reclaims *reclaims, const char *text)
{
	if (!reclaims->texts)
		reclaims->texts = maui_arena_new();
	return reclaims->texts ? maui_arena_text(reclaims->texts, text, strlen(text)) : NULL;
}

int maui_reclaims_add(struct maui_reclaims *reclaims, const struct maui_reclaim *reclaim)
{
	struct maui_reclaim *grown, copy = *reclaim;

	if (!is_sound(reclaim))
		return -EINVAL;
	if (reclaims->count == MAUI_RECLAIMS_MAX)
		return -ENOSPC;
	grown = maui_grow(reclaims->list, reclaims->count + 1, &reclaims->room, sizeof(*grown));
	if (grown)
		reclaims->list = grown;
	copy.owner = keep(reclaims, reclaim->owner);
	copy.nodes = keep(reclaims, reclaim->nodes);
	if (!grown || !copy.owner || !copy.nodes)
		return -ENOMEM;
	reclaims->list[reclaims->count++] = copy;
	return 0;
}

/* "reclaim TYPE JOB MADE UNTIL SETTLED NODES OWNER" */
static int parse_line(struct maui_statetext_words words, void *context, const char **why)
{
	char owner[MAUI_RECLAIMS_OWNER_SIZE], nodes[MAUI_RECLAIMS_NODES_SIZE];
	struct maui_reclaim reclaim = {.owner = owner, .nodes = nodes};
	int64_t job_id, settled;
	int rc;

	(void)why;
	if (!maui_statetext_word(&words, "reclaim ") ||
	    !maui_statetext_credential(&words, &reclaim.type) ||
	    !maui_statetext_number(&words, 1, UINT32_MAX, &job_id) ||
	    !maui_statetext_number(&words, 0, MAUI_RECLAIMS_MAX_TIME, &reclaim.made) ||
	    !maui_statetext_number(&words, 0, MAUI_RECLAIMS_MAX_TIME, &reclaim.until) ||
	    !maui_statetext_number(&words, 0, 1, &settled) ||
	    !maui_statetext_name(&words, nodes, sizeof(nodes)) ||
	    !maui_statetext_rest(&words, owner, sizeof(owner)))
		return -EINVAL;
	reclaim.job_id = (uint32_t)job_id;
	reclaim.settled = settled;
	rc = maui_reclaims_add(context, &reclaim);
	return rc == -ENOMEM ? rc : (rc ? -EINVAL : 0);
}

int maui_reclaims_parse(const char *text, size_t size, struct maui_reclaims *ret_reclaims,
			struct maui_error *error)
{
	struct maui_reclaims reclaims = {0};
	int rc = maui_statetext_parse(text, size, MAUI_FIRST_LINE_RECLAIMS, parse_line, &reclaims,
				      error);

	if (rc)
		maui_reclaims_clear(&reclaims);
	else
		*ret_reclaims = reclaims;
	return rc;
}

int maui_reclaims_format(const struct maui_reclaims *reclaims, char **ret_text, size_t *ret_size)
{
	size_t room = sizeof(MAUI_FIRST_LINE_RECLAIMS) + MAUI_STATETEXT_END_SIZE;
	char *text, *at;

	for (size_t i = 0; i < reclaims->count; i++)
		room += NUMBERS_SIZE + strlen(reclaims->list[i].owner) +
			strlen(reclaims->list[i].nodes);
	text = at = malloc(room);
	if (!text)
		return -ENOMEM;
	at += sprintf(at, "%s", MAUI_FIRST_LINE_RECLAIMS);
	for (size_t i = 0; i < reclaims->count; i++) {
		const struct maui_reclaim *reclaim = &reclaims->list[i];

		at += sprintf(at, "reclaim %s %" PRIu32 " %" PRId64 " %" PRId64 " %d %s %s\n",
			      maui_credential_name(reclaim->type), reclaim->job_id, reclaim->made,
			      reclaim->until, reclaim->settled, reclaim->nodes, reclaim->owner);
	}
	*ret_text = text;
	*ret_size = maui_statetext_seal(text, (size_t)(at - text));
	return 0;
}
