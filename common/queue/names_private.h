/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by names.c and names_labels.c only. */
#ifndef MAUI_QUEUE_NAMES_PRIVATE_H
#define MAUI_QUEUE_NAMES_PRIVATE_H

#include "common/queue/names.h"
#include "common/util/idmap.h"
#include "common/util/intern.h"

/* Whether the name service has been asked for the name of a number. */
struct name_asked {
	int64_t nobody; /* when it last said that nobody has it, epoch seconds; 0: never */
	bool due;       /* it is to be asked */
};

/* One credential type; arrays are by interned id, element 0 is "none". */
struct name_table {
	struct maui_intern *intern;  /* accounts, QOS, classes */
	struct maui_idmap by_number; /* users, groups */
	uint32_t *number;            /* NO_NUMBER: a name not looked up yet */
	const char **label;          /* users, groups: their names, from labels; NULL: not known */
	struct name_asked *asked;    /* users, groups */
	struct maui_idmap by_label;  /* text in labels -> id */
	bool lacking;                /* users, groups: maui_names_set_lacking() */
	struct maui_priority_credential *credential;
	double *fs_factor;
	uint32_t count, room;
};

#define NO_NUMBER UINT32_MAX

struct maui_names {
	struct name_table table[MAUI_CREDENTIALS];
	struct maui_idmap account_of; /* association -> account */
	const struct maui_priority_weights *
		*weights;           /* by class; as many as table[MAUI_CLASS] has room */
	struct maui_intern *labels; /* the texts of labels */
	const struct maui_fairshare *fairshare;
	const struct maui_policy *policy;
	const struct maui_principals *principals;
};

/* Users and groups. */
static inline bool is_numeric(enum maui_credential type)
{
	return type == MAUI_USER || type == MAUI_GROUP;
}

/* The id of a new user or group, which `by`, a map in its table, then has under this key. */
uint32_t maui_names_add(struct maui_names *names, enum maui_credential type, struct maui_idmap *by,
			uint32_t key, uint32_t number, const char *label);

/* A name in lower case, malloc'ed. */
char *names_small(const char *name);

#endif
