/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the state file of nodes: turned down with a reason, or counters that keep what node_usage.h promises and
 * that survive being written and read again. As no fuzzer guesses a checksum, the bytes are also tried as the
 * lines of a file whose last line is right.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/engine/node_usage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                         \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);  \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* Read again it is written the same. */
static void check_written(const struct node_usage *usage)
{
	struct node_usage *again = NULL;
	char *text, *second;
	size_t size, second_size;

	REQUIRE(!node_usage_write(usage, &text, &size, NULL));
	REQUIRE(size <= NODE_USAGE_MAX_SIZE);
	REQUIRE(!node_usage_read(text, size, &again, NULL));
	REQUIRE(node_usage_count(again) == node_usage_count(usage));
	for (uint32_t id = 1; id <= node_usage_count(usage); id++)
		REQUIRE(node_usage_percent_of(again, id) == node_usage_percent_of(usage, id));
	REQUIRE(!node_usage_write(again, &second, &second_size, NULL));
	REQUIRE(size == second_size && !memcmp(text, second, size));
	node_usage_free(again);
	free(second);
	free(text);
}

static void check_usage(struct node_usage *usage)
{
	REQUIRE(node_usage_count(usage) <= NODE_USAGE_MAX_NODES);
	REQUIRE(!node_usage_left_out(usage));
	for (uint32_t id = 1; id <= node_usage_count(usage); id++)
		REQUIRE(node_usage_percent_of(usage, id) >= 0 &&
			node_usage_percent_of(usage, id) <= 100);
	check_written(usage);
	node_usage_begin(usage, 1e9);
	node_usage_see(usage, "n1", true, true);
	node_usage_end(usage);
	REQUIRE(node_usage_percent(usage, "n1") >= 0 && node_usage_percent(usage, "n1") <= 100);
	check_written(usage);
}

static void try(const char *text, size_t size)
{
	struct node_usage *usage = NULL;
	struct maui_error error = {""};
	int rc = node_usage_read(text, size, &usage, &error);

	REQUIRE(rc == 0 || rc == -EINVAL);
	REQUIRE(!rc == !*error.text);
	REQUIRE(!rc == (usage != NULL));
	if (!rc)
		check_usage(usage);
	node_usage_free(usage);
}

/* The format's own sum, written down a second time: contribs/doc/state-files.md. */
static int last_line(char *line, size_t room, const char *text, size_t size)
{
	uint64_t sum = UINT64_C(14695981039346656037);
	size_t lines = 0;

	for (size_t i = 0; i < size; i++) {
		sum ^= (unsigned char)text[i];
		sum *= UINT64_C(1099511628211);
		lines += text[i] == '\n';
	}
	return snprintf(line, room, "end %zu %016" PRIx64 "\n", lines, sum);
}

static void try_signed(const uint8_t *data, size_t size)
{
	static const char first[] = "slurm-maui nodes 1\n";
	size_t begin = sizeof(first) - 1, length = begin + size;
	char *text = malloc(length + 80);

	REQUIRE(text);
	memcpy(text, first, begin);
	if (size)
		memcpy(text + begin, data, size);
	if (text[length - 1] != '\n')
		text[length++] = '\n';
	length += (size_t)last_line(text + length, 70, text, length);
	try(text, length);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try(size ? (const char *)data : "", size);
	try_signed(data, size);
	return 0;
}
