/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of users and groups who have come up: files and texts speak of names, Slurm's records
 * of numbers. */
#ifndef MAUI_ENGINE_LABELS_H
#define MAUI_ENGINE_LABELS_H

/* Ask the name service for those who came since the last time. No lock held; the engine's
 * thread. */
void labels_ask(void);

#endif
