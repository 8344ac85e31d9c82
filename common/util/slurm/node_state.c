/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps state words of scontrol, sinfo and sacctmgr, and sinfo's suffixes, to
 * bits, and the bits to usable, down, rebooting and so on.
 */
#include "common/util/slurm/node_state.h"

#include <stdbool.h>

#include "common/util/text.h"

/* scontrol's words, then the short ones of sinfo and sacctmgr. */
static const struct {
	const char *word;
	uint32_t bits;
} words[] = {
	{"IDLE", MAUI_NODE_IN_SERVICE},
	{"MIXED", MAUI_NODE_IN_SERVICE},
	{"ALLOCATED", MAUI_NODE_IN_SERVICE},
	{"COMPLETING", MAUI_NODE_IN_SERVICE},
	{"RESERVED", MAUI_NODE_IN_SERVICE},
	{"PLANNED", MAUI_NODE_IN_SERVICE},
	{"BLOCKED", MAUI_NODE_IN_SERVICE}, /* by a job with all of a topology's block */
	{"REBOOT_REQUESTED", MAUI_NODE_IN_SERVICE},
	{"REBOOT", MAUI_NODE_IN_SERVICE},
	{"DOWN", MAUI_NODE_IS_DOWN},
	{"ERROR", MAUI_NODE_IS_DOWN},
	{"FUTURE", MAUI_NODE_IS_FUTURE},
	{"DRAIN", MAUI_NODE_DRAIN},
	{"DRAINED", MAUI_NODE_DRAIN},
	{"DRAINING", MAUI_NODE_DRAIN},
	{"FAIL", MAUI_NODE_FAIL},
	{"FAILING", MAUI_NODE_FAIL},
	{"INVALID_REG", MAUI_NODE_INVALID_REG},
	{"MAINT", MAUI_NODE_IN_MAINT},
	{"MAINTENANCE", MAUI_NODE_IN_MAINT},
	{"NOT_RESPONDING", MAUI_NODE_NOT_RESPONDING},
	{"POWERED_DOWN", MAUI_NODE_POWERED_DOWN},
	{"POWERING_UP", MAUI_NODE_POWERING_UP},
	{"POWERING_DOWN", MAUI_NODE_POWERING_DOWN},
	{"POWER_DOWN", MAUI_NODE_POWERING_DOWN},
	{"POWER_UP", MAUI_NODE_POWERING_UP},
	{"REBOOT_ISSUED", MAUI_NODE_REBOOT_ISSUED},

	{"MIX", MAUI_NODE_IN_SERVICE},
	{"ALLOC", MAUI_NODE_IN_SERVICE},
	{"COMP", MAUI_NODE_IN_SERVICE},
	{"RESV", MAUI_NODE_IN_SERVICE},
	{"PLND", MAUI_NODE_IN_SERVICE},
	{"BLOCK", MAUI_NODE_IN_SERVICE},
	{"BOOT", MAUI_NODE_IN_SERVICE},
	{"NPC", MAUI_NODE_IN_SERVICE}, /* PERFCTRS, up to 22.05 */
	{"PERFCTRS", MAUI_NODE_IN_SERVICE},
	{"FUTR", MAUI_NODE_IS_FUTURE},
	{"DRNG", MAUI_NODE_DRAIN},
	{"FAILG", MAUI_NODE_FAIL},
	{"INVAL", MAUI_NODE_INVALID_REG},
	{"POWERED_DN", MAUI_NODE_POWERED_DOWN},
	{"POWRING_DN", MAUI_NODE_POWERING_DOWN},
	{"POW_DN", MAUI_NODE_POWERING_DOWN},
	{"POW_UP", MAUI_NODE_POWERING_UP},
};

/* The sign behind a word of sinfo's. False: it is none. */
static bool sign_bits(char sign, uint32_t *bits)
{
	switch (sign) {
	case '*':
		*bits |= MAUI_NODE_NOT_RESPONDING;
		return true;
	case '~':
		*bits |= MAUI_NODE_POWERED_DOWN;
		return true;
	case '#':
		*bits |= MAUI_NODE_POWERING_UP;
		return true;
	case '%':
	case '!':
		*bits |= MAUI_NODE_POWERING_DOWN;
		return true;
	case '$':
		*bits |= MAUI_NODE_IN_MAINT;
		return true;
	case '^':
		*bits |= MAUI_NODE_REBOOT_ISSUED;
		return true;
	case '@': /* reboot requested */
	case '-': /* planned */
		return true;
	default:
		return false;
	}
}

static uint32_t word_bits(const char *text, size_t size)
{
	uint32_t bits = 0;

	while (size && sign_bits(text[size - 1], &bits))
		size--;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (maui_equals(text, size, words[i].word))
			return bits | words[i].bits;
	return bits;
}

uint32_t maui_node_state(const char *text, size_t size)
{
	const char *end = text + size;
	uint32_t bits = 0;

	while (text < end) {
		const char *word = text;

		while (text < end && *text != '+')
			text++;
		bits |= word_bits(word, (size_t)(text - word));
		text += text < end;
	}
	return bits;
}

enum maui_node_use maui_node_use(uint32_t state)
{
	if (state & MAUI_NODE_IS_FUTURE)
		return MAUI_NODE_FUTURE;
	if (state & MAUI_NODE_INVALID_REG)
		return MAUI_NODE_DOWN;
	/* A drained or failing node that reboots is still drained when it is back. */
	if (state & (MAUI_NODE_DRAIN | MAUI_NODE_FAIL))
		return state & MAUI_NODE_IS_DOWN ? MAUI_NODE_DOWN : MAUI_NODE_DRAINS;
	if (state & MAUI_NODE_REBOOT_ISSUED) /* slurmctld calls it DOWN meanwhile */
		return MAUI_NODE_REBOOTS;
	if (state & MAUI_NODE_IS_DOWN) /* powered down, too: ResumeTimeout was reached */
		return MAUI_NODE_DOWN;
	if (state & MAUI_NODE_IN_MAINT)
		return MAUI_NODE_MAINT;
	if (state & MAUI_NODE_POWERING_DOWN)
		return MAUI_NODE_POWERS_DOWN;
	/* Its slurmd does not respond, and need not. */
	if (state & (MAUI_NODE_POWERED_DOWN | MAUI_NODE_POWERING_UP))
		return MAUI_NODE_POWERS_UP;
	if (!(state & MAUI_NODE_IN_SERVICE))
		return MAUI_NODE_UNKNOWN;
	return state & MAUI_NODE_NOT_RESPONDING ? MAUI_NODE_DOWN : MAUI_NODE_USABLE;
}

int64_t maui_node_delay(enum maui_node_use use, const struct maui_node_timeouts *timeouts)
{
	switch (use) {
	case MAUI_NODE_USABLE:
		return 0;
	case MAUI_NODE_POWERS_UP:
	case MAUI_NODE_REBOOTS:
		return timeouts->resume;
	case MAUI_NODE_POWERS_DOWN:
		return timeouts->suspend + timeouts->resume;
	case MAUI_NODE_MAINT:
	case MAUI_NODE_DRAINS:
	case MAUI_NODE_UNKNOWN:
	case MAUI_NODE_DOWN:
	case MAUI_NODE_FUTURE:
		return -1;
	}
	return -1;
}
