/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the state file of triggers: rejected with a reason, or names in order that survive
 * being written and read.
 */
#include <errno.h>

#include "common/state/triggers.h"
#include "testsuite/fuzz/state_file.h"

static void check(const struct maui_fired *fired)
{
	struct maui_fired again = {0};
	char *text, *second;
	size_t size, second_size;

	REQUIRE(fired->count <= MAUI_FIRED_MAX);
	for (size_t i = 0; i < fired->count; i++) {
		REQUIRE(!i || strcmp(fired->list[i - 1].name, fired->list[i].name) < 0);
		REQUIRE(maui_fired_find(fired, fired->list[i].name) == &fired->list[i]);
	}
	maui_fired_format(fired, &text, &size);
	REQUIRE(size <= MAUI_FIRED_MAX_SIZE);
	REQUIRE(!maui_fired_parse(text, size, &again, NULL));
	REQUIRE(again.count == fired->count);
	maui_fired_format(&again, &second, &second_size);
	REQUIRE(size == second_size && !memcmp(text, second, size));
	maui_fired_clear(&again);
	free(second);
	free(text);
}

static void try(const char *text, size_t size)
{
	struct maui_error error = {""};
	struct maui_fired fired = {0};
	int rc = maui_fired_parse(text, size, &fired, &error);

	REQUIRE(is_state_verdict(rc));
	REQUIRE(!rc == !*error.text);
	REQUIRE(!rc || !fired.list);
	if (!rc) {
		check(&fired);
		maui_fired_tidy(&fired, INT64_C(1) << 40);
		REQUIRE(!fired.count || fired.list[0].end > INT64_C(1) << 39);
	}
	maui_fired_clear(&fired);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_state_file(try, "slurm-maui triggers 1\n", data, size);
	return 0;
}
