/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The priorities of QOS and associations as weights and PRIORITY lines. */
#ifndef MAUI_IMPORT_CREDENTIALS_H
#define MAUI_IMPORT_CREDENTIALS_H

#include "common/import/import.h"
#include "common/import/import_factors.h"

/* For PriorityWeightQOS and PriorityWeightAssoc, where QOS and associations are known. */
void maui_import_translate_qos(const struct maui_import_priority *priority,
			       struct maui_import *import);
void maui_import_translate_assocs(const struct maui_import_priority *priority,
				  struct maui_import *import);

/* The greatest priority that there is; 0: none. */
uint32_t maui_import_greatest_qos(const struct maui_import_priority *priority);
uint32_t maui_import_greatest_assoc(const struct maui_import_priority *priority);

#endif
