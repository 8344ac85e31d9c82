/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the table of SRCFG's attributes, a line for each: NAME MEMBER SETRES LABEL, "-" for what
 * there is none of. */
#include <stdio.h>

#include "common/policy/reservation/sr_attributes.h"

static const char *text_or(const char *text)
{
	return text ? text : "-";
}

int main(void)
{
	static const char *const setres[] = {
		[MAUI_SR_SETRES_NEVER] = "never",
		[MAUI_SR_SETRES_MEMBER] = "member",
		[MAUI_SR_SETRES_LIST] = "list",
		[MAUI_SR_SETRES_OWN] = "own",
	};

	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);

		printf("%s %s %s %s\n", maui_sr_attribute_name(row), text_or(row->json),
		       setres[row->setres], text_or(row->label));
	}
	return 0;
}
