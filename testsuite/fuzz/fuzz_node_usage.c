/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the state file of nodes: rejected with a reason, or counters that keep the promises
 * of node_usage.h and survive being written and read again.
 */
#include <errno.h>

#include "common/state/node_usage.h"
#include "testsuite/fuzz/state_file.h"

/* When read back, it is written the same again. */
static void check_written(struct maui_node_usage *usage)
{
	struct maui_node_usage *again = NULL;
	char *text, *second;
	size_t size, second_size;

	maui_node_usage_format(&usage, &text, &size);
	REQUIRE(size <= MAUI_NODE_USAGE_MAX_SIZE);
	REQUIRE(!maui_node_usage_parse(text, size, &again, NULL));
	REQUIRE(maui_node_usage_count(again) == maui_node_usage_count(usage));
	for (uint32_t id = 1; id <= maui_node_usage_count(usage); id++)
		REQUIRE(maui_node_usage_percent_of(again, id) ==
			maui_node_usage_percent_of(usage, id));
	maui_node_usage_format(&again, &second, &second_size);
	REQUIRE(size == second_size && !memcmp(text, second, size));
	maui_node_usage_free(again);
	free(second);
	free(text);
}

static void check_usage(struct maui_node_usage *usage)
{
	REQUIRE(maui_node_usage_count(usage) <= MAUI_NODE_USAGE_MAX_NODES);
	REQUIRE(!maui_node_usage_left_out(usage));
	for (uint32_t id = 1; id <= maui_node_usage_count(usage); id++)
		REQUIRE(maui_node_usage_percent_of(usage, id) >= 0 &&
			maui_node_usage_percent_of(usage, id) <= 100);
	check_written(usage);
	maui_node_usage_begin(usage, 1e9);
	maui_node_usage_see(usage, "n1", true, true);
	maui_node_usage_end(usage);
	REQUIRE(maui_node_usage_percent(usage, "n1") >= 0 &&
		maui_node_usage_percent(usage, "n1") <= 100);
	check_written(usage);
}

static void try(const char *text, size_t size)
{
	struct maui_node_usage *usage = NULL;
	struct maui_error error = {""};
	int rc = maui_node_usage_parse(text, size, &usage, &error);

	REQUIRE(is_state_verdict(rc));
	REQUIRE(!rc == !*error.text);
	REQUIRE(!rc == (usage != NULL));
	if (!rc)
		check_usage(usage);
	maui_node_usage_free(usage);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_state_file(try, "slurm-maui nodes 1\n", data, size);
	return 0;
}
