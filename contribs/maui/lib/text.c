/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/lib/text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "contribs/maui/lib/command.h"

char *text_vprintf(const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0)
		exit_out_of_memory();
	return text;
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
	char *copy = strdup(text);

	if (!copy)
		exit_out_of_memory();
	return copy;
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
	const unsigned char *c = (const unsigned char *)text;
	size_t more = *c < 0x80   ? 0
		      : *c < 0xc2 ? 9
		      : *c < 0xe0 ? 1
		      : *c < 0xf0 ? 2
		      : *c < 0xf5 ? 3
				  : 9;

	if (more == 9)
		return 0;
	for (size_t i = 1; i <= more; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	if ((*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] > 0x9f) ||
	    (*c == 0xf0 && c[1] < 0x90) || (*c == 0xf4 && c[1] > 0x8f))
		return 0;
	return more + 1;
}
