/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts requests under way and unsent bytes, for each user and in all. A token
 * bucket for each user refills by BOUND_RATE each second, up to BOUND_BURST.
 */
#include "plugins/engine/service/bounds.h"

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

#define MIB             ((size_t)1 << 20)
#define BYTES_ALL       (BOUND_MIB * MIB)
#define BYTES_USERS     ((BOUND_MIB - BOUND_MIB_RESERVE) * MIB)
#define BYTES_USER      (BOUND_MIB_USER * MIB)
#define REQUESTS_USERS  (BOUND_REQUESTS - BOUND_REQUESTS_RESERVE)
#define SIZE_OF_REQUEST ((size_t)64 << 10)

/* Twice as many as can have a request under way: one is always free. */
#define ROWS ((size_t)2 * BOUND_REQUESTS)

/* A user who has a request under way, or has had one lately. */
struct row {
	uid_t uid;
	size_t requests, bytes;
	double saved; /* requests that he may send at once */
	double last;  /* when that was so; 0: a free row */
};

/* The service's thread alone. */
static struct {
	struct row rows[ROWS];
	size_t requests, bytes;
} bounds;

/* That of the user, or that of the one who has been away longest, as his from now on. */
static struct row *row_of(uid_t uid, double now)
{
	struct row *oldest = NULL;

	for (size_t i = 0; i < ROWS; i++) {
		struct row *row = &bounds.rows[i];

		if (row->last > 0 && row->uid == uid)
			return row;
		if (!row->requests && (!oldest || row->last < oldest->last))
			oldest = row;
	}
	*oldest = (struct row){.uid = uid, .saved = BOUND_BURST, .last = now};
	return oldest;
}

static bool is_too_fast(struct row *row, size_t size, double now)
{
	size_t more = size / SIZE_OF_REQUEST;
	double cost = 1 + (double)more;

	row->saved += (now - row->last) * BOUND_RATE;
	if (row->saved > BOUND_BURST)
		row->saved = BOUND_BURST;
	row->last = now;
	if (row->saved < cost)
		return true;
	row->saved -= cost;
	return false;
}

const char *bounds_enter(uid_t uid, bool privileged, size_t size, double now)
{
	struct row *row = row_of(uid, now);

	if (!privileged && is_too_fast(row, size, now))
		return "you send more than " TEXT(BOUND_RATE) " requests a second: wait a moment";
	if (!privileged && row->requests >= BOUND_REQUESTS_USER)
		return "you have " TEXT(BOUND_REQUESTS_USER) " requests under way, as many as a "
							     "user may: wait for their answers";
	if (bounds.requests >= (privileged ? BOUND_REQUESTS : REQUESTS_USERS))
		return "the service has as many requests of all users under way as it takes: try "
		       "again";
	row->last = now;
	row->requests++;
	bounds.requests++;
	return NULL;
}

/* Of one who has entered: his row stays. */
static struct row *bounds_entered(uid_t uid)
{
	return row_of(uid, 1);
}

void bounds_leave(uid_t uid)
{
	bounds_entered(uid)->requests--;
	bounds.requests--;
}

const char *bounds_take(uid_t uid, bool privileged, size_t bytes)
{
	struct row *row = bounds_entered(uid);

	if (!privileged && row->bytes + bytes > BYTES_USER)
		return "the answers that you have not read would exceed " TEXT(
			BOUND_MIB_USER) " MiB, which is all that a user may have: ask for less, or "
					"read them first";
	if (bounds.bytes + bytes > (privileged ? BYTES_ALL : BYTES_USERS))
		return "the answers that all users have not read would exceed what the service "
		       "keeps: try again";
	row->bytes += bytes;
	bounds.bytes += bytes;
	return NULL;
}

void bounds_give(uid_t uid, size_t bytes)
{
	bounds_entered(uid)->bytes -= bytes;
	bounds.bytes -= bytes;
}
