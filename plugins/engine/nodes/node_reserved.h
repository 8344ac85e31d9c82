/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LASTAVAILABLE: until when each node is free of reservations. */
#ifndef MAUI_ENGINE_NODE_RESERVED_H
#define MAUI_ENGINE_NODE_RESERVED_H

#include <stdint.h>

/*
 * The start of each node's next reservation, by index: MAUI_NODE_FOREVER where
 * there is none. Valid until the next call, which is cheap as long as
 * reservations do not change. Node read lock; one caller at a time.
 */
const int64_t *node_reserved_from(uint32_t nodes, int64_t now);

#endif
