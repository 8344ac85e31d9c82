/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the state file of idle cycles: rejected with a reason, or costs that survive being
 * written and read.
 */
#include <errno.h>

#include "common/state/idle_charges.h"
#include "testsuite/fuzz/state_file.h"

static void check(const struct maui_idle_charges *dues)
{
	struct maui_idle_charges again = {0};
	char *text, *second;
	size_t size, second_size;

	REQUIRE(dues->count <= MAUI_IDLE_CHARGES_MAX);
	for (size_t i = 0; i < dues->count; i++) {
		REQUIRE(dues->list[i].to > dues->list[i].from && dues->list[i].cost > 0);
		REQUIRE(*dues->list[i].name);
	}
	maui_idle_charges_format(dues, &text, &size);
	REQUIRE(size <= MAUI_IDLE_CHARGES_MAX_SIZE);
	REQUIRE(!maui_idle_charges_parse(text, size, &again, NULL));
	REQUIRE(again.count == dues->count);
	maui_idle_charges_format(&again, &second, &second_size);
	REQUIRE(size == second_size && !memcmp(text, second, size));
	maui_idle_charges_clear(&again);
	free(second);
	free(text);
}

static void try(const char *text, size_t size)
{
	struct maui_error error = {""};
	struct maui_idle_charges dues = {0};
	int rc = maui_idle_charges_parse(text, size, &dues, &error);

	REQUIRE(is_state_verdict(rc));
	REQUIRE(!rc == !*error.text);
	REQUIRE(!rc || !dues.list);
	if (!rc)
		check(&dues);
	maui_idle_charges_clear(&dues);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_state_file(try, "slurm-maui idle 1\n", data, size);
	return 0;
}
