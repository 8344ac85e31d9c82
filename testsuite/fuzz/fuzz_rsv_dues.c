/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as the state file of idle cycles: turned down with a reason, or costs that survive being written and read. */
#include <errno.h>

#include "plugins/engine/rsv_dues.h"
#include "testsuite/fuzz/state_file.h"

static void check(const struct rsv_dues *dues)
{
	struct rsv_dues again = {0};
	char *text, *second;
	size_t size, second_size;

	REQUIRE(dues->count <= RSV_DUES_MAX);
	for (size_t i = 0; i < dues->count; i++) {
		REQUIRE(dues->list[i].to > dues->list[i].from && dues->list[i].cost > 0);
		REQUIRE(*dues->list[i].name);
	}
	REQUIRE(!rsv_dues_format(dues, &text, &size));
	REQUIRE(size <= RSV_DUES_MAX_SIZE);
	REQUIRE(!rsv_dues_parse(text, size, &again, NULL));
	REQUIRE(again.count == dues->count);
	REQUIRE(!rsv_dues_format(&again, &second, &second_size));
	REQUIRE(size == second_size && !memcmp(text, second, size));
	rsv_dues_clear(&again);
	free(second);
	free(text);
}

static void try(const char *text, size_t size)
{
	struct maui_error error = {""};
	struct rsv_dues dues = {0};
	int rc = rsv_dues_parse(text, size, &dues, &error);

	REQUIRE(rc == 0 || rc == -EINVAL);
	REQUIRE(!rc == !*error.text);
	REQUIRE(!rc || !dues.list);
	if (!rc)
		check(&dues);
	rsv_dues_clear(&dues);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_state_file(try, "slurm-maui idle 1\n", data, size);
	return 0;
}
