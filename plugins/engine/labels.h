/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of users and groups seen so far: files and texts use names, Slurm's records numbers. */
#ifndef MAUI_ENGINE_LABELS_H
#define MAUI_ENGINE_LABELS_H

/* Ask the name service for those that have appeared since the last time. No lock held; the engine's
 * thread. */
void labels_ask(void);

#endif
