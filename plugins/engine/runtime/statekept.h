/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files are kept as they are, unread and unwritten, because a later Slurm-Maui wrote them
 * (D-SYS-13): for those who ask for the engine's status.
 */
#ifndef MAUI_ENGINE_STATEKEPT_H
#define MAUI_ENGINE_STATEKEPT_H

/* This file has been looked at, and why it is kept; NULL: it is not. Any lock may be held. */
void statekept_note(const char *path, const char *why);

/* Calls see for each, in the order in which they were found; see must take no lock. Any lock may be
 * held. */
void statekept_each(void (*see)(const char *path, const char *why, void *context), void *context);

#endif
