/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vector-check FILE.jsonl...: the policy core against cases with known results. The area is the
 * file's name. Prints a line per mismatch, the counts, and "N passed, N failed" (cases). Exit
 * status: 0 all passed, 1 some failed, 2 a file could not be checked.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/vectors/check.h"

static const struct {
	const char *name;
	void (*check)(struct check *check, struct json_object *object);
} areas[] = {
	{"priority", check_priority},
	{"run_priority", check_run_priority},
	{"node_alloc", check_node_alloc},
	{"node_priority", check_node_priority},
	{"priorityf_parse", check_priorityf_parse},
	{"cred_parse", check_cred_parse},
	{"fstarget_parse", check_fstarget_parse},
	{"time_parse", check_time_parse},
	{"time_format", check_time_format},
	{"documented_examples", check_documented},
	{"fairshare_load", check_fairshare_load},
	{"fairshare_roll", check_fairshare_roll},
	{"fairshare_cap", check_fairshare_cap},
	{"throttling", check_throttling},
	{"acl_raw", check_acl_raw},
	{"rsv_access", check_rsv_access},
	{"srcfg_parse", check_srcfg_parse},
	{"sr_windows", check_sr_windows},
	{"sr_instances", check_sr_instances},
};
#define AREA_COUNT (sizeof(areas) / sizeof(areas[0]))

/* The area for a file's base name; AREA_COUNT if there is none. */
static size_t find_area(const char *path)
{
	const char *base = strrchr(path, '/');
	size_t length;

	base = base ? base + 1 : path;
	length = strcspn(base, ".");
	for (size_t i = 0; i < AREA_COUNT; i++)
		if (strlen(areas[i].name) == length && !strncmp(areas[i].name, base, length))
			return i;
	return AREA_COUNT;
}

static void check_case(struct check *check, size_t area, struct json_object *object)
{
	size_t others = check->other;
	const char *id = member_text(object, "id");

	if (id)
		snprintf(check->id, sizeof(check->id), "%s", id);
	else
		snprintf(check->id, sizeof(check->id), "case");
	check->case_failed = false;
	areas[area].check(check, object);
	if (check->case_failed)
		check->failed++;
	else if (check->other == others)
		check->passed++;
}

/* 0, or -1 if the file does not have one object per line; the reason has been reported. */
static int check_lines(struct check *check, size_t area, FILE *stream)
{
	char *line = NULL;
	size_t size = 0, cases = 0;
	ssize_t length;
	int rc = 0;

	for (check->line = 1; rc == 0 && (length = getline(&line, &size, stream)) > 0;
	     check->line++) {
		struct json_tokener *tokener = json_tokener_new();
		struct json_object *object;

		if (line[length - 1] == '\n')
			line[--length] = '\0';
		/* Include the terminating NUL, so that a line that ends too early is noticed. */
		object = tokener ? json_tokener_parse_ex(tokener, line, (int)length + 1) : NULL;
		if (json_object_is_type(object, json_type_object) &&
		    json_tokener_get_parse_end(tokener) >= (size_t)length) {
			check_case(check, area, object);
			cases++;
		} else {
			fprintf(stderr, "vector-check: %s:%zu: not a JSON object\n", check->file,
				check->line);
			rc = -1;
		}
		json_object_put(object);
		json_tokener_free(tokener);
	}
	if (rc == 0 && (ferror(stream) || !cases)) {
		fprintf(stderr, "vector-check: %s: %s\n", check->file,
			ferror(stream) ? strerror(errno) : "no cases in it");
		rc = -1;
	}
	free(line);
	return rc;
}

static int check_file(struct check *check, const char *path)
{
	size_t area = find_area(path);
	FILE *stream;
	int rc;

	if (area == AREA_COUNT) {
		fprintf(stderr, "vector-check: %s: no such area (known:", path);
		for (size_t i = 0; i < AREA_COUNT; i++)
			fprintf(stderr, " %s", areas[i].name);
		fprintf(stderr, ")\n");
		return -1;
	}
	stream = fopen(path, "re");
	if (!stream) {
		fprintf(stderr, "vector-check: %s: %s\n", path, strerror(errno));
		return -1;
	}
	check->file = path;
	rc = check_lines(check, area, stream);
	fclose(stream);
	return rc;
}

int main(int argc, char **argv)
{
	struct check check = {0};
	int rc = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: vector-check FILE.jsonl...\n");
		return 2;
	}
	for (int i = 1; i < argc; i++)
		if (check_file(&check, argv[i]))
			rc = 2;
	check_summary(&check);
	if (rc == 0 && check.failed)
		rc = 1;
	return rc;
}
