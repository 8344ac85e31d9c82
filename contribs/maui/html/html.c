/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Escapes <, >, & and quotation marks in texts, and has its own printf parser
 * for %s, %d, %zu, PRId64 and %.1f.
 */
#include "contribs/maui/html/html.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "contribs/maui/lib/text.h"

void html_bytes(struct html *html, const char *bytes, size_t size)
{
	html->text = maui_grow(html->text, html->size + size + 1, &html->room, 1);
	memcpy(html->text + html->size, bytes, size);
	html->size += size;
	html->text[html->size] = '\0';
}

static void add_literal(struct html *html, const char *text)
{
	html_bytes(html, text, strlen(text));
}

void html_text(struct html *html, const char *text)
{
	while (*text) {
		size_t size = text_character(text);

		if (!size)
			add_literal(html, "?");
		else if (*text == '<')
			add_literal(html, "&lt;");
		else if (*text == '>')
			add_literal(html, "&gt;");
		else if (*text == '&')
			add_literal(html, "&amp;");
		else if (*text == '"')
			add_literal(html, "&quot;");
		else if (*text == '\'')
			add_literal(html, "&#39;");
		else
			html_bytes(html, text, size);
		text += size ? size : 1;
	}
}

static void add_integer(struct html *html, int64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, number);
	add_literal(html, text);
}

static void add_real(struct html *html, int digits, double number)
{
	char text[400];

	snprintf(text, sizeof(text), "%.*f", digits, isfinite(number) ? number : 0);
	/* No "-0.0". */
	add_literal(html, *text == '-' && !text[strspn(text, "-0.")] ? text + 1 : text);
}

/* Whether the format goes on with a specification, which is then passed. */
static bool html_takes(const char **format, const char *specification)
{
	size_t size = strlen(specification);

	if (strncmp(*format, specification, size) != 0)
		return false;
	*format += size;
	return true;
}

void html_add(struct html *html, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	while (*format) {
		size_t plain = strcspn(format, "%");

		html_bytes(html, format, plain);
		format += plain;
		if (html_takes(&format, "%s")) {
			html_text(html, va_arg(values, const char *));
		} else if (html_takes(&format, "%d")) {
			add_integer(html, va_arg(values, int));
		} else if (html_takes(&format, "%zu")) {
			add_integer(html, (int64_t)va_arg(values, size_t));
		} else if (html_takes(&format, "%" PRId64)) {
			add_integer(html, va_arg(values, int64_t));
		} else if (html_takes(&format, "%%")) {
			add_literal(html, "%");
		} else if (html_takes(&format, "%.")) {
			add_real(html, *format - '0', va_arg(values, double));
			format += 2;
		} else if (*format) {
			html_bytes(html, format++, 1);
		}
	}
	va_end(values);
}

void html_clear(struct html *html)
{
	free(html->text);
	*html = (struct html){0};
}
