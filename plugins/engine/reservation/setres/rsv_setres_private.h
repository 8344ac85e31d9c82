/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by rsv_setres.c, which takes orders and carries out setres, and rsv_releaseres.c, which
 * carries out releaseres. The engine's thread. */
#ifndef MAUI_ENGINE_RSV_SETRES_PRIVATE_H
#define MAUI_ENGINE_RSV_SETRES_PRIVATE_H

#include "plugins/engine/reservation/setres/rsv_setres.h"

/* Set the reason why nothing was done, replacing any earlier one. */
void rsv_order_refuse(struct rsv_order *order, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Roll at once. No lock held. */
void rsv_setres_roll(void);

/* Release those of the order's reservations that may be released, and report the outcome of each in
 * its data. No lock held. */
void rsv_releaseres(struct rsv_order *order);

#endif
