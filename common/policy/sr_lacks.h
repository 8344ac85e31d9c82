/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What SRCFG can say and no part of us does yet. Said in slurmctld's log, by `maui check` and by
 * `maui diagnose -r`: here once for all of them.
 */
#ifndef MAUI_POLICY_SR_LACKS_H
#define MAUI_POLICY_SR_LACKS_H

#include "common/policy/sr_settings.h"

struct maui_sr_lack {
	struct maui_origin origin; /* of the value that asks for it */
	const char *text;          /* "JOBATTRLIST is not there yet: ..." */
};

#define MAUI_SR_LACKS 2 /* of one reservation, at most */

/* config is the one that sr was compiled from. Returns their number; 0: all of it is done. */
size_t maui_sr_lacks(const struct maui_config *config, const struct maui_sr *sr,
		     struct maui_sr_lack ret_lacks[MAUI_SR_LACKS]);

#endif
