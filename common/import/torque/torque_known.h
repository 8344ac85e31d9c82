/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The attributes of Torque's server, queues and nodes: their values, and what becomes of them. */
#ifndef MAUI_TORQUE_KNOWN_H
#define MAUI_TORQUE_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/import/import.h"

enum maui_torque_kind {
	MAUI_TORQUE_TEXT,
	MAUI_TORQUE_LIST,
	MAUI_TORQUE_BOOLEAN,
	MAUI_TORQUE_NUMBER,  /* from 0 on */
	MAUI_TORQUE_INTEGER, /* may be negative */
	MAUI_TORQUE_TIME,    /* [[[DD:]HH:]MM:]SS */
	MAUI_TORQUE_SIZE     /* 64gb */
};

enum maui_torque_of {
	MAUI_TORQUE_OF_SERVER = 1,
	MAUI_TORQUE_OF_QUEUE = 2,
	MAUI_TORQUE_OF_NODE = 4
};

struct maui_torque_known {
	const char *name;
	enum maui_torque_kind kind;
	unsigned int of; /* enum maui_torque_of, one or more */
	/* An attribute of maui.cfg that it becomes: MAXJOB[USER] of CLASSCFG; NULL: none. */
	const char *limit;
	enum maui_import_fate fate; /* of the remark */
	/* %q is the queue, %v the value. NULL: no remark, since it is in what is written. */
	const char *effect;
};

/* NULL: there is no such attribute. */
const struct maui_torque_known *maui_torque_find(const char *name, enum maui_torque_of of);

/* What is wrong with a value; NULL: nothing. */
const char *maui_torque_check(enum maui_torque_kind kind, const char *value);

/* Of values that passed the check. */
bool maui_torque_truth(const char *value);
uint64_t maui_torque_number(const char *value);
uint64_t maui_torque_seconds(const char *value);
uint64_t maui_torque_megabytes(const char *value); /* rounded up */

#endif
