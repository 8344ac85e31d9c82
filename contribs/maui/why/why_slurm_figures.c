/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much a limit of Slurm's allows, how much of it is used, and what the job needs: in words. */
#include "contribs/maui/why/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/list.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/slurm/slurm_limit.h"

/* What a limit allows, what of it is used (NULL: it has no usage), and what the job needs of it. */
struct words {
	const char *limit; /* its name begins so: the first that fits counts */
	const char *may, *how, *used, *needed;
};

static const struct words words[] = {
	{"GrpJobs", "may run", " at a time", "runs", NULL},
	{"MaxJobs", "may run", " at a time", "runs", NULL},
	{"GrpSubmitJobs", "may have", " in the queue", "has", NULL},
	{"MaxSubmitJobs", "may have", " in the queue", "has", NULL},
	{"GrpWall", "may use", " of wall time", "has used", "may need"},
	{"MaxWall", "may run a job for", "", NULL, "asks for"},
	{"GrpTRESMins", "may use", "", "has used", "may need"},
	{"GrpTRESRunMins", "may have", " outstanding", "has", "needs"},
	{"MaxTRESRunMins", "may have", " outstanding", "has", "needs"},
	{"MaxTRESMinsPerJob", "may use", " in a job", NULL, "asks for"},
	{"MaxTRESPerJob", "may hold", " in a job", NULL, "asks for"},
	{"MaxTRESPerNode", "may hold", " on a node in a job", NULL, NULL},
	{"MinTRESPerJob", "must hold at least", " in a job", NULL, "asks for"},
	{"GrpTRES", "may hold", " at a time", "holds", "needs"},
	{"MaxTRES", "may hold", " at a time", "holds", "needs"},
};

static const struct words *words_of(const char *limit)
{
	size_t i = 0;

	while (strncmp(limit, words[i].limit, strlen(words[i].limit)) != 0)
		i++;
	return &words[i];
}

/* ---- amounts ---- */

/* With two decimals at most: 998.2 */
static const char *number_text(double number, char text[32])
{
	char *end;

	end = text + snprintf(text, 32, "%.2f", number);
	while (end[-1] == '0')
		*--end = '\0';
	if (end[-1] == '.')
		end[-1] = '\0';
	return text;
}

/* "3 jobs", "8 CPUs", "1000 CPU minutes", "512 MB of memory", "2 of gres/gpu". */
static void amount_text(const char *limit, const char *tres, double amount, char *text, size_t room)
{
	static const struct {
		const char *tres, *one, *many, *minutes;
	} units[] = {
		{"cpu", "CPU", "CPUs", "CPU minutes"},
		{"node", "node", "nodes", "node minutes"},
		{"mem", "MB of memory", "MB of memory", "MB minutes of memory"},
		{"energy", "joule", "joules", "joule minutes"},
	};
	bool minutes = strstr(limit, "Mins") != NULL;
	char number[32];

	number_text(amount, number);
	if (!*tres) {
		bool jobs = strstr(limit, "Jobs") != NULL;

		snprintf(text, room, "%s %s%s", number, jobs ? "job" : "minute",
			 amount == 1 ? "" : "s");
		return;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(units[i].tres, tres)) {
			snprintf(text, room, "%s %s", number,
				 minutes         ? units[i].minutes
				 : amount == 1.0 ? units[i].one
						 : units[i].many);
			return;
		}
	snprintf(text, room, "%s %sof %s", number, minutes ? "minutes " : "", tres);
}

/* ---- what the job needs ---- */

/* Of "cpu=4,mem=1.50G,node=1,gres/gpu=2", memory in MB; NAN: not given. */
static double asked_of(const char *list, const char *tres)
{
	static const char units[] = "KMGTP";
	struct maui_item value;
	const char *unit;
	double amount;
	char *end;

	if (!maui_list_value(list, tres, &value))
		return NAN;
	amount = strtod(value.text, &end);
	unit = *end ? strchr(units, *end) : NULL;
	if (unit && end < value.text + value.size)
		amount *= pow(1024, (double)(unit - units) - (strcmp(tres, "mem") ? -1 : 1));
	return amount;
}

/* NAN: unknown, or nothing that adds up. */
static double why_slurm_figures_needed(const struct why *why, const char *limit, const char *tres)
{
	double minutes = member_number(why->job, "time_limit") / 60;
	double asked;

	if (!*tres)
		return strstr(limit, "Jobs") ? 1 : minutes > 0 ? minutes : NAN;
	if (!strcmp(limit, "MaxTRESPerNode"))
		return NAN;
	asked = asked_of(member_text(why->job, "tres"), tres);
	if (strstr(limit, "Mins"))
		return minutes > 0 ? asked * minutes : NAN;
	return asked;
}

/* Comparisons with NAN are false. */
static bool is_reached(const struct slurm_limit *row, const char *limit, double need)
{
	double used = isnan(row->used) ? 0 : row->used;

	if (!strncmp(limit, "Min", 3))
		return need < row->allowed;
	return used >= row->allowed || used + need > row->allowed;
}

/* ---- one finding each ---- */

static void holder_text(const struct why *why, const char *limit, const struct slurm_limit *row,
			char *text, size_t room)
{
	const char *user = member_text(why->job, "user");

	if (row->holder == SLURM_LIMIT_ACCOUNT)
		snprintf(text, room, "account %s", row->name);
	else if (row->holder == SLURM_LIMIT_USER)
		snprintf(text, room, "user %s in account %s", user, row->name);
	else if (strstr(limit, "PerUser"))
		snprintf(text, room, "user %s in QOS %s", user, row->name);
	else if (strstr(limit, "PerAccount"))
		snprintf(text, room, "account %s in QOS %s", member_text(why->job, "account"),
			 row->name);
	else
		snprintf(text, room, "QOS %s", row->name);
}

static void set_amount(struct json_object *facts, const char *name, double amount)
{
	json_set_decimal(facts, name, round(amount * 100) / 100);
}

static void add_one(struct why *why, const char *limit, struct json_object *facts,
		    const struct slurm_limit *row)
{
	const struct words *say = words_of(limit);
	double need = why_slurm_figures_needed(why, limit, row->tres);
	char holder[300], allowed[120], used[80] = "", job[80] = "", number[32];
	struct json_object *own = NULL;

	json_object_deep_copy(facts, &own, NULL);
	holder_text(why, limit, row, holder, sizeof(holder));
	amount_text(limit, row->tres, row->allowed, allowed, sizeof(allowed));
	if (say->used && !isnan(row->used))
		snprintf(used, sizeof(used), ", %s %s", say->used, number_text(row->used, number));
	if (say->needed && !isnan(need))
		snprintf(job, sizeof(job), "; this job %s %s", say->needed,
			 number_text(need, number));
	why_fact_text(own, "whose", holder);
	why_fact_text(own, "tres", row->tres);
	set_amount(own, "allowed", row->allowed);
	set_amount(own, "used", row->used);
	set_amount(own, "needed", need);
	why_add(why, WHY_CAUSE, "slurm-limit", own, "%s %s %s%s (%s%s%s)%s%s", holder, say->may,
		allowed, say->how, limit, *row->tres ? "=" : "", row->tres, used, job);
}

/* All that have it, if by these figures none is reached: some have changed since the reason was
 * given. */
static bool why_slurm_figures_add_all(struct why *why, const char *limit, struct json_object *facts,
				      const struct slurm_limit *rows, size_t count)
{
	bool any = false, added = false;

	for (size_t i = 0; i < count; i++)
		any = any || is_reached(&rows[i], limit,
					why_slurm_figures_needed(why, limit, rows[i].tres));
	for (size_t i = 0; i < count; i++)
		if (!any || is_reached(&rows[i], limit,
				       why_slurm_figures_needed(why, limit, rows[i].tres))) {
			add_one(why, limit, facts, &rows[i]);
			added = true;
		}
	return added;
}

/* QOS of the job's partitions, "a,b". */
static void partition_qos(const struct why *why, char *list, size_t room)
{
	const char *names = member_text(why->job, "partition");
	struct maui_item item;
	char name[256];

	*list = '\0';
	while (maui_list_next(&names, ",", &item)) {
		const char *qos = member_text(queue_find(why->queue, "partitions",
							 maui_item_copy(item, name, sizeof(name))),
					      "qos");

		if (*qos && !maui_list_has(list, qos))
			maui_list_add(list, room, ",", qos);
	}
}

static bool why_slurm_figures_ask(struct why *why, bool of_qos, const char *limit, const char *tres,
				  struct slurm_limit **ret_rows, size_t *ret_count,
				  char *ret_problem, size_t room)
{
	char qos[600];
	struct slurm_limit_request request = {.of_qos = of_qos,
					      .limit = limit,
					      .tres = tres,
					      .user = member_text(why->job, "user"),
					      .account = member_text(why->job, "account"),
					      .uid = (uint32_t)member_integer(why->job, "uid"),
					      .qos = member_text(why->job, "qos"),
					      .partition = member_text(why->job, "partition"),
					      .partition_qos = qos};
	struct maui_error error;

	partition_qos(why, qos, sizeof(qos));
	if (slurm_limit_ask(&request, why->ask_slurm, ret_rows, ret_count, &error) == 0)
		return true;
	snprintf(ret_problem, room, "%s", error.text);
	return false;
}

bool why_slurm_figures(struct why *why, bool of_qos, const char *limit, const char *tres,
		       struct json_object *facts, char *ret_problem, size_t room)
{
	struct slurm_limit *rows;
	bool added, hidden;
	size_t count;

	*ret_problem = '\0';
	if (!why->ask_slurm ||
	    !why_slurm_figures_ask(why, of_qos, limit, tres, &rows, &count, ret_problem, room))
		return false;
	hidden = count && rows[count - 1].holder == SLURM_LIMIT_HIDDEN;
	added = why_slurm_figures_add_all(why, limit, facts, rows, count - hidden);
	free(rows);
	if (!added)
		snprintf(ret_problem, room, "%s",
			 hidden ? "slurmctld hides associations from you (PrivateData)"
				: "no such limit is set any more");
	return added;
}
