/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as outages of four nodes: each is of nodes that there are, and ends after it begins. */
#include <errno.h>

#include "common/replay/nodes/outages.h"
#include "testsuite/fuzz/complaints.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text text = {size ? (const char *)data : "", size};
	struct maui_replay_complaints complaints = {bad_line, &text};
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_replay_outages outages = {0};
	struct maui_error error;
	int rc;

	REQUIRE(!maui_replay_nodes_read(nodes, "4x1", &error));
	rc = maui_replay_outages_read(&outages, nodes, text.bytes, text.size, &complaints);
	REQUIRE(rc == 0 || (rc == -EINVAL && outages.bad_lines == 1 && !outages.count));
	for (size_t i = 0; i < outages.count; i++) {
		REQUIRE(outages.list[i].begin < outages.list[i].end && outages.list[i].count);
		REQUIRE(outages.list[i].first + outages.list[i].count <= outages.node_count);
	}
	for (size_t i = 0; i < outages.node_count; i++)
		REQUIRE(outages.nodes[i] < 4);
	maui_replay_outages_clear(&outages);
	maui_replay_nodes_free(nodes);
	return 0;
}
