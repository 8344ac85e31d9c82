/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts names by what stands before the number at their end, then by the number, and joins runs. */
#include "common/util/slurm/hostlist_join.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/text.h"

#define DIGITS 8 /* of a number that joins: fewer than maui_hostlist_expand() reads */

/* Bytes before the number at the end; all of them if there is none, or it is too long. */
static size_t join_prefix(const char *name)
{
	size_t size = strlen(name), at = size;

	while (at > 0 && maui_is_digit(name[at - 1]))
		at--;
	return size - at > DIGITS || at == size ? size : at;
}

static int join_compare(const void *left, const void *right)
{
	const char *a = *(const char *const *)left, *b = *(const char *const *)right;
	size_t sizes[2] = {join_prefix(a), join_prefix(b)}, most;
	size_t digits[2] = {strlen(a + sizes[0]), strlen(b + sizes[1])};
	int order;

	most = sizes[0] < sizes[1] ? sizes[0] : sizes[1];
	order = memcmp(a, b, most);
	if (order)
		return order;
	if (sizes[0] != sizes[1])
		return sizes[0] < sizes[1] ? -1 : 1;
	if (digits[0] != digits[1])
		return digits[0] < digits[1] ? -1 : 1;
	return strcmp(a, b);
}

static bool join_is_next(const char *before, const char *name, size_t prefix)
{
	const char *a = before + prefix, *b = name + prefix;
	bool longer = strlen(b) == strlen(a) + 1 && *a != '0' && *b != '0';

	if (strlen(a) != strlen(b) && !longer)
		return false;
	return strtoul(b, NULL, 10) == strtoul(a, NULL, 10) + 1;
}

static bool join_alike(const char *a, const char *b, size_t prefix)
{
	return join_prefix(a) == prefix && join_prefix(b) == prefix && a[prefix] && b[prefix] &&
	       !memcmp(a, b, prefix);
}

/* The last of the run that begins at first; names that occur twice are of it. */
static size_t join_run(const char *const *names, size_t count, size_t first, size_t prefix)
{
	size_t last = first;

	while (last + 1 < count && join_alike(names[first], names[last + 1], prefix) &&
	       (!strcmp(names[last], names[last + 1]) ||
		join_is_next(names[last], names[last + 1], prefix)))
		last++;
	return last;
}

/* Names of one prefix from first on; returns the one behind them. */
static size_t join_group(FILE *stream, const char *const *names, size_t count, size_t first)
{
	size_t prefix = join_prefix(names[first]), end = first + 1, ranges = 0;
	bool alone;

	if (!names[first][prefix]) {
		fputs(names[first], stream);
		while (end < count && !strcmp(names[first], names[end]))
			end++;
		return end;
	}
	while (end < count && join_alike(names[first], names[end], prefix))
		end++;
	alone = !strcmp(names[first], names[end - 1]);
	fprintf(stream, "%.*s%s", (int)prefix, names[first], alone ? "" : "[");
	for (size_t i = first; i < end && ranges < MAUI_HOSTLIST_RANGES; ranges++) {
		size_t last = join_run(names, end, i, prefix);

		fprintf(stream, "%s%s", ranges ? "," : "", names[i] + prefix);
		if (strcmp(names[i], names[last]) != 0)
			fprintf(stream, "-%s", names[last] + prefix);
		i = last + 1;
		first = i;
	}
	fputs(alone ? "" : "]", stream);
	return first;
}

char *maui_hostlist_join(const char **names, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		maui_memory_short(0);
	qsort(names, count, sizeof(*names), join_compare);
	for (size_t i = 0; i < count;) {
		i = join_group(stream, names, count, i);
		if (i < count)
			fputc(',', stream);
	}
	if (fclose(stream))
		maui_memory_short(0);
	return text;
}
