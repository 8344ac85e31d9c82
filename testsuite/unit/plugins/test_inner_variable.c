/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plugin is shown another variable, and nobody else is. */
#include "plugins/inner/inner_variable.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <string.h>

#include "variable_plugin.h"

int shared_number = 1;

/* As it is linked by default, and with all that can be made read-only. */
static const char *const files[] = {PLUGIN_LAZY, PLUGIN_NOW};

static void *load(const char *path)
{
	void *file = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

	cr_assert_not_null(file, "%s", dlerror());
	return file;
}

static int ask(void *file, const char *name)
{
	int (*function)(void);
	void *address = dlsym(file, name);

	cr_assert_not_null(address);
	memcpy(&function, &address, sizeof(function));
	return function();
}

Test(inner_variable, the_plugin_alone_sees_the_other_one)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		void *bound = load(files[i]), *other = load(files[1 - i]);
		int shown = 5;

		cr_assert_eq(ask(bound, "plugin_sees"), 1);
		cr_assert(inner_variable_bind(bound, "shared_number", &shared_number, &shown));
		cr_assert_eq(ask(bound, "plugin_sees"), 5);
		shown = 6;
		cr_assert_eq(ask(bound, "plugin_sees"), 6);
		cr_assert_eq(ask(other, "plugin_sees"), 1);
		cr_assert_eq(shared_number, 1);
		cr_assert(inner_variable_bind(bound, "shared_number", &shown, &shared_number));
		cr_assert_eq(ask(bound, "plugin_sees"), 1);
	}
}

Test(inner_variable, what_is_not_as_expected_stays)
{
	void *file = load(PLUGIN_LAZY);
	int shown = 5, elsewhere = 0;

	cr_assert_not(inner_variable_bind(file, "another_number", &shared_number, &shown));
	cr_assert_not(inner_variable_bind(file, "shared_numbe", &shared_number, &shown));
	cr_assert_not(inner_variable_bind(file, "shared_number", &elsewhere, &shown));
	cr_assert_eq(ask(file, "plugin_sees"), 1);
	/* What the program does not have is the plugin's own. */
	cr_assert_not(inner_variable_bind(file, "own_number", &elsewhere, &shown));
	cr_assert_eq(ask(file, "plugin_has"), 7);
}
