/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For a test in which an allocation fails: AddressSanitizer ends a process that asks for too much,
 * unless it is told not to. In one file of a program. */
#ifndef MAUI_TEST_ASAN_RETURNS_NULL_H
#define MAUI_TEST_ASAN_RETURNS_NULL_H

__attribute__((visibility("default"))) const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

#endif
