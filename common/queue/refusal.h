/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a job may not start. */
#ifndef MAUI_QUEUE_REFUSAL_H
#define MAUI_QUEUE_REFUSAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/fairshare/fairshare.h"
#include "common/policy/limits/limits.h"
#include "common/policy/limits/qos_access.h"
#include "common/queue/names.h"

enum maui_refusal_kind {
	MAUI_REFUSAL_NONE,
	MAUI_REFUSAL_LIMIT,       /* chapter 6.2 */
	MAUI_REFUSAL_FSCAP,       /* chapter 6.3.3.2: a hard cap of fairshare */
	MAUI_REFUSAL_QOS,         /* QLIST */
	MAUI_REFUSAL_RESERVATION, /* it asks for a reservation by name that does not admit it */
	MAUI_REFUSAL_UNKNOWN,     /* names or usage are not known yet: nobody starts */
	MAUI_REFUSAL_NAME,        /* maui_names_unidentified() */
};

struct maui_refusal {
	enum maui_refusal_kind kind;
	struct maui_limit_verdict limit;   /* MAUI_REFUSAL_LIMIT */
	struct maui_fairshare_verdict cap; /* MAUI_REFUSAL_FSCAP */
	struct maui_qos_verdict qos;       /* MAUI_REFUSAL_QOS */
	uint32_t id;                       /* of the cap's credential; of the QOS; unidentified */
	enum maui_credential type;         /* MAUI_REFUSAL_NAME */
};

extern const struct maui_refusal maui_refusal_none;

bool maui_refusal_same(const struct maui_refusal *a, const struct maui_refusal *b);

/* Where the last refusal of its kind and holder is kept, in a table of so many, a power of two. */
size_t maui_refusal_place(const struct maui_refusal *refusal, size_t room);

/* Whether only the limit's soft level refuses, not its hard one. */
bool maui_refusal_is_soft(const struct maui_refusal *refusal);

#define MAUI_REFUSAL_TEXT_SIZE 512

/*
 * `MAXJOB limit of 2 for user bob (2 in use)`. Returns text. The caller holds the lock of the
 * names.
 */
const char *maui_refusal_text(const struct maui_refusal *refusal, const struct maui_names *names,
			      char text[MAUI_REFUSAL_TEXT_SIZE]);

/*
 * The same with names from elsewhere: NULL if there is none, or a text that lives as long as
 * number. No lock.
 */
struct maui_refusal_namer {
	const char *(*name)(const void *context, unsigned int type, uint32_t id, char number[16]);
	const void *context;
};
const char *maui_refusal_text_by(const struct maui_refusal *refusal,
				 const struct maui_refusal_namer *namer,
				 char text[MAUI_REFUSAL_TEXT_SIZE]);
const char *maui_refusal_original_text_by(const struct maui_refusal *refusal,
					  const struct maui_refusal_namer *namer,
					  char text[MAUI_REFUSAL_TEXT_SIZE]);

/*
 * To follow the job's name, in the original's words as far as there are any: `violates active HARD
 * MAXJOB limit of 2 for user bob (R: 1, U: 2)`. Returns text. The caller holds the lock of the
 * names.
 */
const char *maui_refusal_original_text(const struct maui_refusal *refusal,
				       const struct maui_names *names,
				       char text[MAUI_REFUSAL_TEXT_SIZE]);

#endif
