/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of our reservations (common/state/rsv_names.h) in this process and on disk:
 * StateSaveLocation/maui/reservations. */
#ifndef MAUI_ENGINE_RSV_BOOK_H
#define MAUI_ENGINE_RSV_BOOK_H

#include "plugins/compat/base.h"
#include "common/state/rsv_names.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/state.h"

/* The names. The mutex is held. */
ENGINE_LOCKED struct maui_rsv_names *rsv_book(void);

/* Whether it is unknown which were ours. The mutex is held. */
ENGINE_LOCKED bool rsv_book_is_lost(void);

/* Whether that will be known once the file can be read (D-SYS-15): until then those that look like
 * ours stay as they are, and closed. The mutex is held. */
ENGINE_LOCKED bool rsv_book_is_unread(void);

/* Whether we made this reservation, whatever has been changed of it since: by its name and its
 * mark, or, without the mark, by its number in Slurm as long as this process has seen both. The
 * mutex is held; node read lock. */
ENGINE_LOCKED bool rsv_book_is_ours(const slurmctld_resv_t *reservation);

/* Note whether an operation left the names different from those on disk. The mutex is held. */
ENGINE_LOCKED void rsv_book_changed(bool changed);

/* Write the file if it is out of date. No lock held; the engine's thread. 0 or a negative errno
 * with the reason, which is logged, too. */
int rsv_book_save(struct maui_error *why);

extern struct state_file reservations_file; /* its members say what guards them */
extern const struct module rsv_book_module;

#endif
