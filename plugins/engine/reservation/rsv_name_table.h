/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of our reservations (common/state/rsv_names.h) in this process and on disk:
 * StateSaveLocation/maui/reservations. */
#ifndef MAUI_ENGINE_RSV_NAME_TABLE_H
#define MAUI_ENGINE_RSV_NAME_TABLE_H

#include "plugins/compat/base.h"
#include "common/state/rsv_names.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/state.h"

/* The names. The mutex is held. */
ENGINE_LOCKED struct maui_rsv_names *rsv_name_table(void);

/* Increases when the names of a file are taken over, at the beginning or late. The mutex is held. */
ENGINE_LOCKED uint64_t rsv_name_table_generation(void);

/* Whether it is unknown which were ours. The mutex is held. */
ENGINE_LOCKED bool rsv_name_table_is_lost(void);

/* Whether that will be known once the file can be read (D-SYS-15): until then those that look like
 * ours stay as they are, and closed. The mutex is held. */
ENGINE_LOCKED bool rsv_name_table_is_unread(void);

/* Whether we made this reservation, whatever has been changed of it since: by its name and its
 * mark, or, without the mark, by its number in Slurm as long as this process has seen both. The
 * mutex is held; node read lock. */
ENGINE_LOCKED bool rsv_name_table_is_ours(const slurmctld_resv_t *reservation);

/* Note whether an operation left the names different from those on disk. The mutex is held. */
ENGINE_LOCKED void rsv_name_table_changed(bool changed);

/* Write the file if it is out of date. No lock held; the engine's thread. 0 or a negative errno
 * with the reason, which is logged, too. */
int rsv_name_table_save(struct maui_error *why);

extern struct state_file reservations_file; /* its members say what guards them */
extern const struct module rsv_name_table_module;

#endif
