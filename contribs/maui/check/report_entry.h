/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of every line of a maui.cfg: the entries of `maui check --report`. */
#ifndef MAUI_REPORT_ENTRY_H
#define MAUI_REPORT_ENTRY_H

#include "common/config/record.h"
#include "common/config/verdict.h"
#include "contribs/maui/lib/findings.h"

/* An entry's "verdict"; the first three are enum maui_verdict_kind. */
enum report_verdict {
	REPORT_HONOURED,
	REPORT_APPROXIMATED,
	REPORT_IGNORED,
	REPORT_ERROR,
	REPORT_VERDICTS
};

struct report_entry {
	struct maui_origin origin;
	enum report_verdict verdict;
	enum maui_loss loss; /* of an error: POLICY */
	char *parameter, *text;
	const struct maui_record *record; /* of the configuration; NULL: it is of no one line */
	bool two_readings;                /* the original read its time differently */
};

struct report {
	struct report_entry *entries;
	size_t count, two_readings;
	size_t counts[REPORT_VERDICTS], losses[MAUI_LOSSES];
	size_t lines; /* how many lines the entries are on */
};

/*
 * For a configuration loaded with records, and what checks have found in it (besides its own
 * problems). Out of memory, the command ends, here and below.
 */
void report_make(const struct maui_config *config, const struct findings *findings,
		 struct report *report);
void report_clear(struct report *report);

const char *report_verdict_name(enum report_verdict verdict);

/*
 * What there is to say about one record besides its problems: malloc'ed, "" nothing. The text of
 * *ret_verdict is not set.
 */
char *report_describe(const struct maui_record *record, const char *said,
		      struct maui_verdict *ret_verdict);

#define REPORT_CONF "in slurm.conf: " /* how report_fill()'s text begins */

/*
 * The line of slurm.conf that does what an ignored record asks for, with the record's value:
 * malloc'ed, NULL: there is none. Nodes=... and NodeName=... stay for report_with_names().
 */
char *report_fill(const struct maui_record *record);

/* The text with these names in place of "..." behind Nodes= and NodeName=: malloc'ed. */
char *report_with_names(const char *text, const char *names);

#endif
