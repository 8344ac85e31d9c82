/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a node can be used, by its state as Slurm's commands write it. */
#include <criterion/criterion.h>
#include <string.h>

#include "common/util/slurm/node_state.h"

static const struct {
	const char *state; /* of scontrol; then of sinfo and sacctmgr, if they differ */
	const char *brief[3];
	enum maui_node_use use;
} states[] = {
	{"IDLE", {"idle", "idle-"}, MAUI_NODE_USABLE},
	{"MIXED", {"MIX", "mixed-", "MIX@"}, MAUI_NODE_USABLE},
	{"ALLOCATED", {"ALLOC", "ALLOC+", "allocated+"}, MAUI_NODE_USABLE},
	{"IDLE+COMPLETING", {"COMP", "completing"}, MAUI_NODE_USABLE},
	{"IDLE+PLANNED", {"PLND", "planned"}, MAUI_NODE_USABLE},
	{"IDLE+RESERVED", {"RESV", "reserved"}, MAUI_NODE_USABLE},
	{"IDLE+CLOUD", {"IDLE"}, MAUI_NODE_USABLE},
	{"IDLE+DYNAMIC_NORM", {"IDLE"}, MAUI_NODE_USABLE},
	{"MIXED+BLOCKED", {"MIX"}, MAUI_NODE_USABLE},
	{"IDLE+BLOCKED", {"BLOCK", "blocked"}, MAUI_NODE_USABLE},
	{"IDLE+PERFCTRS", {"NPC"}, MAUI_NODE_USABLE},
	{"IDLE+REBOOT_REQUESTED", {"BOOT", "reboot"}, MAUI_NODE_USABLE},
	{"MIXED+REBOOT_REQUESTED", {"MIX@"}, MAUI_NODE_USABLE},

	{"IDLE+CLOUD+POWERED_DOWN", {"IDLE~", "idle~"}, MAUI_NODE_POWERS_UP},
	{"IDLE+POWERED_DOWN+NOT_RESPONDING", {"IDLE~"}, MAUI_NODE_POWERS_UP},
	{"POWERED_DOWN", {"POWERED_DN"}, MAUI_NODE_POWERS_UP},
	{"IDLE+CLOUD+NOT_RESPONDING+POWERING_UP", {"IDLE#", "idle#"}, MAUI_NODE_POWERS_UP},
	{"ALLOCATED+CLOUD+NOT_RESPONDING+POWERING_UP", {"ALLOC#"}, MAUI_NODE_POWERS_UP},
	{"IDLE+POWER_UP+POWERED_DOWN", {"IDLE~"}, MAUI_NODE_POWERS_UP},
	{"IDLE+CLOUD+POWERING_DOWN", {"IDLE%", "idle%"}, MAUI_NODE_POWERS_DOWN},
	{"MIXED+CLOUD+POWER_DOWN", {"MIX!", "mixed!"}, MAUI_NODE_POWERS_DOWN},
	{"POWERING_DOWN", {"POWRING_DN"}, MAUI_NODE_POWERS_DOWN},

	{"DOWN+REBOOT_ISSUED", {"BOOT^", "reboot^"}, MAUI_NODE_REBOOTS},
	{"DOWN+NOT_RESPONDING+REBOOT_ISSUED", {"BOOT^"}, MAUI_NODE_REBOOTS},

	{"IDLE+MAINT", {"MAINT", "maint"}, MAUI_NODE_MAINT},
	{"IDLE+MAINTENANCE+RESERVED", {"MAINT"}, MAUI_NODE_MAINT},
	{"MIXED+MAINT", {"MIX$", "mixed$"}, MAUI_NODE_MAINT},
	{"IDLE+MAINT+POWERED_DOWN", {"MAINT"}, MAUI_NODE_MAINT},

	{"IDLE+DRAIN", {"DRAIN", "drained"}, MAUI_NODE_DRAINS},
	{"MIXED+DRAIN", {"DRNG", "draining"}, MAUI_NODE_DRAINS},
	{"IDLE+DRAIN+NOT_RESPONDING", {"DRAIN*", "drained*"}, MAUI_NODE_DRAINS},
	{"IDLE+DRAIN+MAINT", {"DRAIN$"}, MAUI_NODE_DRAINS},
	{"IDLE+CLOUD+DRAIN+POWERED_DOWN", {"DRAIN~", "drained~"}, MAUI_NODE_DRAINS},
	{"ALLOCATED+DRAIN+REBOOT_REQUESTED", {"DRNG@"}, MAUI_NODE_DRAINS},
	{"IDLE+FAIL", {"FAIL", "fail"}, MAUI_NODE_DRAINS},
	{"ALLOCATED+FAIL", {"FAILG", "failing"}, MAUI_NODE_DRAINS},

	{"DOWN", {"down", "DOWN*", "down*"}, MAUI_NODE_DOWN},
	{"DOWN+CLOUD+POWERED_DOWN", {"DOWN~", "down~"}, MAUI_NODE_DOWN},
	{"DOWN+NOT_RESPONDING+POWERING_UP", {"DOWN#"}, MAUI_NODE_DOWN},
	{"DOWN+DRAIN", {NULL}, MAUI_NODE_DOWN},
	{"ERROR", {NULL}, MAUI_NODE_DOWN},
	{"IDLE+NOT_RESPONDING", {"IDLE*", "idle*"}, MAUI_NODE_DOWN},
	{"MIXED+NOT_RESPONDING", {"MIX*"}, MAUI_NODE_DOWN},
	{"IDLE+INVALID_REG", {"INVAL", "inval"}, MAUI_NODE_DOWN},

	{"UNKNOWN", {"UNK", "unk*"}, MAUI_NODE_UNKNOWN},
	{"FUTURE", {"FUTR", "futr*"}, MAUI_NODE_FUTURE},
	{"IDLE+DYNAMIC_FUTURE", {"IDLE"}, MAUI_NODE_USABLE},

	/* What no release prints is not taken for usable. */
	{"", {"+", "~x", "?"}, MAUI_NODE_UNKNOWN},
	{"IDL", {"IDLEX", "NO IDLE", "WORN_OUT"}, MAUI_NODE_UNKNOWN},
};

static enum maui_node_use use_of(const char *state)
{
	return maui_node_use(maui_node_state(state, strlen(state)));
}

Test(node_state, says_whether_the_node_can_be_used)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		cr_expect_eq(use_of(states[i].state), states[i].use, "%s: %d", states[i].state,
			     use_of(states[i].state));
		for (int k = 0; k < 3 && states[i].brief[k]; k++)
			cr_expect_eq(use_of(states[i].brief[k]), states[i].use, "%s: %d",
				     states[i].brief[k], use_of(states[i].brief[k]));
	}
}

Test(node_state, ends_where_its_size_says)
{
	cr_expect_eq(maui_node_use(maui_node_state("IDLE~|1", 5)), MAUI_NODE_POWERS_UP);
	cr_expect_eq(maui_node_use(maui_node_state("IDLE~|1", 4)), MAUI_NODE_USABLE);
	cr_expect_eq(maui_node_state("", 0), 0);
}

Test(node_state, says_from_when_the_node_can_be_used)
{
	static const struct {
		const char *state;
		int64_t delay, without; /* timeouts that are known */
	} tries[] = {
		{"IDLE", 0, 0},     {"IDLE~", 600, 0},   {"IDLE#", 600, 0}, {"IDLE%", 630, 0},
		{"BOOT^", 600, 0},  {"MAINT", -1, -1},   {"DRAIN", -1, -1}, {"DOWN~", -1, -1},
		{"FUTURE", -1, -1}, {"UNKNOWN", -1, -1},
	};
	const struct maui_node_timeouts timeouts = {.resume = 600, .suspend = 30}, none = {0};

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		enum maui_node_use use = use_of(tries[i].state);

		cr_expect_eq(maui_node_delay(use, &timeouts), tries[i].delay, "%s", tries[i].state);
		cr_expect_eq(maui_node_delay(use, &none), tries[i].without, "%s", tries[i].state);
	}
}
