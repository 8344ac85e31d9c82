/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters of Maui 3.0 that newer attributes have replaced. They are read as:
 *   QOSPRIORITY[x] n       QOSCFG[x] PRIORITY=n; QTWEIGHT, XFWEIGHT, QTTARGET, XFTARGET, FLAGS, too
 *   SRUSERLIST[x] a b      SRCFG[x] USERLIST=a,b; likewise all attributes of SRCFG
 *   SRMAXTIME[x] t         SRCFG[x] MAXTIME=t*
 *   MAXJOBPERUSERCOUNT h   USERCFG[DEFAULT] MAXJOB=s,h; NODE, PE, PROC, PROCSECOND, JOBQUEUED
 *   SMAXJOBPERUSERCOUNT s  for JOB, GROUP and ACCOUNT for USER; ...POLICY OFF switches it off
 */
#ifndef MAUI_CONFIG_LEGACY_H
#define MAUI_CONFIG_LEGACY_H

#include <stdbool.h>
#include <stddef.h>

#include "common/config/keys/keys.h"

enum maui_legacy_form {
	MAUI_LEGACY_ATTRIBUTE,   /* the value is the attribute's */
	MAUI_LEGACY_REQUIRED,    /* the same, marked as required with '*' */
	MAUI_LEGACY_HARD,        /* the hard limit of DEFAULT */
	MAUI_LEGACY_SOFT,        /* its soft limit */
	MAUI_LEGACY_HARD_POLICY, /* ON or OFF: whether the hard limit holds */
	MAUI_LEGACY_SOFT_POLICY,
};

struct maui_legacy {
	enum maui_section section;
	enum maui_key key;
	enum maui_legacy_form form;
};

/* What a plain parameter of Maui 3.0 stands for; false if the name is not one. */
bool maui_legacy_find(const char *name, struct maui_legacy *ret_legacy);

#define MAUI_LEGACY_NAME_SIZE 64

/* The names by index; false past the last. */
bool maui_legacy_name(size_t index, char name[MAUI_LEGACY_NAME_SIZE]);

#endif
