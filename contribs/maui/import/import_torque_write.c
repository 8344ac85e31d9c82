/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of an import of a Torque: new files, or one after another on standard output. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contribs/maui/import/import_print.h"
#include "contribs/maui/import/import_torque.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"

#define REMARKS MAUI_TORQUE_PARTS /* the part behind those with lines */

static const struct {
	const char *name, *first, *what; /* the first line of the file; NULL: none */
	mode_t mode;
} torque_files[] = {
	[MAUI_TORQUE_CONF] = {"slurm.conf", NULL, "lines for slurm.conf", 0644},
	[MAUI_TORQUE_ACCOUNTS] = {"sacctmgr.sh", "#!/bin/sh",
				  "commands for slurmdbd; none has been run", 0755},
	[MAUI_TORQUE_POLICY] = {"maui.cfg", NULL, "Maui's policies", 0644},
	[REMARKS] = {"remarks", NULL, "what is lost, different or needless", 0644},
};

#define FILES (sizeof(torque_files) / sizeof(torque_files[0]))

static void torque_print_part(FILE *file, const char *directory, size_t part,
			      const struct maui_torque_result *result)
{
	char name[1024];

	fprintf(file, "# Made by `maui import --torque=%s`: %s.\n%s",
		clean_copy(directory, name, sizeof(name)), torque_files[part].what,
		part == REMARKS ? "" : "\n");
	if (part == REMARKS) {
		import_print_remarks(file, &result->import, MAUI_IMPORT_LOST,
				     "Nothing in Slurm or Maui does this by itself:");
		import_print_remarks(file, &result->import, MAUI_IMPORT_OTHER,
				     "This is different:");
		import_print_remarks(file, &result->import, MAUI_IMPORT_STAYS,
				     "This needs nothing:");
		return;
	}
	for (size_t i = 0; i < result->parts[part].count; i++)
		fprintf(file, "%s\n", result->parts[part].list[i]);
}

/* One stream: a heading for each file. */
static int torque_print_all(const char *directory, const struct maui_torque_result *result)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return fail(EXIT_ERRORS, "%s", strerror(errno));
	for (size_t part = 0; part < FILES; part++) {
		fprintf(stream, "%s#### %s ####\n", part ? "\n" : "", torque_files[part].name);
		torque_print_part(stream, directory, part, result);
	}
	if (fclose(stream))
		return fail(EXIT_ERRORS, "%s", strerror(errno));
	for (char *line = text, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		*end = '\0';
		print_clean(line);
		putchar('\n');
	}
	free(text);
	return EXIT_OK;
}

static int torque_write_part(const char *directory, const char *path, size_t part,
			     const struct maui_torque_result *result)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, torque_files[part].mode);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	bool failed;

	if (!file)
		return fail(EXIT_ERRORS, "cannot create %s: %s", path, strerror(errno));
	if (torque_files[part].first)
		fprintf(file, "%s\n", torque_files[part].first);
	torque_print_part(file, directory, part, result);
	failed = ferror(file) != 0;
	if (fclose(file) || failed)
		return fail(EXIT_ERRORS, "cannot write %s: %s", path, strerror(errno));
	return EXIT_OK;
}

/* No file of an earlier import is there, so that none is left half new. */
static int torque_look(char *const paths[FILES])
{
	for (size_t part = 0; part < FILES; part++)
		if (!access(paths[part], F_OK))
			return fail(EXIT_ERRORS,
				    "%s is there already, and is not overwritten: name a new "
				    "directory",
				    paths[part]);
	return EXIT_OK;
}

static void torque_print_summary(char *const paths[FILES], const struct maui_torque_result *result)
{
	const size_t *count = result->import.count;

	for (size_t part = 0; part < FILES; part++) {
		print_clean(paths[part]);
		printf(": %s\n", torque_files[part].what);
	}
	printf("%zu remarks: %zu lost, %zu different, %zu needless\n", result->import.remark_count,
	       count[MAUI_IMPORT_LOST], count[MAUI_IMPORT_OTHER], count[MAUI_IMPORT_STAYS]);
}

int import_torque_write(const char *directory, const char *output,
			const struct maui_torque_result *result)
{
	char *paths[FILES];
	int code = EXIT_OK;

	if (!output)
		return torque_print_all(directory, result);
	if (mkdir(output, 0755) && errno != EEXIST)
		return fail(EXIT_ERRORS, "cannot create %s: %s", output, strerror(errno));
	for (size_t part = 0; part < FILES; part++)
		paths[part] = text_printf("%s/%s", output, torque_files[part].name);
	code = torque_look(paths);
	for (size_t part = 0; part < FILES && code == EXIT_OK; part++)
		code = torque_write_part(directory, paths[part], part, result);
	if (code == EXIT_OK)
		torque_print_summary(paths, result);
	for (size_t part = 0; part < FILES; part++)
		free(paths[part]);
	return code;
}
