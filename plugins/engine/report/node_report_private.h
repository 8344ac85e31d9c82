/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the node reports share. */
#ifndef MAUI_ENGINE_NODE_REPORT_PRIVATE_H
#define MAUI_ENGINE_NODE_REPORT_PRIVATE_H

#include "plugins/compat/base.h"

#include "common/util/arena.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/report/node_report.h"

/* Nodes in one answer. */
#define NODE_REPORT_MAX_NODES 20000

/* The answer to users bound by PrivateData=nodes, as sinfo applies it. */
#define NODE_REPORT_PRIVATE "PrivateData leaves the nodes to operators and administrators"
#define NODE_REPORT_FAILED  "nothing is known of nodes: there is no policy yet"
#define NODE_REPORT_STANDBY "this controller is on standby"

/* ---- what is asked for ---- */

/* A whole number from min to max; *ret_number is unchanged if there is no such member. */
bool node_report_read_number(struct json_object *arguments, const char *name, int64_t min,
			     int64_t max, int64_t *ret_number);
/* "job" and "task" (NO_VAL: no task of an array). NULL, or what is wrong with them. */
const char *node_report_read_job(struct json_object *arguments, uint32_t *ret_job,
				 uint32_t *ret_task);

/* ---- who may see what; no lock of Slurm's held ---- */

/* Whether a flag of PrivateData is set and binds the asking user. */
bool node_asker_is_bound(const struct node_asker *asker, uint16_t flag);
/* PrivateData=jobs, as squeue applies it; account may be NULL. */
bool node_asker_sees_job(const struct node_asker *asker, uint32_t uid, const char *account);

/* ---- under Slurm's locks ---- */

/* Takes the read locks of jobs, nodes and partitions. False, with nothing
 * locked, where engine_may_look() is false. */
bool node_report_lock(void);
void node_report_unlock(void);

/* A copy; NULL for NULL. */
const char *node_report_text(struct maui_arena *arena, const char *text);

/* A job as users name it: by its number and that of its array. */
struct node_report_job {
	uint32_t id, array_id, array_task; /* NO_VAL: no task */
	uint32_t uid;
	const char *account;
};
void node_report_copy_job(struct maui_arena *arena, const job_record_t *job,
			  struct node_report_job *ret_copy);

/* ---- answers ---- */

/* A text, or null for NULL. */
void node_json_text(struct json_object *object, const char *name, const char *text);
void node_json_number(struct json_object *object, const char *name, int64_t number);
/* A time, or null where Slurm has none. */
void node_json_time(struct json_object *object, const char *name, int64_t seconds);
/* "job" and "array", "user". unanswered: as for name_text(). */
void node_json_job(struct json_object *object, const struct node_report_job *job,
		   size_t *unanswered);
/* "configured", "available", "dedicated", "speed", "procspeed", "load", "jobs", "usage". */
void node_json_resources(struct json_object *object, const struct maui_node_candidate *node);
/* "value", "constant", "terms". */
void node_json_terms(struct json_object *object, const struct maui_node_gres *gres,
		     const struct maui_node_terms *terms);

#endif
