/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between rsv_setres.c, which takes orders and carries out those of setres, and rsv_releaseres.c,
 * which carries out the others. The engine's thread. */
#ifndef MAUI_ENGINE_RSV_SETRES_PRIVATE_H
#define MAUI_ENGINE_RSV_SETRES_PRIVATE_H

#include "plugins/engine/reservation/rsv_setres.h"

/* Why nothing was done, instead of what was said before. */
void rsv_order_refuse(struct rsv_order *order, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Rolls at once. No lock held. */
void rsv_setres_roll(void);

/* Releases the reservations of the order's names that may be, and tells in its data what has become
 * of each. No lock held. */
void rsv_releaseres(struct rsv_order *order);

#endif
