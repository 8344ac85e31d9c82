/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Out of memory at every allocation of names and lists of nodes: it is reported, and what was there
 * stays intact.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/hostlist.h"
#include "common/util/intern.h"
#include "testsuite/unit/short_allocator.h"

#define NAMES 300u /* enough for both tables to grow more than once */

/*
 * The number that a name gets; if it gets none, nothing has changed, and the second attempt
 * succeeds.
 */
static size_t add(struct maui_intern *intern, uint32_t number, size_t *failed)
{
	char name[16];
	uint32_t id;

	snprintf(name, sizeof(name), "n%u", number);
	id = maui_intern_add(intern, name);
	if (id)
		return id;
	++*failed;
	cr_expect_eq(maui_intern_count(intern), number - 1);
	cr_expect_eq(maui_intern_find(intern, name), 0);
	return maui_intern_add(intern, name);
}

static void expect_all(const struct maui_intern *intern)
{
	char name[16];

	for (uint32_t i = 1; i <= NAMES; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		cr_expect_eq(maui_intern_find(intern, name), i);
		cr_expect_str_eq(maui_intern_name(intern, i), name);
	}
}

/* How often something failed when the at-th allocation does; in the end all names are there. */
static size_t add_all(size_t at)
{
	struct maui_intern *intern;
	size_t failed = 0;

	shortage_begin(at, true);
	intern = maui_intern_new();
	if (!intern)
		return 1;
	for (uint32_t i = 1; i <= NAMES; i++)
		cr_expect_eq(add(intern, i, &failed), i, "%zu: %u", at, i);
	shortage.at = 0;
	expect_all(intern);
	maui_intern_free(intern);
	return failed;
}

Test(util_memory, a_name_that_finds_no_room_is_not_there_and_can_be_added_later)
{
	size_t total;

	cr_assert_eq(add_all(0), 0);
	total = shortage_end();
	cr_expect_gt(total, NAMES);
	for (size_t at = 1; at <= total; at++)
		cr_expect_eq(add_all(at), 1, "%zu of %zu", at, total);
}

Test(util_memory, an_array_that_finds_no_room_is_as_it_was)
{
	size_t room = 2, total;
	int *list = __real_calloc(room, sizeof(*list));

	list[1] = 7;
	shortage_begin(1, true);
	cr_expect_null(maui_grow(list, 3, &room, sizeof(*list)));
	total = shortage_end();
	cr_expect_eq(total, 1);
	shortage_begin(1, true);
	cr_expect_null(maui_grow_zeroed(list, 3, &room, sizeof(*list)));
	shortage_end();
	cr_expect_eq(room, 2);
	cr_expect_eq(list[1], 7);
	free(list);
}

static int count_names(void *context, const char *name)
{
	++*(size_t *)context;
	return 0;
}

Test(util_memory, a_list_of_nodes_that_finds_no_room_has_no_names)
{
	static const char list[] = "a[1-3],b,c[01-12,20]";
	size_t total, seen = 0, count = 0;
	struct maui_error error;

	shortage_begin(0, false);
	cr_assert_eq(maui_hostlist_expand(list, count_names, &seen, &count, NULL, &error), 0);
	total = shortage_end();
	cr_expect_eq(seen, 17);
	cr_expect_eq(count, 17);
	cr_expect_geq(total, 1);
	for (size_t at = 1; at <= total; at++) {
		int rc;

		seen = count = 0;
		error.text[0] = '\0';
		shortage_begin(at, true);
		rc = maui_hostlist_expand(list, count_names, &seen, &count, NULL, &error);
		shortage_end();
		cr_expect_eq(rc, -ENOMEM);
		cr_expect_eq(seen + count, 0);
		cr_expect(strstr(error.text, "memory"), "%s", error.text);
	}
}
