/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread and one queue for each lane. Requests of one user get successive
 * turns; within a turn each user has one.
 */
#include "plugins/engine/service/lanes.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/monotonic.h"

/* Taken last. */
static struct mutex own = {PTHREAD_MUTEX_INITIALIZER};

struct lane {
	bool started;
	struct lane_task *queue; /* in the order of turns, those of one turn as they came */
	uint64_t turn;           /* of the last one taken */
	pthread_cond_t filled;
};

GUARDED_BY(own) static struct lane lanes[REQUEST_LANES];
GUARDED_BY(own) static int wake_fd = -1;

/* Up to 15 bytes. */
static const char *const names[REQUEST_LANES] = {
	[REQUEST_SHORT] = "maui-short",   [REQUEST_JOBS] = "maui-jobs",
	[REQUEST_NODES] = "maui-nodes",   [REQUEST_WHATIF] = "maui-whatif",
	[REQUEST_CHANGE] = "maui-change",
};

/* What a thread is given: which lane is its own. */
static const enum request_lane numbers[REQUEST_LANES] = {
	REQUEST_SHORT, REQUEST_JOBS, REQUEST_NODES, REQUEST_WHATIF, REQUEST_CHANGE,
};

/* ---- turns ---- */

/* A user's next request has the turn after his last one that waits; who has none waiting is next.
 * That of a privileged one is 0. */
LOCKED_BY(own) static uint64_t turn_of(const struct lane *lane, const struct lane_task *task)
{
	uint64_t turn = lane->turn;

	if (task->privileged)
		return 0;
	for (const struct lane_task *at = lane->queue; at; at = at->next)
		if (!at->privileged && at->turn >= turn &&
		    request_uid(at->request) == request_uid(task->request))
			turn = at->turn + 1;
	return turn;
}

LOCKED_BY(own) static void enqueue(struct lane *lane, struct lane_task *task)
{
	struct lane_task **at = &lane->queue;

	task->turn = turn_of(lane, task);
	while (*at && (*at)->turn <= task->turn)
		at = &(*at)->next;
	task->next = *at;
	*at = task;
}

/* ---- a thread ---- */

/* Waits for one. */
LOCKED_BY(own) LOCK_NOT_FOLLOWED static struct lane_task *take(struct lane *lane)
{
	struct lane_task *task;

	while (!lane->queue)
		pthread_cond_wait(&lane->filled, &own.mutex);
	task = lane->queue;
	lane->queue = task->next;
	if (!task->privileged)
		lane->turn = task->turn;
	return task;
}

static void lane_answer(struct lane_task *task)
{
	bool changes = request_lane(task->request) == REQUEST_CHANGE;
	double patience = changes ? LANE_PATIENCE_CHANGE : LANE_PATIENCE;

	if (monotonic_seconds() - task->since > patience)
		task->answer = request_refuse(task->request,
					      "the service is busy with other requests: nothing "
					      "was done, try again",
					      &task->size);
	else
		task->answer = request_carry_out(task->request, &task->size);
}

/* A full pipe is no failure: then the service's thread is about to wake up anyway. */
static void tell_done(struct lane_task *task)
{
	ssize_t written;

	mutex_lock(&own);
	task->done = true;
	written = write(wake_fd, "", 1);
	mutex_unlock(&own);
	(void)written;
}

static void *lane_work(void *context)
{
	enum request_lane which = *(const enum request_lane *)context;

	prctl(PR_SET_NAME, names[which], NULL, NULL, NULL);
	for (;;) {
		struct lane_task *task;

		mutex_lock(&own);
		task = take(&lanes[which]);
		mutex_unlock(&own);
		lane_answer(task);
		tell_done(task);
	}
	return NULL;
}

LOCKED_BY(own) static bool start(enum request_lane which)
{
	struct lane *lane = &lanes[which];
	pthread_t thread;

	if (lane->started)
		return true;
	pthread_cond_init(&lane->filled, NULL);
	if (pthread_create(&thread, NULL, lane_work, (void *)&numbers[which]))
		return false;
	pthread_detach(thread);
	lane->started = true;
	return true;
}

/* ---- the service's thread ---- */

void lanes_begin(int wake)
{
	mutex_lock(&own);
	wake_fd = wake;
	mutex_unlock(&own);
}

bool lanes_put(struct lane_task *task)
{
	enum request_lane which = request_lane(task->request);
	bool started;

	mutex_lock(&own);
	started = start(which);
	if (started) {
		task->since = monotonic_seconds();
		enqueue(&lanes[which], task);
		pthread_cond_signal(&lanes[which].filled);
	}
	mutex_unlock(&own);
	return started;
}

bool lanes_done(struct lane_task *task)
{
	bool done;

	mutex_lock(&own);
	done = task->done;
	mutex_unlock(&own);
	return done;
}
