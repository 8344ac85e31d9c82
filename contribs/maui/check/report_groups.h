/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a report that say the same of different names, as one. */
#ifndef MAUI_REPORT_GROUPS_H
#define MAUI_REPORT_GROUPS_H

#include "contribs/maui/check/report_entry.h"

#define REPORT_GROUP 3 /* so many alike lines are one entry */

struct report_group {
	size_t first; /* index of the entry that stands for it */
	size_t last;  /* of its last one, equal to first if it is alone */
	size_t count; /* of entries; 0: another group has it */
	char *names;  /* in brackets; NULL: it is alone */
};

/* One for each entry, in their order; the array and its names are the caller's. */
struct report_group *report_groups(const struct report *report);
void report_groups_free(struct report_group *groups, size_t count);

#endif
