/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a node, as Slurm's commands print it, and whether jobs can be started there. D-RPL-40.
 */
#ifndef MAUI_UTIL_NODE_STATE_H
#define MAUI_UTIL_NODE_STATE_H

#include <stddef.h>
#include <stdint.h>

/* What a state consists of. Words that do not matter to a start have no bit of their own. */
enum {
	MAUI_NODE_IN_SERVICE =
		1 << 0,             /* IDLE, MIXED, ALLOCATED, and words that imply one of them */
	MAUI_NODE_IS_DOWN = 1 << 1, /* DOWN, ERROR */
	MAUI_NODE_IS_FUTURE = 1 << 2,
	MAUI_NODE_DRAIN = 1 << 3,
	MAUI_NODE_FAIL = 1 << 4,
	MAUI_NODE_INVALID_REG = 1 << 5,
	MAUI_NODE_IN_MAINT = 1 << 6,
	MAUI_NODE_NOT_RESPONDING = 1 << 7,
	MAUI_NODE_POWERED_DOWN = 1 << 8,
	MAUI_NODE_POWERING_UP = 1 << 9,
	MAUI_NODE_POWERING_DOWN = 1 << 10, /* POWER_DOWN, too: as soon as it is idle */
	MAUI_NODE_REBOOT_ISSUED = 1 << 11,
};

enum maui_node_use {
	MAUI_NODE_USABLE,      /* now, as far as it has room */
	MAUI_NODE_POWERS_UP,   /* now: Slurm boots it for the job, or is booting it */
	MAUI_NODE_POWERS_DOWN, /* when it is off, which Slurm waits for */
	MAUI_NODE_REBOOTS,     /* when it is back */
	MAUI_NODE_MAINT,       /* for jobs of the maintenance reservation alone */
	MAUI_NODE_DRAINS,      /* not: it ends what it runs */
	MAUI_NODE_UNKNOWN,     /* not before it registers, after slurmctld starts */
	MAUI_NODE_DOWN,
	MAUI_NODE_FUTURE,
};

/* What slurm.conf sets, in seconds; 0: not known, and taken as none. */
struct maui_node_timeouts {
	int64_t resume, suspend; /* ResumeTimeout, SuspendTimeout */
};

/*
 * The bits of one word ("POWERED_DOWN"), or of a state: "IDLE+CLOUD+POWERED_DOWN" as scontrol
 * prints it, "idle~" or "DRNG*" as sinfo and sacctmgr do. In any case; 0: no word of it has a bit.
 */
uint32_t maui_node_state(const char *text, size_t size);

enum maui_node_use maui_node_use(uint32_t state);

/*
 * In how many seconds from its beginning such a state lets jobs start: 0 at once, -1 not by
 * itself. A node that reboots is given ResumeTimeout, as slurmctld does.
 */
int64_t maui_node_delay(enum maui_node_use use, const struct maui_node_timeouts *timeouts);

#endif
