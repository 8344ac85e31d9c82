/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_ITERATION_H
#define MAUI_ENGINE_ITERATION_H

/* One iteration: collect, accrue, evaluate, store, publish. No lock held. */
void iteration_run(void);

#endif
