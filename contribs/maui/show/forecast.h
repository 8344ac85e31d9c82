/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui showstart: when something is expected to start, and how that is printed. */
#ifndef MAUI_FORECAST_H
#define MAUI_FORECAST_H

#include <stdint.h>

#include <json-c/json.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/slurm/slurm_start.h"

#define FORECAST_FOREVER      (INT64_C(1) << 40) /* no limit, for maui_duration_format() */
#define FORECAST_BLOCKED_SIZE 1024

struct forecast {
	const char *name; /* of a job; or 4@1:00:00 */
	int64_t procs;
	int64_t walltime; /* seconds; FORECAST_FOREVER: no limit */
	int64_t now;
	int64_t start;         /* epoch seconds; 0: unknown */
	int64_t end;           /* of a running job: when it ends; otherwise 0 */
	const char *source;    /* "running", "backfill", "slurm"; with blocked "engine", "slurm" */
	const char *partition; /* the best one; "" not known */
	/* What holds it back, phrased to follow the job's name; "" nothing. */
	char blocked[FORECAST_BLOCKED_SIZE];
	struct slurm_start answer;
};

/* What holds a waiting job back by Slurm's own reason, to follow its name; "": nothing. */
void forecast_slurm_block(struct json_object *job, char text[FORECAST_BLOCKED_SIZE]);

/* All of it, as text or JSON. Returns an exit code: EXIT_WARNINGS if no start is known. */
int forecast_tell(const struct cli *cli, const struct forecast *forecast);

/* Its pieces: the first line, the last ones, and JSON; rows: the estimates of -e all, or NULL. */
void forecast_print_request(const struct forecast *forecast);
int forecast_print_partition(const struct forecast *forecast);
int forecast_print_json(const struct forecast *forecast, struct json_object *rows);

/* One of several estimates, as text and into rows. kind: "Priority", in rows "prio". */
void forecast_print_estimate(const struct forecast *forecast, const char *kind);
void forecast_add_estimate(const struct forecast *forecast, const char *kind,
			   struct json_object *rows);

#endif
