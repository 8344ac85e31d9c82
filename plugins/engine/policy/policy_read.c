/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From maui.cfg to a policy, falling back on the last good copy, and then on what is right in the
 * file. The copy is one file: all texts that were read, in their order, with the include lines
 * disabled (an included file is appended to what includes it, so the sum means the same). Its first
 * line says whether the files could be trusted: the copy itself always could.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/policy/policy_read.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/flat.h"
#include "common/util/memory.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/logged.h"
#include "plugins/engine/runtime/retry.h"
#include "plugins/engine/runtime/statekept.h"

#define LAST_GOOD      "maui.cfg.last-good"
#define UNTRUSTED_MARK "# slurm-maui: copy of files that others may write\n"

/*
 * NODEALLOCATIONPOLICY LOCAL. What is loaded stays loaded: it may be ordering a job's nodes right
 * now. It is code that runs with slurmctld's rights, so only a maui.cfg that others cannot write
 * may name it.
 */
static maui_nodealloc_local_function load_local(const struct maui_config *config)
{
	const char *path = maui_config_get(config, MAUI_KEY_NODEALLOCATIONLOCAL, NULL)->text;
	void *object, *function;

	if (!path || !*path || !maui_config_trusted(config))
		return NULL;
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	function = object ? dlsym(object, MAUI_NODEALLOC_LOCAL_SYMBOL) : NULL;
	if (!function)
		error("maui: NODEALLOCATIONLOCAL %s: %s", path, dlerror());
	return (maui_nodealloc_local_function)function;
}

/* Compile a policy to be put in force. Takes over the caller's reference to config. */
static struct maui_policy *policy_read_compile(struct maui_config *config,
					       enum maui_policy_source source)
{
	struct maui_policy *policy = maui_policy_compile(config, time(NULL));

	if (maui_config_unknown(config))
		policy->unknown = maui_faults_of_unknown(config, policy->loaded);
	policy->local = load_local(config);
	policy->source = source;
	return policy;
}

static void log_problems(const struct maui_config *config)
{
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);

	for (size_t i = 0; i < count && i < MAX_PROBLEMS_LOGGED; i++) {
		bool wrong = problems[i].severity == MAUI_ERROR;
		char *text = maui_faults_text(&problems[i], wrong ? "error: " : "warning: ");

		if (text && wrong)
			error("maui: %s", text);
		else if (text)
			info("maui: %s", text);
		free(text);
	}
	if (count > MAX_PROBLEMS_LOGGED)
		info("maui: %zu more problems: run `maui check %s`", count - MAX_PROBLEMS_LOGGED,
		     maui_config_path(config));
}

/* ---- the last good copy ---- */

/* Its text, which stays in memory: it is written from there, again if somebody
 * removes the file. */
struct text {
	char *text;
	size_t size;
};

ENGINE_GUARDED static struct text last_good;

static void copy_text(const void *state, char **ret_text, size_t *ret_size)
{
	const struct text *text = state;

	*ret_text = maui_malloc(text->size + 1, 1);
	memcpy(*ret_text, text->text, text->size);
	*ret_size = text->size;
}

static const struct maui_state_file last_good_format = {
	.name = LAST_GOOD,
	.format = copy_text,
	.forgets = "the last good copy of maui.cfg",
};

/* It is read with maui.cfg: read_last_good(). */
struct state_file last_good_file = {
	.format = &last_good_format,
	.interval = 1,
	.live = &last_good,
};

static void keep_last_good(const struct maui_flat *flat, bool trusted)
{
	size_t mark = trusted ? 0 : strlen(UNTRUSTED_MARK);
	struct text copy = {maui_malloc(mark + flat->size + 1, 1), mark + flat->size};

	memcpy(copy.text, UNTRUSTED_MARK, mark);
	memcpy(copy.text + mark, flat->text, flat->size);
	engine_lock();
	free(last_good.text);
	last_good = copy;
	last_good_file.changed = true;
	engine_unlock();
}

static void policy_read_refuse(const struct site *site, const char *why,
			       struct policy_reading *reading)
{
	error("maui: %s", why);
	reading->faults = maui_faults_of_file(site->config_path, why, time(NULL));
}

/* Takes over the caller's reference to config. */
static void policy_read_judge(const struct site *site, struct maui_config *config,
			      struct policy_reading *reading)
{
	log_problems(config);
	if (maui_config_errors(config)) {
		reading->partial = config;
		reading->faults = maui_faults_of_config(config, time(NULL));
		return;
	}
	reading->policy = policy_read_compile(config, MAUI_POLICY_FILE);
}

/* ---- again, when maui.cfg, or a file that it includes, could not be read ---- */

ENGINE_GUARDED static struct {
	struct retry files;    /* one of them could not be read */
	bool last_good_unread; /* it was wanted, and could not be read */
} again;

/* Reads, and notes whether something may be readable later. */
struct watching {
	struct maui_reader files;
	bool unread;
};

static int read_watched(void *context, const char *path, const char *including, char **ret_text,
			size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	struct watching *watching = context;
	int rc = watching->files.read(watching->files.context, path, including, ret_text, ret_size,
				      ret_trusted, error);

	if (rc && rc != -ENOENT && rc != -EINVAL && rc != -EFBIG)
		watching->unread = true;
	return rc;
}

static bool last_good_waits(void)
{
	bool waits;

	engine_lock();
	waits = again.last_good_unread;
	engine_unlock();
	return waits;
}

/* For the log and the status, too (D-SYS-15). */
static void note_last_good(const char *path, bool unread, const char *why)
{
	enum statekept before =
		statekept_note(path, unread ? STATEKEPT_UNREAD : STATEKEPT_NOT, why);

	engine_lock();
	again.last_good_unread = unread;
	engine_unlock();
	if (unread && before != STATEKEPT_UNREAD)
		error("maui: the last good copy cannot be read now (%s): reservations stay as "
		      "they are until it can be, or maui.cfg is right again",
		      why);
}

static void read_again(bool unread)
{
	engine_lock();
	retry_note(&again.files, unread);
	engine_unlock();
	if (unread)
		error("maui: maui.cfg, or what it includes, is read again as soon as it can be");
}

/* It is read with slurm.conf, in an iteration. */
static double policy_read_due(double now)
{
	double next = retry_due(&again.files);

	engine_assert_locked();
	if (now >= next)
		engine.reload_wanted = true;
	return now >= next ? INFINITY : next;
}

bool policy_waits(void)
{
	return again.last_good_unread ||
	       (retry_waits(&again.files) && in_force.policy->source == MAUI_POLICY_NEUTRAL);
}

const struct module policy_read_module = {.due = policy_read_due};

/* It is not waited for any more: maui.cfg itself is right. */
static void forget_last_good(const struct site *site)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/" LAST_GOOD, site->state_directory);
	note_last_good(path, false, NULL);
}

void policy_read(const struct site *site, bool keep_copy, struct policy_reading *ret_reading)
{
	unsigned int slurm_uid = site->slurm_uid;
	struct watching watching = {.files = maui_file_reader(&slurm_uid)};
	struct maui_flat flat = {.from = {.read = read_watched, .context = &watching}};
	struct maui_reader reader = maui_flat_reader(&flat);
	struct policy_reading reading = {0};
	struct maui_config *config = NULL;
	struct maui_error why = {""};

	reader.unknown_is_error = site->unknown_is_error;
	if (maui_config_load(site->config_path, &reader, &config, &why))
		policy_read_refuse(site, why.text, &reading);
	else
		policy_read_judge(site, config, &reading);
	if (reading.policy && last_good_waits())
		forget_last_good(site);
	if (reading.policy && keep_copy)
		keep_last_good(&flat, maui_config_trusted(reading.policy->config));
	free(flat.text);
	read_again(watching.unread || last_good_waits());
	*ret_reading = reading;
}

void policy_reading_clear(struct policy_reading *reading)
{
	maui_policy_unref(reading->policy);
	maui_config_unref(reading->partial);
	maui_faults_free(reading->faults);
	*reading = (struct policy_reading){0};
}

struct maui_policy *policy_take_partial(const struct site *site, struct policy_reading *reading)
{
	struct maui_policy *policy;

	if (!reading->partial || !reading->faults)
		return NULL;
	policy = policy_read_compile(maui_config_ref(reading->partial), MAUI_POLICY_PARTIAL);
	error("maui: %s has %zu errors and there is no good copy: what they name is left out, and "
	      "the rest is %s",
	      site->config_path, reading->faults->errors, engine_in_force());
	policy->left_out = reading->faults;
	reading->faults = NULL;
	return policy;
}

/* The reader of the last good copy: what was not trusted then is not trusted now. */
static int read_last_good(void *context, const char *path, const char *including, char **ret_text,
			  size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	struct maui_reader *reader = context;
	int rc = reader->read(reader->context, path, including, ret_text, ret_size, ret_trusted,
			      error);

	if (!rc && !strncmp(*ret_text, UNTRUSTED_MARK, strlen(UNTRUSTED_MARK))) {
		*ret_trusted = false;
		maui_error_set(error, EPERM, "%s is a copy of files that others could write", path);
	}
	return rc;
}

static struct maui_policy *load_last_good(const struct site *site)
{
	unsigned int slurm_uid = site->slurm_uid;
	struct watching watching = {.files = maui_file_reader(&slurm_uid)};
	struct maui_reader files = {.read = read_watched, .context = &watching};
	struct maui_reader reader = {.read = read_last_good, .context = &files};
	struct maui_config *config = NULL;
	struct maui_error why = {""};
	char path[PATH_MAX];
	int rc;

	snprintf(path, sizeof(path), "%s/" LAST_GOOD, site->state_directory);
	rc = maui_config_load(path, &reader, &config, &why);
	note_last_good(path, rc && watching.unread, why.text);
	if (rc) {
		if (rc != -ENOENT && !watching.unread)
			error("maui: the last good copy cannot be used: %s", why.text);
		return NULL;
	}
	if (maui_config_errors(config)) {
		error("maui: the last good copy has errors and is not used: %s",
		      maui_config_path(config));
		maui_config_unref(config);
		return NULL;
	}
	return policy_read_compile(config, MAUI_POLICY_LAST_GOOD);
}

static void tell_last_good(const struct site *site)
{
	error("maui: %s cannot be used: the last good copy is %s", site->config_path,
	      engine_in_force());
}

struct maui_policy *policy_last_good_late(const struct site *site)
{
	struct maui_policy *policy = last_good_waits() ? load_last_good(site) : NULL;

	if (policy)
		tell_last_good(site);
	return policy;
}

static struct maui_policy *policy_read_neutral(void)
{
	struct maui_config *config = NULL;
	struct maui_error why = {""};

	if (maui_config_parse("(built-in defaults)", "", 0, NULL, &config, &why)) {
		error("maui: %s", why.text);
		return NULL;
	}
	return policy_read_compile(config, MAUI_POLICY_NEUTRAL);
}

struct maui_policy *policy_stand_in(const struct site *site, struct policy_reading *reading)
{
	struct maui_policy *policy = load_last_good(site);

	if (policy) {
		tell_last_good(site);
		return policy;
	}
	if (last_good_waits())
		read_again(true);
	policy = policy_take_partial(site, reading);
	if (policy)
		return policy;
	error("maui: %s cannot be used and there is no good copy: priorities follow the built-in "
	      "defaults, that is queue time alone",
	      site->config_path);
	return policy_read_neutral();
}
