/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Families of metrics, and their text: OpenMetrics in a form that is also valid in Prometheus'
 * older text format, which node_exporter's textfile collector reads. So there are only gauges and
 * counters, and no time stamps.
 */
#ifndef MAUI_METRICS_TEXT_H
#define MAUI_METRICS_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include <json-c/json.h>

struct metrics {
	/* [{"name", "type", "unit", "help", "samples": [{"labels", "value"}]}] */
	struct json_object *families;
	struct json_object *seen; /* the labels of the last family's samples */
	size_t twins;             /* samples left out because their labels existed already */
};

void metrics_clear(struct metrics *metrics);

/* Starts a family; samples are added to the last one. type: "gauge" or "counter". unit: the end of
 * name, "" none. */
void metrics_family(struct metrics *metrics, const char *name, const char *type, const char *unit,
		    const char *help);

/*
 * A sample of the last family: labels by name and text, "" counts as none. Invalid UTF-8, and
 * controls other than newlines, become '?'. Readers refuse a whole text for a duplicate series: the
 * first one stays.
 */
struct metrics_label {
	const char *name, *text;
};
void metrics_sample(struct metrics *metrics, double value, const struct metrics_label *labels,
		    size_t label_count);
#define metrics_value(metrics, value) metrics_sample(metrics, value, NULL, 0)

/* The text up to "# EOF". */
void metrics_print(const struct metrics *metrics, FILE *file);

#endif
