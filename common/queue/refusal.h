/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a job may not start. */
#ifndef MAUI_ENGINE_REFUSAL_H
#define MAUI_ENGINE_REFUSAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/fairshare.h"
#include "common/policy/limits.h"
#include "common/policy/qos_access.h"
#include "common/queue/names.h"

enum refusal_kind {
	REFUSAL_NONE,
	REFUSAL_LIMIT,       /* chapter 6.2 */
	REFUSAL_FSCAP,       /* chapter 6.3.3.2: a hard cap of fairshare */
	REFUSAL_QOS,         /* QLIST */
	REFUSAL_RESERVATION, /* it asks for a reservation by name that does not admit it */
	REFUSAL_UNKNOWN,     /* names or usage are not known yet: nobody starts */
};

struct refusal {
	enum refusal_kind kind;
	struct maui_limit_verdict limit;   /* REFUSAL_LIMIT */
	struct maui_fairshare_verdict cap; /* REFUSAL_FSCAP */
	struct maui_qos_verdict qos;       /* REFUSAL_QOS */
	uint32_t id;                       /* of the cap's credential; the QOS */
};

bool refusal_same(const struct refusal *a, const struct refusal *b);

/* Whether the limit's soft level refuses, and its hard one does not. */
bool refusal_is_soft(const struct refusal *refusal);

#define REFUSAL_TEXT_SIZE 400

/* `MAXJOB limit of 2 for user bob (2 in use)`. Returns text. The engine's mutex. */
const char *refusal_text(const struct refusal *refusal, const struct names *names,
			 char text[REFUSAL_TEXT_SIZE]);

/* The same with names from elsewhere: NULL where there is none, or a text that lives as long as
 * number. No lock. */
struct refusal_namer {
	const char *(*name)(const void *context, unsigned int type, uint32_t id, char number[16]);
	const void *context;
};
const char *refusal_text_by(const struct refusal *refusal, const struct refusal_namer *namer,
			    char text[REFUSAL_TEXT_SIZE]);
const char *refusal_original_text_by(const struct refusal *refusal,
				     const struct refusal_namer *namer,
				     char text[REFUSAL_TEXT_SIZE]);

/* Behind the job's name, in the original's words as far as it has any: `violates active HARD MAXJOB
 * limit of 2 for user bob (R: 1, U: 2)`. Returns text. The engine's mutex. */
const char *refusal_original_text(const struct refusal *refusal, const struct names *names,
				  char text[REFUSAL_TEXT_SIZE]);

#endif
