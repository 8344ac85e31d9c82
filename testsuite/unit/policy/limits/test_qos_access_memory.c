/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Out of memory at every allocation of the compilation: the linker redirects the core's allocations
 * to here. Nothing may leak, and the output must stay untouched.
 */
#include <errno.h>

#include "common/policy/limits/qos_access.h"
#include "testsuite/unit/policy/fixture.h"

static size_t allocations, fails_at; /* fails_at: the one that fails; 0 none */

void *__real_calloc(size_t count, size_t size);
char *__real_strndup(const char *text, size_t size);
void *__wrap_calloc(size_t count, size_t size);
char *__wrap_strndup(const char *text, size_t size);

static bool fails(void)
{
	return ++allocations == fails_at;
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

char *__wrap_strndup(const char *text, size_t size)
{
	return fails() ? NULL : __real_strndup(text, size);
}

static uint32_t first_letter(void *context, enum maui_credential type, const char *name)
{
	return (uint32_t)name[0];
}

Test(qos_access_memory, each_allocation_may_fail)
{
	const struct maui_limit_names names = {first_letter, NULL};
	struct maui_config *config =
		config_from("USERCFG[u] QLIST=hi,low& QDEF=hi\nUSERCFG[v] QLIST=hi\n"
			    "GROUPCFG[DEFAULT] QLIST=low,mid\nSYSCFG QLIST=hi QDEF=low\n");
	char untouched;
	struct maui_qos_access *none = (void *)&untouched, *access;
	size_t total;

	allocations = fails_at = 0;
	cr_assert_eq(maui_qos_access_compile(config, &names, &access, NULL), 0);
	maui_qos_access_free(access);
	total = allocations;
	cr_expect_gt(total, 10);
	for (size_t i = 1; i <= total; i++) {
		struct maui_error error = {""};

		allocations = 0;
		fails_at = i;
		access = none;
		cr_expect_eq(maui_qos_access_compile(config, &names, &access, &error), -ENOMEM,
			     "%zu of %zu", i, total);
		cr_expect_eq(access, none);
		cr_expect(strstr(error.text, "QLIST and QDEF are not in force"), "%s", error.text);
	}
	fails_at = 0;
	maui_config_unref(config);
}
