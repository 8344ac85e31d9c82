/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whatever takes memory in a program linked with short_memory_wraps (meson.build), the test itself
 * included: it fails when shortage.h says so.
 */
#ifndef MAUI_UNIT_SHORT_ALLOCATOR_H
#define MAUI_UNIT_SHORT_ALLOCATOR_H

#include "testsuite/unit/shortage.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);

void *__wrap_malloc(size_t size)
{
	return runs_short() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return runs_short() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return runs_short() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
	return runs_short() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
	return runs_short() ? NULL : __real_strndup(text, size);
}

#endif
