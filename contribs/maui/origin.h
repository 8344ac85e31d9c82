/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ORIGIN_H
#define MAUI_ORIGIN_H

#include "common/config/config.h"

/* Where the file first speaks of an object: the column is that of the section's name. */
struct maui_origin object_origin(const struct maui_config *config,
				 const struct maui_object *object);

#endif
