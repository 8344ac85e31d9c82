/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/runtime/statesave.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/statefile.h"

#define SAVE_SHARE 20 /* writes take at most one part of the time in so many */

double statesave_due(const struct statesave *save)
{
	return save->changed ? save->not_before : INFINITY;
}

void statesave_reset(struct statesave *save)
{
	save->changed = false;
	save->not_before = 0;
}

static int write_file(const struct statesave *save, const char *directory, void *state,
		      struct maui_error *why)
{
	char *text = NULL;
	size_t size = 0;
	int rc = directory ? save->format(state, &text, &size, why) : -ENOMEM;

	if (!rc)
		rc = statefile_replace(directory, save->name, text, size, why);
	free(text);
	return rc;
}

void statesave(struct statesave *save, void *state)
{
	struct maui_error why = {"out of memory"};
	double begun = monotonic(), ended;
	char *directory;
	int rc;

	engine_lock();
	directory = engine_state_directory();
	rc = save->gather(state, &why);
	save->changed = false;
	engine_unlock();
	if (!rc)
		rc = write_file(save, directory, state, &why);
	ended = monotonic();
	engine_lock();
	if (rc)
		save->changed = true;
	save->not_before = ended + fmax(save->interval, (ended - begun) * SAVE_SHARE);
	engine_unlock();
	if (rc && !save->failed)
		error("maui: %s: a restart would forget %s", why.text, save->lost);
	save->failed = rc;
	free(directory);
}
