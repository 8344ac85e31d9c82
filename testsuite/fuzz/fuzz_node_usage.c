/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the state file of nodes: turned down with a reason, or counters that keep what node_usage.h promises and
 * that survive being written and read again.
 */
#include <errno.h>

#include "plugins/engine/node_usage.h"
#include "testsuite/fuzz/state_file.h"

/* Read again it is written the same. */
static void check_written(const struct node_usage *usage)
{
	struct node_usage *again = NULL;
	char *text, *second;
	size_t size, second_size;

	REQUIRE(!node_usage_write(usage, &text, &size, NULL));
	REQUIRE(size <= NODE_USAGE_MAX_SIZE);
	REQUIRE(!node_usage_read(text, size, &again, NULL));
	REQUIRE(node_usage_count(again) == node_usage_count(usage));
	for (uint32_t id = 1; id <= node_usage_count(usage); id++)
		REQUIRE(node_usage_percent_of(again, id) == node_usage_percent_of(usage, id));
	REQUIRE(!node_usage_write(again, &second, &second_size, NULL));
	REQUIRE(size == second_size && !memcmp(text, second, size));
	node_usage_free(again);
	free(second);
	free(text);
}

static void check_usage(struct node_usage *usage)
{
	REQUIRE(node_usage_count(usage) <= NODE_USAGE_MAX_NODES);
	REQUIRE(!node_usage_left_out(usage));
	for (uint32_t id = 1; id <= node_usage_count(usage); id++)
		REQUIRE(node_usage_percent_of(usage, id) >= 0 &&
			node_usage_percent_of(usage, id) <= 100);
	check_written(usage);
	node_usage_begin(usage, 1e9);
	node_usage_see(usage, "n1", true, true);
	node_usage_end(usage);
	REQUIRE(node_usage_percent(usage, "n1") >= 0 && node_usage_percent(usage, "n1") <= 100);
	check_written(usage);
}

static void try(const char *text, size_t size)
{
	struct node_usage *usage = NULL;
	struct maui_error error = {""};
	int rc = node_usage_read(text, size, &usage, &error);

	REQUIRE(rc == 0 || rc == -EINVAL);
	REQUIRE(!rc == !*error.text);
	REQUIRE(!rc == (usage != NULL));
	if (!rc)
		check_usage(usage);
	node_usage_free(usage);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_state_file(try, "slurm-maui nodes 1\n", data, size);
	return 0;
}
