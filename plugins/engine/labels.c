/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/labels.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/policy/principals_ask.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"

/* How many names are asked for before the mutex is taken again. */
#define LABEL_BATCH 64
/* Seconds until users and groups without a name are asked for again. */
#define LABEL_PATIENCE 600

/* The engine's thread alone. */
static struct {
	uint32_t behind[MAUI_CREDENTIALS]; /* these have been asked for */
	double again;                      /* all of them, monotonic seconds */
} asked;

static void label_batch(enum maui_credential type, const uint32_t *numbers, size_t count)
{
	char *name[LABEL_BATCH];

	for (size_t i = 0; i < count; i++)
		name[i] = principals_ask(type, numbers[i]);
	engine_lock();
	for (size_t i = 0; i < count; i++) {
		uint32_t id, stranger = MAUI_NO_CREDENTIAL;

		if (name[i])
			stranger = maui_names_set_label(in_force.names, type, numbers[i], name[i],
							&id);
		if (stranger)
			fairshare_merge(type, stranger, id);
		free(name[i]);
	}
	engine_unlock();
}

/* Users and groups that have appeared since the last time. */
static void label(enum maui_credential type)
{
	uint32_t numbers[LABEL_BATCH];
	size_t count;

	do {
		engine_lock();
		for (count = 0; count < LABEL_BATCH; count++) {
			numbers[count] =
				maui_names_unlabeled(in_force.names, type, &asked.behind[type]);
			if (numbers[count] == UINT32_MAX)
				break;
		}
		engine_unlock();
		label_batch(type, numbers, count);
	} while (count == LABEL_BATCH);
}

/* Whether anything that is written uses names. */
static bool wanted(void)
{
	bool wanted;

	engine_lock();
	wanted = fairshare_windows(NULL) || limits_act();
	engine_unlock();
	return wanted;
}

void labels_ask(void)
{
	if (!wanted())
		return;
	if (monotonic() >= asked.again) {
		memset(asked.behind, 0, sizeof(asked.behind));
		asked.again = monotonic() + LABEL_PATIENCE;
	}
	label(MAUI_USER);
	label(MAUI_GROUP);
}
