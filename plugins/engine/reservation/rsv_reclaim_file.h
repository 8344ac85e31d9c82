/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file `reclaims` of the state directory: what owners have taken back and not got yet. From
 * Slurm 23.11 on a reconfigure is a new process (S-ENG-1), and a reclaim takes minutes.
 */
#ifndef MAUI_ENGINE_RSV_RECLAIM_FILE_H
#define MAUI_ENGINE_RSV_RECLAIM_FILE_H

#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/state.h"

/* What it holds has changed. The mutex is held. */
ENGINE_LOCKED void rsv_reclaim_file_changed(void);

extern struct state_file reclaims_file; /* its members say what guards them */
extern const struct module rsv_reclaim_file_module;

#endif
