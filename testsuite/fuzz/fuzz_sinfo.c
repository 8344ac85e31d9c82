/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as what sinfo prints. */
#include <errno.h>

#include "common/replay/nodes/sinfo.h"
#include "testsuite/fuzz/complaints.h"
#include "testsuite/fuzz/replay_machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text text = {size ? (const char *)data : "", size};
	struct maui_replay_complaints complaints = {bad_line, &text};
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	size_t bad_lines = 0;
	int rc;

	rc = maui_replay_sinfo_read(nodes, text.bytes, text.size, &complaints, &bad_lines);
	REQUIRE(rc == 0 ? nodes->count > 0 : rc == -EINVAL && bad_lines > 0);
	check_nodes(nodes);
	for (uint32_t i = 0; !rc && i < nodes->partition_count; i++)
		REQUIRE(*nodes->partitions[i].name && maui_replay_words(nodes->count));
	maui_replay_nodes_free(nodes);
	return 0;
}
