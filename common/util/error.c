/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats a struct maui_error's text by vsnprintf(). */
#include "common/util/error.h"

#include <stdarg.h>
#include <stdio.h>

int maui_error_set(struct maui_error *error, int code, const char *format, ...)
{
	if (error) {
		va_list args;

		va_start(args, format);
		vsnprintf(error->text, sizeof(error->text), format, args);
		va_end(args);
	}
	return -code;
}
