/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * HTML in a growing buffer. Whatever is not a literal of the sources gets in through html_text(),
 * which escapes it: names of jobs and comments are their users', and can only be shown. Out of
 * memory the command ends, as for JSON (lib/json.h).
 */
#ifndef MAUI_HTML_H
#define MAUI_HTML_H

#include <stddef.h>
#include <stdint.h>

struct html {
	char *text; /* NUL-terminated; NULL while it is empty */
	size_t size, room;
};

/* As text between tags or between the quotes of an attribute. What is not UTF-8, and control
 * characters, become '?'. */
void html_text(struct html *html, const char *text);

/*
 * Markup of the sources, with values in it as in printf: %s is escaped; %d, %zu and PRId64 are whole
 * numbers; %.1f, with any one digit, is 0 if it is not finite. Nothing else.
 */
void html_add(struct html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bytes of the sources' own files, such as page.css. */
void html_bytes(struct html *html, const char *bytes, size_t size);

void html_clear(struct html *html);

#endif
