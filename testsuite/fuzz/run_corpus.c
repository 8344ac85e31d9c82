/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a fuzz target on files, and on all files in directories, so that every test run includes the
 * corpus.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/error.h"
#include "common/util/files/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LIMIT 67108864u /* 64 MB */

static int run_file(const char *path)
{
	struct maui_error error;
	char *text;
	size_t size;

	if (maui_file_read(path, LIMIT, NULL, &text, &size, NULL, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	printf("%s\n", path);
	fflush(stdout); /* the last one named is the one that failed */
	LLVMFuzzerTestOneInput((const uint8_t *)text, size);
	free(text);
	return 0;
}

static int run_directory(const char *path, DIR *directory, size_t *count)
{
	const struct dirent *entry;
	char name[4096];
	int failed = 0;

	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		failed |= run_file(name);
		++*count;
	}
	return failed;
}

int main(int argc, char **argv)
{
	int failed = 0;
	size_t count = 0;

	for (int i = 1; i < argc; i++) {
		DIR *directory = opendir(argv[i]);

		if (directory) {
			failed |= run_directory(argv[i], directory, &count);
			closedir(directory);
		} else {
			failed |= run_file(argv[i]);
			count++;
		}
	}
	if (!count)
		fprintf(stderr, "usage: %s FILE-OR-DIRECTORY...\n", argv[0]);
	return failed || !count;
}
