/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui metrics: the engine's state as OpenMetrics, for node_exporter's textfile collector. An
 * engine that does not answer is a finding like others, maui_up 0, and not a failure: a stale file
 * would look healthy.
 */
#include "contribs/maui/metrics/metrics.h"

#include <stdio.h>

#include "contribs/maui/lib/file_replace.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/metrics/metrics_engine.h"
#include "contribs/maui/metrics/metrics_text.h"
#include "contribs/maui/service/engine_request.h"

/* ---- the file ------------------------------------------------------------------------------- */

static int print_json_metrics(const struct metrics *metrics)
{
	struct json_object *data = json_make_object();
	int code;

	json_set(data, "families", json_object_get(metrics->families));
	code = print_json("maui.metrics/1", data);
	json_object_put(data);
	return code;
}

static void print_to(FILE *file, const void *metrics)
{
	metrics_print(metrics, file);
}

/* ---- the command ---------------------------------------------------------------------------- */

static int metrics_show(const struct cli *cli, const struct metrics *metrics, const char *path)
{
	if (path)
		return file_replace(path, print_to, metrics);
	if (cli->json)
		return print_json_metrics(metrics);
	metrics_print(metrics, stdout);
	return EXIT_OK;
}

static int metrics_run(const struct cli *cli, const char *path, size_t limit)
{
	struct metrics metrics = {0};
	struct metrics_source source = {.metrics = &metrics, .limit = limit};
	struct engine engine;
	int code;

	source.code = engine_find(cli, &engine);
	engine.notes = false; /* they are series, and a timer's mail is no place for them */
	if (!source.code)
		source.engine = &engine;
	metrics_collect(&source);
	code = metrics_show(cli, &metrics, path);
	metrics_clear(&metrics);
	return code || source.code == EXIT_UNREACHABLE ? code : source.code;
}

static int run_metrics(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"limit", required_argument, NULL, 'n'},
		{"output", required_argument, NULL, 'o'},
		{0},
	};
	const char *path = NULL;
	size_t limit = METRICS_LIMIT;
	int option;

	while ((option = next_option(cli, argc, argv, "n:o:", longs)) != OPTIONS_END) {
		if (option == 'o') {
			path = optarg;
		} else if (option == 'n') {
			limit = parse_count(optarg, METRICS_LIMIT_MAX);
			if (!limit)
				return fail_usage(cli, "--limit=%s: rows are a number from 1 to %d",
						  optarg, METRICS_LIMIT_MAX);
		} else {
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		}
	}
	if (optind < argc)
		return fail_usage(cli, "unexpected argument %s", argv[optind]);
	if (path && cli->json)
		return fail_usage(cli, "--output is for the text, not for JSON");
	return metrics_run(cli, path, limit);
}

const struct command metrics_command = {
	.name = "metrics",
	.synopsis = "[--output=FILE] [-n N] [--json]",
	.summary =
		"Print the engine's state as OpenMetrics, for node_exporter's textfile collector",
	.options =
		"  -o, --output=FILE       replace FILE atomically\n"
		"  -n, --limit=N           at most N limits, shares and reservations each (200)\n",
	.run = run_metrics,
};
