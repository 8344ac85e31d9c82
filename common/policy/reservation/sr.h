/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One standing or administrative reservation, as maui.cfg or setres describes it. */
#ifndef MAUI_POLICY_SR_H
#define MAUI_POLICY_SR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/config/config.h"
#include "common/policy/reservation/acl.h"
#include "common/policy/reservation/sr_hosts.h"
#include "common/policy/reservation/sr_trigger.h"

enum maui_sr_period {
	MAUI_SR_DAY,
	MAUI_SR_WEEK,
	MAUI_SR_INFINITY,
	MAUI_SR_ONCE, /* administrative: the only instance, with a name of its own */
};

enum maui_sr_flag {
	MAUI_SR_BYNAME = 1u << 0,
	MAUI_SR_OWNERPREEMPT = 1u << 1,
	MAUI_SR_SPACEFLEX = 1u << 2,
	MAUI_SR_FORCE = 1u << 3,
	MAUI_SR_SINGLEUSE = 1u << 4,
	MAUI_SR_DEDICATEDNODE = 1u << 5,
	MAUI_SR_DEDICATEDRESOURCE = 1u << 6, /* as ACCESS=DEDICATED, even with ACCESS=SHARED */
	/* accepted, no effect: D-CFG-11, or the original's own */
	MAUI_SR_STANDINGRES = 1u << 7,
	MAUI_SR_META = 1u << 8,
	MAUI_SR_PREEMPTEE = 1u << 9,
	MAUI_SR_TIMEFLEX = 1u << 10,
	MAUI_SR_ADVRES = 1u << 11,
	MAUI_SR_BESTEFFORT = 1u << 12,
	/* ours, D-RSV-30 */
	MAUI_SR_MAINT = 1u << 13,
};
/* The flag of a keyword, in any case; 0 if there is none. */
unsigned int maui_sr_flag_find(const char *name);
/* The keyword of one flag; NULL if there is none. */
const char *maui_sr_flag_name(unsigned int flag);

#define MAUI_SR_ALL      INT64_C(-1) /* of a resource: all that the node has */
#define MAUI_SR_NAME_MAX 128u        /* bytes of a reservation's name */

struct maui_sr_gres {
	char name[MAUI_GRES_NAME_SIZE]; /* gpu, gpu:a100 */
	int64_t count;
};

/* RESOURCES: what one task is made of. With GRES the nodes of tasks are reserved whole, D-GRES-11. */
struct maui_sr_task {
	int64_t procs, memory, disk, swap; /* all but procs in MB */
	size_t gres_count;
	struct maui_sr_gres gres[MAUI_RESOURCES_GRES];
};

struct maui_sr {
	const char *name;
	struct maui_origin origin; /* of its first line */
	bool usable;               /* false: it can and must never be made; an error says why */
	enum maui_sr_period period;
	unsigned int days; /* for DAY: Sunday is bit 0 */
	uint32_t depth;    /* periods, this one included; 1 for INFINITY */
	int64_t start; /* seconds after the beginning of the period, as clocks show them; of ONCE
			      epoch seconds */
	int64_t end;   /* the same; 0 the end of the period */
	int64_t week_start, week_end; /* WSTARTTIME and WENDTIME if PERIOD is DAY: D-RSV-12 */
	int64_t until; /* UNTIL, epoch seconds: it ends then, and has no instance later; 0 none */
	unsigned int flags;  /* enum maui_sr_flag */
	bool dedicated;      /* it takes no resources of other reservations */
	bool any_partitions; /* PARTITION=ALL was given; it has no other effect */
	bool any_feature;    /* for ONCE: a node needs only one of its features */
	int64_t priority;
	struct maui_sr_task task;
	uint32_t task_count; /* 0: all tasks of the hosts */
	uint32_t task_limit; /* for ONCE: besides TASKCOUNT, or of all tasks of the hosts, as many
				as can be had up to this; 0 none */
	uint32_t tasks_per_node; /* each node has a multiple of it; 0 or 1: any number */
	const char *partition;   /* NULL: any of them, even several */
	const char *const *features;
	size_t feature_count;
	struct maui_sr_hosts *hosts;    /* NULL: no HOSTLIST */
	struct maui_sr_hosts *excluded; /* NULL: no EXCLUDEHOSTLIST */
	struct maui_acl *acl;           /* NULL: nobody */
	/* OWNER; type MAUI_CREDENTIALS: none */
	enum maui_credential owner_type;
	uint32_t owner; /* interned; 0: there is no such credential */
	const char *owner_name;
	const char *charge_account; /* CHARGEACCOUNT; NULL none */
	const char *trigger;        /* TRIGGER as written; NULL: none, or not to be trusted */
	struct maui_sr_trigger on;  /* the same; MAUI_SR_ON_NOTHING also if it is wrong */
};

/* What an administrative reservation has beyond the attributes of SRCFG (chapter 7.1.5.3). */
struct maui_sr_once {
	int64_t start, end; /* epoch seconds */
	uint32_t task_limit;
	bool any_feature;
};

#endif
