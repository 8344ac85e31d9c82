/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the state file of reclaims: rejected with a reason, or reclaims that survive being
 * written and read.
 */
#include <errno.h>

#include "common/state/reclaims.h"
#include "testsuite/fuzz/state_file.h"

static void check(const struct maui_reclaims *reclaims)
{
	struct maui_reclaims again = {0};
	char *text, *second;
	size_t size, second_size;

	REQUIRE(reclaims->count <= MAUI_RECLAIMS_MAX);
	for (size_t i = 0; i < reclaims->count; i++) {
		const struct maui_reclaim *one = &reclaims->list[i];

		REQUIRE(one->type < MAUI_CREDENTIALS && one->job_id && one->made < one->until);
		REQUIRE(*one->owner && *one->nodes && !strchr(one->nodes, ' '));
	}
	maui_reclaims_format(reclaims, &text, &size);
	REQUIRE(size <= MAUI_RECLAIMS_MAX_SIZE);
	REQUIRE(!maui_reclaims_parse(text, size, &again, NULL));
	REQUIRE(again.count == reclaims->count);
	maui_reclaims_format(&again, &second, &second_size);
	REQUIRE(size == second_size && !memcmp(text, second, size));
	maui_reclaims_clear(&again);
	free(second);
	free(text);
}

static void try(const char *text, size_t size)
{
	struct maui_reclaims reclaims = {0};
	struct maui_error error = {""};
	int rc = maui_reclaims_parse(text, size, &reclaims, &error);

	REQUIRE(is_state_verdict(rc));
	REQUIRE(!rc == !*error.text);
	REQUIRE(!rc || !reclaims.list);
	if (!rc)
		check(&reclaims);
	maui_reclaims_clear(&reclaims);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_state_file(try, "slurm-maui reclaims 1\n", data, size);
	return 0;
}
