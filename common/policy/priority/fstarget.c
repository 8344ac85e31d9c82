/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The marks + - % ^ of FSTARGET, and the fairshare factor: target minus usage,
 * or its ratio, for targets, floors and ceilings.
 */
#include "common/policy/priority/fstarget.h"

#include <math.h>

#include "common/util/bounds.h"

static const char marks[] = {
	[MAUI_FS_NONE] = '\0',   [MAUI_FS_TARGET] = '\0',      [MAUI_FS_FLOOR] = '+',
	[MAUI_FS_CEILING] = '-', [MAUI_FS_CAP_RELATIVE] = '%', [MAUI_FS_CAP_ABSOLUTE] = '^',
};

char maui_fstarget_mark(enum maui_fsmode mode)
{
	return mode <= MAUI_FS_CAP_ABSOLUTE ? marks[mode] : '\0';
}

enum maui_fsmode maui_fstarget_mode(char mark)
{
	for (enum maui_fsmode mode = MAUI_FS_FLOOR; mode <= MAUI_FS_CAP_ABSOLUTE; mode++)
		if (marks[mode] == mark)
			return mode;
	return MAUI_FS_TARGET;
}

double maui_fstarget_factor(const struct maui_fstarget *target, double usage_percent, bool ratio)
{
	double factor;

	if (!target || !(target->value > 0) || !isfinite(target->value))
		return 0;
	factor = ratio ? 1 - usage_percent / target->value : target->value - usage_percent;
	factor = maui_bounded(factor);
	switch (target->mode) {
	case MAUI_FS_TARGET:
		return factor;
	case MAUI_FS_FLOOR:
		return factor > 0 ? factor : 0;
	case MAUI_FS_CEILING:
		return factor < 0 ? factor : 0;
	case MAUI_FS_NONE:
	case MAUI_FS_CAP_RELATIVE:
	case MAUI_FS_CAP_ABSOLUTE:
		break;
	}
	return 0; /* caps say when a job may start, not how early it comes */
}
