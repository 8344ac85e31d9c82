/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares a job's credentials with OWNER, computes when a reclaim ends, and
 * reports a PreemptType or PreemptMode under which OWNERPREEMPT has no effect.
 */
#include "common/policy/reservation/sr_owner.h"

bool maui_sr_owner_takes_back(const struct maui_sr *sr)
{
	return (sr->flags & MAUI_SR_OWNERPREEMPT) && sr->owner_type < MAUI_CREDENTIALS && sr->owner;
}

bool maui_sr_is_owner(const struct maui_sr *sr, const uint32_t credential[MAUI_CREDENTIALS])
{
	return sr->owner_type < MAUI_CREDENTIALS && sr->owner &&
	       credential[sr->owner_type] == sr->owner;
}

static int64_t at_most(int64_t value, int64_t limit)
{
	if (value < 0)
		return 0;
	return value < limit ? value : limit;
}

int64_t maui_sr_reclaim_end(int64_t now, int64_t grace, int64_t kill_wait, int64_t timeout)
{
	int64_t wait = at_most(grace, MAUI_SR_RECLAIM_LONGEST) +
		       at_most(kill_wait, MAUI_SR_RECLAIM_LONGEST) +
		       at_most(timeout, MAUI_SR_RECLAIM_LONGEST) + MAUI_SR_RECLAIM_PATIENCE;

	return now + at_most(wait, MAUI_SR_RECLAIM_LONGEST);
}

enum maui_sr_preemption maui_sr_preemption(bool loaded, bool requeues_or_cancels, bool off,
					   bool inner)
{
	if (!loaded)
		return MAUI_SR_OTHER_PLUGIN;
	return requeues_or_cancels || (inner && !off) ? MAUI_SR_PREEMPTS : MAUI_SR_OTHER_MODE;
}

const char *maui_sr_owner_lack(unsigned int flags, enum maui_sr_preemption preemption)
{
	if (!(flags & MAUI_SR_OWNERPREEMPT))
		return NULL;
	switch (preemption) {
	case MAUI_SR_OTHER_PLUGIN:
		return "FLAGS=OWNERPREEMPT has no effect: PreemptType is not preempt/maui";
	case MAUI_SR_OTHER_MODE:
		return "FLAGS=OWNERPREEMPT has no effect: PreemptMode is neither REQUEUE nor "
		       "CANCEL";
	default:
		return NULL;
	}
}

const char *maui_sr_object_lack(const struct maui_object *object,
				enum maui_sr_preemption preemption)
{
	const struct maui_value *value = maui_object_get(object, MAUI_ATTR_FLAGS);
	unsigned int flags = 0;

	for (size_t i = 0; value && i < value->list_size; i++)
		flags |= maui_sr_flag_find(value->list[i]);
	return maui_sr_owner_lack(flags, preemption);
}
