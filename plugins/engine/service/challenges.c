/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes challenges with getrandom() and keeps them in a fixed table, with user
 * and time. A used one loses its text.
 */
#include "plugins/engine/service/challenges.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "plugins/engine/runtime/lock.h"

struct challenge {
	double made; /* monotonic seconds */
	uid_t uid;
	char text[CHALLENGE_SIZE]; /* "": it has been used, or is none */
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

/* A user's rows that are younger than so many seconds. */
struct rows {
	struct challenge *oldest;
	size_t count;
};

LOCKED_BY(own) static struct rows rows_of(uid_t uid, double now, double seconds)
{
	struct rows rows = {NULL, 0};

	for (size_t i = 0; i < CHALLENGES; i++) {
		struct challenge *one = &challenges[i];

		if (one->uid != uid || one->made <= now - seconds)
			continue;
		rows.count++;
		if (!rows.oldest || one->made < rows.oldest->made)
			rows.oldest = one;
	}
	return rows;
}

LOCKED_BY(own) static struct challenge *oldest_of_all(void)
{
	struct challenge *oldest = &challenges[0];

	for (size_t i = 1; i < CHALLENGES; i++)
		if (challenges[i].made < oldest->made)
			oldest = &challenges[i];
	return oldest;
}

/* NULL: the user has had enough. */
LOCKED_BY(own) static struct challenge *row_for(uid_t uid, bool admin, double now)
{
	struct rows his = rows_of(uid, now, admin ? CHALLENGE_SECONDS : CHALLENGES_OF_PERIOD);

	if (admin && his.count >= CHALLENGES_OF_ADMIN)
		return his.oldest;
	return admin || his.count < CHALLENGES_OF_USER ? oldest_of_all() : NULL;
}

const char *challenge_make(uid_t uid, bool admin, double now, char ret_text[CHALLENGE_SIZE])
{
	struct challenge *row;

	if (!make_text(ret_text))
		return "the kernel gives no random numbers";
	mutex_lock(&own);
	row = row_for(uid, admin, now);
	if (row) {
		*row = (struct challenge){.uid = uid, .made = now};
		memcpy(row->text, ret_text, CHALLENGE_SIZE);
	}
	mutex_unlock(&own);
	return row ? NULL
		   : "you have asked for 20 changes within a minute, as many as a user may: wait";
}

bool challenge_take(const char *text, uid_t uid, double now)
{
	bool found = false;

	mutex_lock(&own);
	for (size_t i = 0; *text && i < CHALLENGES && !found; i++) {
		struct challenge *one = &challenges[i];

		if (one->uid != uid || one->made <= now - CHALLENGE_SECONDS ||
		    strcmp(one->text, text) != 0)
			continue;
		one->text[0] = '\0';
		found = true;
	}
	mutex_unlock(&own);
	return found;
}
