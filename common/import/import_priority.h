/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site's priorities as weights, caps and priorities of maui.cfg. D-IMP-2. */
#ifndef MAUI_IMPORT_PRIORITY_H
#define MAUI_IMPORT_PRIORITY_H

#include "common/import/import.h"
#include "common/import/import_factors.h"

/* Lines for the priority, and remarks for the parts that no line says. */
void maui_import_translate_priority(const struct maui_import_priority *priority,
				    struct maui_import *import);

#endif
