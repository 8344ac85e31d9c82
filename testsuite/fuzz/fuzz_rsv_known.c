/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the state file of reservations: rejected with a reason, or names in order, each
 * once, that are found, and that survive being written and read again.
 */
#include <errno.h>

#include "common/state/rsv_names.h"
#include "testsuite/fuzz/state_file.h"

static void check_names(const struct maui_rsv_names *known)
{
	REQUIRE(known->count <= MAUI_RSV_NAMES_MAX_NAMES);
	for (size_t i = 0; i < known->count; i++) {
		REQUIRE(strnlen(known->names[i]->name, MAUI_SR_INSTANCE_SIZE) <
			MAUI_SR_INSTANCE_SIZE);
		REQUIRE(!i || strcmp(known->names[i - 1]->name, known->names[i]->name) < 0);
		REQUIRE(maui_rsv_names_find(known, known->names[i]->name) == known->names[i]);
	}
}

/* When read back, it is written the same again. */
static void check_written(const struct maui_rsv_names *known)
{
	struct maui_rsv_names again = {0};
	char *text, *second;
	size_t size, second_size;

	maui_rsv_names_format(known, &text, &size);
	REQUIRE(size <= MAUI_RSV_NAMES_MAX_SIZE);
	REQUIRE(!maui_rsv_names_parse(text, size, &again, NULL));
	REQUIRE(again.count == known->count);
	for (size_t i = 0; i < known->count; i++)
		REQUIRE(!strcmp(again.names[i]->name, known->names[i]->name) &&
			again.names[i]->used == known->names[i]->used &&
			again.names[i]->spent == known->names[i]->spent &&
			again.names[i]->cancelled == known->names[i]->cancelled);
	maui_rsv_names_format(&again, &second, &second_size);
	REQUIRE(size == second_size && !memcmp(text, second, size));
	maui_rsv_names_clear(&again);
	free(second);
	free(text);
}

static void check_known(struct maui_rsv_names *known)
{
	size_t count = known->count;

	check_names(known);
	check_written(known);
	REQUIRE(maui_rsv_names_add(known, "middle.20260101") || count == MAUI_RSV_NAMES_MAX_NAMES);
	check_names(known);
	while (known->count) {
		count = known->count;
		maui_rsv_names_drop(known, known->names[count / 2]->name);
		REQUIRE(known->count == count - 1);
	}
	check_written(known);
}

static void try(const char *text, size_t size)
{
	struct maui_error error = {""};
	struct maui_rsv_names known = {0};
	int rc = maui_rsv_names_parse(text, size, &known, &error);

	REQUIRE(is_state_verdict(rc));
	REQUIRE(!rc == !*error.text);
	REQUIRE(!rc || !known.names);
	if (!rc)
		check_known(&known);
	maui_rsv_names_clear(&known);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_state_file(try, "slurm-maui reservations 1\n", data, size);
	return 0;
}
