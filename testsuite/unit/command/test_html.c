/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page's buffer: what comes from outside is text, and never markup. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/html/html.h"

static const struct {
	const char *text, *shown;
} names[] = {
	{"", ""},
	{"sim 7", "sim 7"},
	{"<script>", "&lt;script&gt;"},
	{"\" onload='x'", "&quot; onload=&#39;x&#39;"},
	{"&lt;", "&amp;lt;"},
	{"a\tb\nc\x7f\x1b[2J", "a?b?c??[2J"},
	{"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
	{"\xc3<", "?&lt;"},      /* cut UTF-8 takes no markup with it */
	{"\xc0\xbc", "??"},      /* an overlong < */
	{"\xed\xa0\x80", "???"}, /* half of a surrogate pair */
	{"\xf0\x9f\x98\x80\xff", "\xf0\x9f\x98\x80?"},
	{"%s%n%", "%s%n%"},
};

Test(command_html, names_are_text)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct html html = {0};

		html_add(&html, "<b>%s</b>", names[i].text);
		cr_expect_eq(html.size, strlen(names[i].shown) + strlen("<b></b>"));
		cr_expect(!strncmp(html.text + 3, names[i].shown, strlen(names[i].shown)),
			  "%s is %s", names[i].text, html.text);
		html_clear(&html);
	}
}

Test(command_html, values_are_written_as_their_format_says)
{
	struct html html = {0};

	html_add(&html, "%d %zu %" PRId64 " %.0f %.2f %.1f %.1f %.1f%% %.1f", -7, (size_t)8,
		 INT64_MIN, 2.6, 1.005e3, (double)NAN, (double)INFINITY, -0.01, -1.25);
	cr_expect_str_eq(html.text, "-7 8 -9223372036854775808 3 1005.00 0.0 0.0 0.0% -1.2");
	html_clear(&html);
	html_add(&html, "%.4f", 1e308);
	cr_expect_eq(html.size, 309 + 5);
	html_clear(&html);
	html_add(&html, "%x%%", 7); /* not one of its own */
	cr_expect_str_eq(html.text, "%x%");
	html_clear(&html);
	cr_expect_null(html.text);
}

Test(command_html, a_buffer_grows)
{
	struct html html = {0};

	for (int i = 0; i < 100000; i++)
		html_add(&html, "%s", "<>");
	cr_expect_eq(html.size, (size_t)800000);
	cr_expect_eq(strlen(html.text), html.size);
	html_clear(&html);
}
