/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The areas acl_raw and rsv_access: who may use a reservation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/reservation/rsv_access.h"
#include "testsuite/vectors/acl_reading.h"
#include "testsuite/vectors/lines.h"
#include "testsuite/vectors/reservation_case.h"

#define CREDENTIALS 16

static struct acl_answer core_answer(bool granted, const struct maui_acl_verdict *verdict,
				     enum maui_affinity affinity)
{
	return (struct acl_answer){granted, granted || verdict->reason == MAUI_ACL_NOBODY,
				   reservation_affinity(affinity)};
}

/* ---- acl_raw ------------------------------------------------------------------------------- */

struct raw_case {
	struct acl_reading acl;
	struct acl_reading_credential credentials[CREDENTIALS];
	size_t count;
	char texts[CREDENTIALS][64];
};

/* "USER:joe*,!bob" is the attribute USERLIST=joe*,!bob. */
static const struct {
	const char *type, *attribute;
	int credential;
} types[] = {{"USER", "USERLIST", MAUI_USER},
	     {"GROUP", "GROUPLIST", MAUI_GROUP},
	     {"ACCT", "ACCOUNTLIST", MAUI_ACCOUNT},
	     {"QOS", "QOSLIST", MAUI_QOS},
	     {"CLASS", "CLASSLIST", MAUI_CLASS},
	     {"JFEATURE", "JOBATTRLIST", -1},
	     {"DURATION", "TIMELIMIT", -1},
	     {"PROC", "PROCLIMIT", -1},
	     {"TASK", "TASKLIMIT", -1}};
#define TYPES (sizeof(types) / sizeof(types[0]))

/* The list of "TYPE:list", and its type's index in the table; NULL if there is none. */
static const char *split(const char *text, size_t *ret_type)
{
	size_t length = strcspn(text, ":");

	for (*ret_type = 0; *ret_type < TYPES; ++*ret_type)
		if (strlen(types[*ret_type].type) == length && text[length] &&
		    !strncmp(text, types[*ret_type].type, length))
			return text + length + 1;
	return NULL;
}

static bool raw_lists(struct check *check, struct json_object *acl, struct raw_case *input,
		      char *line, size_t size)
{
	size_t used = (size_t)snprintf(line, size, "SRCFG[x] TASKCOUNT=1"), type;

	for (size_t i = 0; i < lines_count(acl); i++) {
		const char *list = split(lines_at(acl, i), &type);

		if (!list || !acl_reading_add(&input->acl, types[type].type, list)) {
			check_fail(check, "acl", "'%s' is not known", lines_at(acl, i));
			return false;
		}
		used += (size_t)snprintf(line + used, used < size ? size - used : 0, " %s=%s",
					 types[type].attribute, list);
	}
	snprintf(line + used, used < size ? size - used : 0, "\n");
	return true;
}

/* The job's credentials, for the core and for the reading. */
static bool raw_credentials(struct check *check, struct json_object *creds, struct raw_case *input,
			    struct reservation_core *core, struct maui_acl_job *job)
{
	for (size_t i = 0; i < lines_count(creds) && i < CREDENTIALS; i++) {
		const char *text = lines_at(creds, i), *value = strchr(text, ':');
		size_t type;

		snprintf(input->texts[i], sizeof(input->texts[i]), "%.*s", (int)strcspn(text, ":"),
			 text);
		input->credentials[input->count++] =
			(struct acl_reading_credential){input->texts[i], value ? value + 1 : ""};
		if (!strcmp(input->texts[i], "JOB"))
			continue;
		value = split(text, &type);
		if (!value) {
			check_fail(check, "creds", "'%s' is not known", text);
			return false;
		}
		if (types[type].credential >= 0)
			job->credential[types[type].credential] =
				reservation_id(core, types[type].credential, value);
		else if (!strcmp(types[type].type, "DURATION"))
			job->duration = strtoll(value, NULL, 10);
		else if (!strcmp(types[type].type, "PROC"))
			job->procs = strtoll(value, NULL, 10);
		else if (!strcmp(types[type].type, "JFEATURE"))
			job->attributes |= maui_acl_attribute(value, strlen(value));
	}
	return true;
}

static void read_raw(const void *input, rule_mask rules, struct acl_answer *ret_answer)
{
	const struct raw_case *raw = input;

	acl_reading_evaluate(&raw->acl, raw->credentials, raw->count, rules, ret_answer);
}

void check_acl_raw(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"acl", "creds", "expect", "id", NULL};
	static const char *const fields[] = {"affinity", "inclusive", "parsed", "rc", NULL};
	struct json_object *expect = member(object, "expect");
	static struct raw_case input;
	static struct acl_both both;
	struct reservation_core core;
	struct maui_acl_job job = {.tasks = 0};
	struct maui_acl_verdict verdict;
	struct acl_answer ours;
	char line[2048];

	check_members(check, object, known);
	check_members(check, expect, fields);
	memset(&input, 0, sizeof(input));
	if (!raw_lists(check, member(object, "acl"), &input, line, sizeof(line)) ||
	    !reservation_core_open(check, line, &core))
		return;
	if (raw_credentials(check, member(object, "creds"), &input, &core, &job)) {
		const struct maui_acl *acl = maui_sr_find(core.settings, "x")->acl;
		bool granted = maui_acl_evaluate(acl, &job, &verdict);

		ours = core_answer(granted, &verdict, verdict.affinity);
		acl_both_read(read_raw, &input, &both);
		acl_both_check(check, &both, expect, "inclusive", true, &ours);
		reservation_check_acl(check, member(expect, "parsed"), acl, NULL);
	}
	reservation_core_close(&core);
}

/* ---- rsv_access ---------------------------------------------------------------------------- */

struct access_case {
	struct acl_reading acl;
	struct acl_reading_credential credentials[CREDENTIALS];
	size_t count;
	char overlap[32], procs[32];
	const char *instance; /* its name in the original */
	const char *asks, *list;
	bool by_name;
};

/* MAXTIME sets the existing limit, or makes one without a name. */
static bool take_maxtime(struct access_case *input, const char *list)
{
	struct acl_reading_item *old = NULL;
	struct acl_reading own = {.count = 0};

	if (!acl_reading_add(&own, "DURATION", list) || own.count != 1)
		return false;
	for (size_t i = 0; i < input->acl.count && !old; i++)
		if (!strcmp(input->acl.items[i].type, "DURATION"))
			old = &input->acl.items[i];
	if (!old) {
		own.items[0].unnamed = true;
		input->acl.items[input->acl.count++] = own.items[0];
		return true;
	}
	old->value = own.items[0].value;
	old->required = own.items[0].required;
	return true;
}

static bool take_list(struct access_case *input, const char *attribute, const char *list)
{
	if (!strcmp(attribute, "FLAGS") && strstr(list, "BYNAME"))
		input->by_name = true;
	if (!strcmp(attribute, "MAXTIME"))
		return take_maxtime(input, list);
	for (size_t t = 0; t < TYPES; t++)
		if (!strcmp(attribute, types[t].attribute))
			return acl_reading_add(&input->acl, types[t].type, list);
	return true;
}

/* The case's line, word by word, as the original reads it. */
static bool access_lists(struct check *check, struct json_object *cfg, struct access_case *input)
{
	for (size_t i = 0; i < lines_count(cfg); i++) {
		char line[1024], *rest, *word;

		snprintf(line, sizeof(line), "%s", lines_at(cfg, i));
		strtok_r(line, " ", &rest);
		while ((word = strtok_r(NULL, " ", &rest))) {
			char *value = strchr(word, '=');

			if (!value)
				continue;
			*value++ = '\0';
			if (!take_list(input, word, value)) {
				check_fail(check, "cfg", "'%s=%s' is not known", word, value);
				return false;
			}
		}
	}
	return true;
}

/* Every reservation of the original has the entry RES==<its name>=. */
static void add_implicit(struct access_case *input)
{
	struct acl_reading_item *item = &input->acl.items[input->acl.count];

	if (input->acl.count == ACL_READING_ITEMS)
		return;
	*item = (struct acl_reading_item){
		.type = "RES", .comparison = "%=", .affinity = 3, .implicit = true};
	/* test.0.0 without its last part */
	snprintf(item->name, sizeof(item->name), "%s", input->instance);
	if (strrchr(item->name, '.'))
		*strrchr(item->name, '.') = '\0';
	input->acl.count++;
}

static void add_credential(struct access_case *input, const char *type, const char *value)
{
	if (value)
		input->credentials[input->count++] = (struct acl_reading_credential){type, value};
}

static void access_credentials(struct json_object *job, double overlap, struct access_case *input)
{
	snprintf(input->overlap, sizeof(input->overlap), "%.0f",
		 fmin(overlap, member_number(job, "wc", 0)));
	snprintf(input->procs, sizeof(input->procs), "%.0f", member_number(job, "tasks", 0));
	add_credential(input, "USER", member_text(job, "user"));
	add_credential(input, "GROUP", member_text(job, "group"));
	add_credential(input, "ACCT", member_text(job, "account"));
	add_credential(input, "QOS", member_text(job, "qos"));
	add_credential(input, "CLASS", member_text(job, "class"));
	add_credential(input, "RES", member_text(job, "ralist"));
	add_credential(input, "DURATION", input->overlap);
	add_credential(input, "PROC", input->procs);
	add_credential(input, "JFEATURE", member_text(job, "jattr"));
}

static bool asks_for(const struct access_case *input, rule_mask rules)
{
	size_t base = strcspn(input->instance, ".");

	if (!input->asks)
		return false;
	if (!strcmp(input->asks, input->instance))
		return true;
	return !(rules & RULE_BIT(RULE_RSV_BASE_NAME)) && strlen(input->asks) == base &&
	       !strncmp(input->asks, input->instance, base);
}

static void read_access(const void *data, rule_mask rules, struct acl_answer *ret_answer)
{
	const struct access_case *input = data;

	*ret_answer = (struct acl_answer){.affinity = "none"};
	if (input->list && (!strcmp(input->list, "[ALL]") || !strcmp(input->list, input->instance)))
		*ret_answer = (struct acl_answer){1, 1, "+"};
	else if ((!input->by_name && !input->asks) || asks_for(input, rules))
		acl_reading_evaluate(&input->acl, input->credentials, input->count, rules,
				     ret_answer);
}

static uint32_t name_id(const struct access_case *input, const char *name)
{
	size_t base = strcspn(input->instance, ".");

	if (!name)
		return 0;
	if (!strcmp(name, input->instance))
		return 1;
	return strlen(name) == base && !strncmp(name, input->instance, base) ? 2 : 3;
}

static struct acl_answer core_access(struct reservation_core *core, const struct maui_sr *sr,
				     const struct access_case *input, struct json_object *job,
				     double overlap)
{
	struct maui_rsv_instance instance = {.name = 1,
					     .standing = 2,
					     .by_name = sr->flags & MAUI_SR_BYNAME,
					     .end = (int64_t)overlap,
					     .acl = sr->acl};
	uint32_t list = name_id(input, input->list);
	struct maui_rsv_job asking = {.asks = name_id(input, input->asks),
				      .walltime = (int64_t)member_number(job, "wc", 0),
				      .start = MAUI_RSV_START_UNKNOWN,
				      .access = &list,
				      .access_count = 1};
	const char *attribute = member_text(job, "jattr");
	struct maui_rsv_verdict verdict;

	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++)
		asking.acl.credential[type] =
			reservation_id(core, type, member_text(job, maui_credential_name(type)));
	asking.acl.procs = (int64_t)member_number(job, "tasks", 0);
	asking.access_all = input->list && !strcmp(input->list, "[ALL]");
	if (attribute)
		asking.acl.attributes = maui_acl_attribute(attribute, strlen(attribute));
	maui_rsv_admits_at(&instance, &asking, 0, &verdict);
	return core_answer(verdict.granted, &verdict.acl, verdict.affinity);
}

void check_rsv_access(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"cfg", "expect", "id", "job", "overlap", "rc", NULL};
	static const char *const fields[] = {"affinity", "granted", "racl", "rname", NULL};
	static const char *const members[] = {"account", "class",   "group", "jattr", "name", "qos",
					      "ralist",  "resname", "tasks", "user",  "wc",   NULL};
	struct json_object *expect = member(object, "expect"), *job = member(object, "job");
	double overlap = member_number(object, "overlap", 0);
	static struct access_case input;
	static struct acl_both both;
	struct reservation_core core;
	struct acl_answer ours;
	char *lines;

	check_members(check, object, known);
	check_members(check, expect, fields);
	check_members(check, job, members);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	/* Instances are named differently: D-RSV-1. The case has the original's name. */
	memset(&input, 0, sizeof(input));
	input.instance = member_text(expect, "rname");
	input.asks = member_text(job, "resname");
	input.list = member_text(job, "ralist");
	if (!input.instance) {
		check_fail(check, "rname", "missing");
		return;
	}
	check_text_left_out(check, "rname", input.instance, "test.0.0", RULE_SR_NAMES);
	if (!access_lists(check, member(object, "cfg"), &input))
		return;
	add_implicit(&input);
	access_credentials(job, overlap, &input);
	lines = lines_join(member(object, "cfg"));
	if (reservation_core_open(check, lines, &core)) {
		const struct maui_sr *list;

		if (maui_sr_list(core.settings, &list) != 1)
			check_fail(check, "cfg", "not one standing reservation");
		else {
			ours = core_access(&core, list, &input, job, overlap);
			acl_both_read(read_access, &input, &both);
			acl_both_check(check, &both, expect, "granted", false, &ours);
			reservation_check_acl(check, member(expect, "racl"), list->acl,
					      member(object, "cfg"));
		}
		reservation_core_close(&core);
	}
	free(lines);
}
