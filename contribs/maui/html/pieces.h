/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of pages: the document's head, numbers as people read them, scales, tables. */
#ifndef MAUI_HTML_PIECES_H
#define MAUI_HTML_PIECES_H

#include <stddef.h>
#include <stdint.h>

#include "contribs/maui/html/html.h"

struct html_file {
	const char *name, *type, *bytes;
	size_t size;
};

/* page.css: how every page looks, by the classes of its elements. */
extern const struct html_file html_looks;

/* The document up to its title, of which this is the first part; looks and </head> follow. every:
 * seconds after which a script loads it again; 0: there is none. */
void html_begin(struct html *html, const char *title, int every);
/* The looks in the document itself. */
void html_style(struct html *html);

/* A number as people read it, and the exact one for programs: <data value="3600">1.0 h</data>. */
void page_hours(struct html *html, double procseconds);
void page_percent(struct html *html, double percent);
/* A dash: there is nothing to show. */
void page_none(struct html *html);
void page_count(struct html *html, int64_t count);
/* "2 days 3 hours": the two largest units, cut. */
void page_span(struct html *html, int64_t seconds);
/* <time>2026-11-22 05:10</time>, local; a dash for 0. */
void page_time(struct html *html, int64_t time);

/* Of a scale from 0 to whole, in percent of it, 0 to 100. */
double page_part(double value, double whole);

/* Where a scale ends that has to hold value: 1, 2, 2.5 or 5 times a power of ten; and what stands
 * at both ends of it. */
double page_scale(double value);
void page_axis(struct html *html, double scale, const char *unit);

/* A part of a document that scrolls by itself where the screen is narrow; and its end. */
void page_table(struct html *html, const char *label);
void page_table_end(struct html *html);

#endif
