/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up the names of new user and group IDs in batches, with the mutex
 * released. IDs without a name are looked up again later.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/labels.h"

#include <stdlib.h>
#include <time.h>

#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/policy/names_kept.h"
#include "plugins/engine/policy/principals_ask.h"
#include "plugins/engine/resolve.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"

/* How many names are asked for before the mutex is taken again. */
#define LABEL_BATCH 64
/* Seconds until users and groups without a name are asked for again. */
#define LABEL_PATIENCE 600

/* The engine's thread alone: when all of them are asked for again, monotonic seconds. */
static double again;

/* What the name service says of one number. */
struct label {
	uint32_t number;
	enum maui_answer answer;
	char *name; /* malloc'ed */
};

/* The mutex is held. What maui.cfg says of this name, if anything, is in force; unless the name
 * service does not know the name yet, as with a cache of its own: then it is asked again. */
ENGINE_LOCKED static bool label_is_in_force(enum maui_credential type, const char *name)
{
	uint32_t number;

	return !maui_principals_has(in_force.principals, type, name) ||
	       maui_answer_has_number(
		       maui_principals_number(in_force.principals, type, name, &number));
}

/* The mutex is held. Who has left, or cannot be asked about, keeps the last name known. */
ENGINE_LOCKED static void label_set(enum maui_credential type, const struct label *label,
				    int64_t asked)
{
	const char *name = label->name ? label->name : names_kept_name(type, label->number);
	uint32_t id, other = MAUI_NO_CREDENTIAL;

	if (label->answer == MAUI_ANSWER_NONE)
		maui_names_set_nobody(in_force.names, type, label->number, asked);
	if (label->name)
		names_kept_set_name(type, label->number, label->name);
	if (name && label_is_in_force(type, name))
		other = maui_names_set_label(in_force.names, type, label->number, name, &id);
	if (other)
		fairshare_merge(type, other, id);
}

/* Whether maui.cfg has one of these names with another number, as of a user who was made anew. */
static bool label_is_new(enum maui_credential type, const struct label *labels, size_t count)
{
	bool anew = false;

	engine_lock();
	for (size_t i = 0; i < count; i++) {
		uint32_t number = labels[i].number;

		if (labels[i].name)
			maui_principals_number(in_force.principals, type, labels[i].name, &number);
		anew |= number != labels[i].number;
	}
	engine_unlock();
	return anew;
}

/* The names of maui.cfg are asked for before anybody is known not to have them. */
static void label_batch(enum maui_credential type, struct label *labels, size_t count)
{
	int64_t asked = time(NULL);

	for (size_t i = 0; i < count; i++)
		labels[i].answer = principals_ask_name(type, labels[i].number, &labels[i].name);
	if (label_is_new(type, labels, count))
		resolve_all();
	else if (count)
		resolve_lacking();
	engine_lock();
	for (size_t i = 0; i < count; i++) {
		label_set(type, &labels[i], asked);
		free(labels[i].name);
	}
	engine_unlock();
}

/* Users and groups that have appeared since the last time. */
static void labels_add_all(enum maui_credential type)
{
	struct label labels[LABEL_BATCH];
	uint32_t at = 0;
	size_t count;

	do {
		engine_lock();
		for (count = 0; count < LABEL_BATCH; count++) {
			labels[count].number = maui_names_unlabeled(in_force.names, type, &at);
			if (labels[count].number == UINT32_MAX)
				break;
		}
		engine_unlock();
		label_batch(type, labels, count);
	} while (count == LABEL_BATCH);
}

/* Whether anything needs names: what is written, and the policy's lists. */
static bool labels_wanted(void)
{
	bool wanted;

	engine_lock();
	wanted = fairshare_windows(NULL) || limits_act() ||
		 maui_principals_lack(in_force.principals, MAUI_USER) ||
		 maui_principals_lack(in_force.principals, MAUI_GROUP);
	engine_unlock();
	return wanted;
}

void labels_ask(void)
{
	if (!labels_wanted())
		return;
	if (monotonic_seconds() >= again) {
		engine_lock();
		maui_names_ask_again(in_force.names, MAUI_USER);
		maui_names_ask_again(in_force.names, MAUI_GROUP);
		engine_unlock();
		again = monotonic_seconds() + LABEL_PATIENCE;
	}
	labels_add_all(MAUI_USER);
	labels_add_all(MAUI_GROUP);
}
