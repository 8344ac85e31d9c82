/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a key of the table is supported here: as in the original, nearly so, or not at all. For those
 * who bring a maui.cfg and want to know what still holds (maui check --report).
 */
#ifndef MAUI_CONFIG_VERDICT_H
#define MAUI_CONFIG_VERDICT_H

#include "common/config/config.h"

enum maui_verdict_kind {
	MAUI_HONOURED,
	MAUI_APPROXIMATED, /* the text says how */
	MAUI_IGNORED,      /* the text says why, and what in Slurm does it */
};

/* What a file's owner loses by it, the worst last. */
enum maui_loss {
	MAUI_LOSS_NONE,
	MAUI_LOSS_HARMLESS,  /* it decides nothing about jobs, nodes or access: logs, ports, ... */
	MAUI_LOSS_DIFFERENT, /* the policy holds, but not as in the original */
	MAUI_LOSS_POLICY, /* a policy that does not hold until the site does what the text names */
	MAUI_LOSSES
};

struct maui_verdict {
	enum maui_verdict_kind kind;
	enum maui_loss loss;
	const char *text; /* one sentence without a full stop or a name in front; "" for HONOURED */
};

/* "none", "harmless", "different", "policy" */
const char *maui_loss_name(enum maui_loss loss);

/* "honoured", "approximated", "ignored" */
const char *maui_verdict_name(enum maui_verdict_kind kind);

/* For a key in a section. The key table's own words if it says that the key has no effect. */
struct maui_verdict maui_key_verdict(const struct maui_key_info *key, enum maui_section section);

/* For a value: keywords and flags have their own. The text for flags combines their remarks. */
struct maui_verdict maui_value_verdict(const struct maui_value *value, enum maui_section section);

/*
 * What there is to say about the index-th flag; NULL: nothing, or the value is not flags.
 * *ret_acts: the flag has some effect.
 */
const char *maui_value_remark(const struct maui_value *value, size_t index, bool *ret_acts);

#endif
