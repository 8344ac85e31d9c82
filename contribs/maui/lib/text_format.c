/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats texts by maui_vasprintf(), which ends the command when memory is
 * short, and local times by strftime().
 */
#include "contribs/maui/lib/text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/util/memory.h"
#include "common/util/text.h"

#define UTF8_SIZE 4 /* bytes of the longest character */

char *text_vprintf(const char *format, va_list arguments)
{
	return maui_vasprintf(format, arguments);
}

char *text_printf(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_vprintf(format, arguments);
	va_end(arguments);
	return text;
}

char *text_copy(const char *text)
{
	return maui_strdup(text);
}

const char *text_date(int64_t seconds, const char *otherwise, char text[TEXT_DATE_SIZE])
{
	time_t moment = (time_t)seconds;
	struct tm local;

	if (!localtime_r(&moment, &local) ||
	    !strftime(text, TEXT_DATE_SIZE, "%Y-%m-%dT%H:%M:%S", &local))
		snprintf(text, TEXT_DATE_SIZE, "%s", otherwise);
	return text;
}

size_t text_character(const char *text)
{
	return maui_printable_character(text, strnlen(text, UTF8_SIZE));
}
