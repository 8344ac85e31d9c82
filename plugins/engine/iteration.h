/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_ITERATION_H
#define MAUI_ENGINE_ITERATION_H

/* One iteration: collect, visit, judge, publish. The engine's thread, no lock
 * held. */
void iteration_run(void);

#endif
