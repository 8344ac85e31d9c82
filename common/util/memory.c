/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checked versions of malloc(), calloc(), realloc(), strndup() and vasprintf().
 * On failure they call the handler and _exit().
 */
#include "common/util/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void (*_Atomic short_handler)(size_t bytes);

void maui_memory_set_handler(void (*handler)(size_t bytes))
{
	short_handler = handler;
}

noreturn void maui_memory_short(size_t bytes)
{
	void (*handler)(size_t bytes) = short_handler;
	char text[64];
	int size;

	if (handler)
		handler(bytes);
	if (bytes)
		size = snprintf(text, sizeof(text), "out of memory: cannot allocate %zu bytes\n",
				bytes);
	else
		size = snprintf(text, sizeof(text), "out of memory\n");
	if (write(STDERR_FILENO, text, (size_t)size) < 0)
		_exit(EXIT_FAILURE);
	_exit(EXIT_FAILURE);
}

/* Bytes of an array, at least one. */
static size_t bytes_of(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		maui_memory_short(SIZE_MAX);
	return bytes ? bytes : 1;
}

static void *memory_checked(void *memory, size_t bytes)
{
	if (!memory)
		maui_memory_short(bytes);
	return memory;
}

void *maui_calloc(size_t count, size_t size)
{
	size_t bytes = bytes_of(count, size);

	return memory_checked(calloc(1, bytes), bytes);
}

void *maui_malloc(size_t count, size_t size)
{
	size_t bytes = bytes_of(count, size);

	return memory_checked(malloc(bytes), bytes);
}

void *maui_realloc(void *array, size_t count, size_t size)
{
	size_t bytes = bytes_of(count, size);

	return memory_checked(realloc(array, bytes), bytes);
}

char *maui_strdup(const char *text)
{
	return maui_strndup(text, strlen(text));
}

char *maui_strndup(const char *text, size_t size)
{
	return memory_checked(strndup(text, size), strnlen(text, size) + 1);
}

char *maui_vasprintf(const char *format, va_list values)
{
	va_list again;
	char *text;
	int size;

	va_copy(again, values);
	if (vasprintf(&text, format, values) < 0) {
		size = vsnprintf(NULL, 0, format, again);
		maui_memory_short(size < 0 ? SIZE_MAX : (size_t)size + 1);
	}
	va_end(again);
	return text;
}

char *maui_asprintf(const char *format, ...)
{
	va_list values;
	char *text;

	va_start(values, format);
	text = maui_vasprintf(format, values);
	va_end(values);
	return text;
}
