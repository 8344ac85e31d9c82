/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers of the engine's, which a request has to repeat to change something: it was then made
 * for this engine, by somebody who has just asked it, and is no older request of his that another
 * process received on our port. Any thread.
 */
#ifndef MAUI_ENGINE_CHALLENGES_H
#define MAUI_ENGINE_CHALLENGES_H

#include <stdbool.h>
#include <sys/types.h>

#define CHALLENGE_SIZE    33 /* 16 bytes in hexadecimal, and the end of the text */
#define CHALLENGE_SECONDS 10

/* How many a user gets within so many seconds. */
#define CHALLENGES_OF_USER   20
#define CHALLENGES_OF_PERIOD 60
/* An administrator's of the last CHALLENGE_SECONDS, used or not: his oldest gives
 * way to a new one. */
#define CHALLENGES_OF_ADMIN 8
/* Of all users: the oldest of all gives way. */
#define CHALLENGES 512

/* A new one for this user, good for one request within CHALLENGE_SECONDS of now, monotonic seconds.
 * NULL, or why there is none. */
const char *challenge_make(uid_t uid, bool admin, double now, char ret_text[CHALLENGE_SIZE]);

/* Whether it is an unused one of this user's; it is used then. */
bool challenge_take(const char *text, uid_t uid, double now);

#endif
