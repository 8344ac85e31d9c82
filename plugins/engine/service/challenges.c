/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/service/challenges.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "plugins/engine/runtime/lock.h"

struct challenge {
	uid_t uid;
	double until; /* monotonic seconds; past: a free row */
	char text[CHALLENGE_SIZE];
};

/* Taken last. */
static struct mutex own = {PTHREAD_MUTEX_INITIALIZER};

GUARDED_BY(own) static struct challenge challenges[CHALLENGES];

static bool make_text(char ret_text[CHALLENGE_SIZE])
{
	unsigned char bytes[CHALLENGE_SIZE / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return false;
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret_text + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

/* All live equally long: a free row ended before any other, and the row that ends first is the
 * oldest. */
LOCKED_BY(own) static struct challenge *row_for(uid_t uid, double now)
{
	struct challenge *oldest = &challenges[0], *his = NULL;
	size_t count = 0;

	for (size_t i = 0; i < CHALLENGES; i++) {
		struct challenge *one = &challenges[i];

		if (one->until < oldest->until)
			oldest = one;
		if (one->uid != uid || one->until <= now)
			continue;
		count++;
		if (!his || one->until < his->until)
			his = one;
	}
	return count < CHALLENGES_OF_USER ? oldest : his;
}

bool challenge_make(uid_t uid, double now, char ret_text[CHALLENGE_SIZE])
{
	struct challenge *row;

	if (!make_text(ret_text))
		return false;
	mutex_lock(&own);
	row = row_for(uid, now);
	row->uid = uid;
	row->until = now + CHALLENGE_SECONDS;
	memcpy(row->text, ret_text, CHALLENGE_SIZE);
	mutex_unlock(&own);
	return true;
}

bool challenge_take(const char *text, uid_t uid, double now)
{
	bool found = false;

	mutex_lock(&own);
	for (size_t i = 0; i < CHALLENGES && !found; i++) {
		struct challenge *one = &challenges[i];

		if (one->uid != uid || one->until <= now || strcmp(one->text, text) != 0)
			continue;
		one->until = 0;
		found = true;
	}
	mutex_unlock(&own);
	return found;
}
