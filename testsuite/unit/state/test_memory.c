/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State files, out of memory at every allocation: there is no result, and nothing leaks. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/admin_rsv.h"
#include "common/state/idle_charges.h"
#include "common/state/jobs.h"
#include "common/state/node_usage.h"
#include "common/state/reclaims.h"
#include "common/state/rsv_names.h"
#include "common/state/text.h"
#include "common/state/triggers.h"
#include "testsuite/unit/short_allocator.h"

/* What was read, until it is forgotten. */
static union {
	struct maui_admin_rsvs once;
	struct maui_idle_charges charges;
	struct maui_jobstate jobs;
	struct maui_node_usage *nodes;
	struct maui_reclaims reclaims;
	struct maui_rsv_names known;
	struct maui_fired fired;
} found;

static int read_once(const char *text, size_t size, struct maui_error *why)
{
	return maui_admin_rsvs_parse(text, size, &found.once, why);
}

static int write_once(char **ret_text, size_t *ret_size)
{
	return maui_admin_rsvs_format(&found.once, ret_text, ret_size);
}

static void forget_once(void)
{
	maui_admin_rsvs_clear(&found.once);
}

static int read_charges(const char *text, size_t size, struct maui_error *why)
{
	return maui_idle_charges_parse(text, size, &found.charges, why);
}

static int write_charges(char **ret_text, size_t *ret_size)
{
	return maui_idle_charges_format(&found.charges, ret_text, ret_size);
}

static void forget_charges(void)
{
	maui_idle_charges_clear(&found.charges);
}

static int read_jobs(const char *text, size_t size, struct maui_error *why)
{
	return maui_jobstate_parse(text, size, &found.jobs, why);
}

static int write_jobs(char **ret_text, size_t *ret_size)
{
	return maui_jobstate_format(&found.jobs, ret_text, ret_size);
}

static void forget_jobs(void)
{
	maui_jobstate_clear(&found.jobs);
}

static int read_nodes(const char *text, size_t size, struct maui_error *why)
{
	return maui_node_usage_parse(text, size, &found.nodes, why);
}

static int write_nodes(char **ret_text, size_t *ret_size)
{
	return maui_node_usage_format(&found.nodes, ret_text, ret_size);
}

static void forget_nodes(void)
{
	found.nodes = maui_node_usage_free(found.nodes);
}

static int read_reclaims(const char *text, size_t size, struct maui_error *why)
{
	return maui_reclaims_parse(text, size, &found.reclaims, why);
}

static int write_reclaims(char **ret_text, size_t *ret_size)
{
	return maui_reclaims_format(&found.reclaims, ret_text, ret_size);
}

static void forget_reclaims(void)
{
	maui_reclaims_clear(&found.reclaims);
}

static int read_known(const char *text, size_t size, struct maui_error *why)
{
	return maui_rsv_names_parse(text, size, &found.known, why);
}

static int write_known(char **ret_text, size_t *ret_size)
{
	return maui_rsv_names_format(&found.known, ret_text, ret_size);
}

static void forget_known(void)
{
	maui_rsv_names_clear(&found.known);
}

static int read_fired(const char *text, size_t size, struct maui_error *why)
{
	return maui_fired_parse(text, size, &found.fired, why);
}

static int write_fired(char **ret_text, size_t *ret_size)
{
	return maui_fired_format(&found.fired, ret_text, ret_size);
}

static void forget_fired(void)
{
	maui_fired_clear(&found.fired);
}

static const struct {
	const char *lines;
	int (*read)(const char *text, size_t size, struct maui_error *why);
	int (*write)(char **ret_text, size_t *ret_size);
	void (*forget)(void);
} files[] = {
	{"slurm-maui setres 1\n"
	 "setres 0 10 20 5 1001 0 a.0 HOSTLIST=n1\nsetres 3 10 20 5 1001 2 b.0 HOSTLIST=n2\n",
	 read_once, write_once, forget_once},
	{"slurm-maui idle 1\nidle user 10 20 5 alice\nidle account 10 20 5 phys\n", read_charges,
	 write_charges, forget_charges},
	{"slurm-maui jobs 2\ncounted 30\nstart 8 31\nqos 9 10 3\njob 7 10 20 3\n", read_jobs,
	 write_jobs, forget_jobs},
	{"slurm-maui nodes 1\nnode n1 100 50\nnode n2 100 0\n", read_nodes, write_nodes,
	 forget_nodes},
	{"slurm-maui reclaims 1\n"
	 "reclaim user 7 10 20 0 n1 alice\nreclaim account 8 10 20 1 n[2-3] phys\n",
	 read_reclaims, write_reclaims, forget_reclaims},
	{"slurm-maui reservations 1\nreservation 0 a.20261123\nreservation 7 b.20261123\n",
	 read_known, write_known, forget_known},
	{"slurm-maui triggers 1\ntrigger 1 5 10 20 a.0\ntrigger 0 5 10 20 b.0\n", read_fired,
	 write_fired, forget_fired},
};

#define FILES (sizeof(files) / sizeof(*files))

static char *sealed(const char *lines, size_t *ret_size)
{
	char *text = malloc(strlen(lines) + MAUI_STATETEXT_END_SIZE);

	cr_assert_not_null(text);
	strcpy(text, lines);
	*ret_size = maui_statetext_seal(text, strlen(lines));
	return text;
}

Test(state_memory, a_file_that_finds_no_room_is_not_read)
{
	for (size_t i = 0; i < FILES; i++) {
		struct maui_error why = {""};
		size_t size, total;
		char *text = sealed(files[i].lines, &size);

		shortage_begin(0, false);
		cr_assert_eq(files[i].read(text, size, &why), 0, "%s: %s", files[i].lines,
			     why.text);
		total = shortage_end();
		files[i].forget();
		cr_expect_geq(total, 1, "%s", files[i].lines);
		for (size_t at = 1; at <= total; at++) {
			why.text[0] = '\0';
			memset(&found, 0, sizeof(found));
			shortage_begin(at, true);
			cr_expect_lt(files[i].read(text, size, &why), 0, "%zu of %s", at,
				     files[i].lines);
			shortage_end();
			cr_expect_neq(why.text[0], '\0');
			files[i].forget(); /* it is as it was: there is nothing in it */
		}
		free(text);
	}
}

Test(state_memory, a_file_that_finds_no_room_is_not_written)
{
	for (size_t i = 0; i < FILES; i++) {
		size_t size, written, total;
		char *text = sealed(files[i].lines, &size), *again = NULL;

		cr_assert_eq(files[i].read(text, size, NULL), 0, "%s", files[i].lines);
		shortage_begin(0, false);
		cr_assert_eq(files[i].write(&again, &written), 0);
		total = shortage_end();
		cr_expect(written == size && !memcmp(again, text, size), "%.*s", (int)written,
			  again);
		free(again);
		cr_expect_geq(total, 1);
		for (size_t at = 1; at <= total; at++) {
			again = text;
			shortage_begin(at, true);
			cr_expect_eq(files[i].write(&again, &written), -ENOMEM, "%zu of %s", at,
				     files[i].lines);
			shortage_end();
			cr_expect_eq(again, text);
		}
		files[i].forget();
		free(text);
	}
}

Test(state_memory, reservations_that_find_no_room_are_no_lines_of_maui_cfg)
{
	struct maui_config *untouched = (void *)&found, *config = NULL;
	struct maui_sr_once *settings = NULL;
	struct maui_error why = {""};
	size_t size, total;
	char *text = sealed(files[0].lines, &size);

	cr_assert_eq(read_once(text, size, &why), 0, "%s", why.text);
	free(text);
	shortage_begin(0, false);
	cr_assert_eq(maui_admin_rsvs_config(&found.once, &config, &settings, &why), 0);
	total = shortage_end();
	free(settings);
	maui_config_unref(config);
	for (size_t at = 1; at <= total; at++) {
		config = untouched;
		why.text[0] = '\0';
		shortage_begin(at, true);
		cr_expect_eq(maui_admin_rsvs_config(&found.once, &config, &settings, &why), -ENOMEM,
			     "%zu of %zu", at, total);
		shortage_end();
		cr_expect_eq(config, untouched);
		cr_expect(strstr(why.text, "memory"), "%s", why.text);
	}
	forget_once();
}

static size_t counted(struct maui_node_usage *usage, const char *name)
{
	maui_node_usage_begin(usage, 60);
	maui_node_usage_see(usage, name, true, false);
	maui_node_usage_end(usage);
	return maui_node_usage_count(usage);
}

/* As many nodes as there is room for at first: with the next one the counters grow. */
Test(state_memory, counters_that_cannot_grow_stay)
{
	struct maui_node_usage *usage = maui_node_usage_new();
	size_t count = 0, left_out = 0;

	while (count < 70) {
		char name[16];

		snprintf(name, sizeof(name), "n%zu", count);
		shortage_begin(1, true);
		maui_node_usage_id(usage, name);
		shortage_end();
		left_out += maui_node_usage_count(usage) == count;
		maui_node_usage_id(usage, name);
		cr_assert_eq(maui_node_usage_count(usage), ++count);
	}
	cr_expect_eq(left_out, 70);
	maui_node_usage_free(usage);
}

Test(state_memory, a_node_that_finds_no_room_is_left_out_and_that_is_known)
{
	struct maui_node_usage *usage = maui_node_usage_new();

	cr_assert_eq(counted(usage, "n1"), 1);
	shortage_begin(1, false);
	cr_expect_eq(counted(usage, "n2"), 1);
	cr_expect_eq(counted(usage, "n1"), 1);
	shortage_end();
	cr_expect_eq(maui_node_usage_left_out(usage), -ENOMEM);
	cr_expect_eq(maui_node_usage_seconds(usage, "n1").up, 120);
	cr_expect_eq(maui_node_usage_seconds(usage, "n2").up, 0);
	cr_expect_eq(counted(usage, "n2"), 2);
	maui_node_usage_free(usage);
}
