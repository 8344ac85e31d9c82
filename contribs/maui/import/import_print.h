/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remarks as comments of 80 columns. */
#ifndef MAUI_IMPORT_PRINT_H
#define MAUI_IMPORT_PRINT_H

#include <stdio.h>

#include "common/import/import.h"

/* Those of one fate below a heading; nothing if there are none. */
void import_print_remarks(FILE *file, const struct maui_import *import, enum maui_import_fate fate,
			  const char *heading);

#endif
