/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs the steady clock with Linux's boot_id: a file's steady time counts only
 * if it was written in this boot.
 */
#include "plugins/engine/fairshare/fairshare_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BOOT "/proc/sys/kernel/random/boot_id"

/* "" if the kernel does not say. The engine's thread alone. */
static const char *this_boot(void)
{
	static char boot[MAUI_FS_BOOT_SIZE]; /* of the engine's thread */
	FILE *file = *boot ? NULL : fopen(BOOT, "re");

	if (!file)
		return boot;
	if (fscanf(file, "%39s", boot) != 1)
		*boot = '\0';
	fclose(file);
	return boot;
}

void fairshare_clock_at(double steady, struct maui_fairshare_clock *ret_clock)
{
	*ret_clock = (struct maui_fairshare_clock){0};
	if (steady < 0)
		return;
	ret_clock->milliseconds = llround(steady * 1000);
	snprintf(ret_clock->boot, sizeof(ret_clock->boot), "%s", this_boot());
}

bool fairshare_clock_see(struct fairshare_newest *newest, const struct maui_fairshare_file *file)
{
	bool same = *file->clock.boot && !strcmp(file->clock.boot, this_boot());
	double steady = same ? (double)file->clock.milliseconds / 1000 : -1;

	if (file->counted == MAUI_FS_NOT_SAID || steady < newest->steady ||
	    (steady == newest->steady && file->counted <= newest->counted))
		return false;
	*newest = (struct fairshare_newest){file->counted, steady};
	return true;
}
