/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of the service one user may have, and all together: those of a user come first, so that
 * nobody is kept out by another. root and SlurmUser, `privileged`, have no bounds of their own, and a
 * reserve in those of all. No lock: the service's thread alone.
 */
#ifndef MAUI_ENGINE_BOUNDS_H
#define MAUI_ENGINE_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Requests under way: read, and their answers not yet sent. */
#define BOUND_REQUESTS         64
#define BOUND_REQUESTS_RESERVE 8
#define BOUND_REQUESTS_USER    16

/* Answers that have not been sent, MiB. */
#define BOUND_MIB         256
#define BOUND_MIB_RESERVE 32
#define BOUND_MIB_USER    96

/* Requests a second of one user, and how many he may save up; each begun 64 KiB counts as one. */
#define BOUND_RATE  50
#define BOUND_BURST 250

/* One request more of so many bytes, at this moment (monotonic seconds). NULL, or why not. */
const char *bounds_enter(uid_t uid, bool privileged, size_t size, double now);
/* The end of one that has entered. */
void bounds_leave(uid_t uid);

/* So many bytes more of answers to one that has entered. NULL, or why not. */
const char *bounds_take(uid_t uid, bool privileged, size_t bytes);
void bounds_give(uid_t uid, size_t bytes);

#endif
