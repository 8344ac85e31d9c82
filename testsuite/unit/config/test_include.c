/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files: reading, including, trusting them. */
#include "config_test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/config/flat.h"
#include "common/config/text/sources.h"

/* Files that exist only here. */
struct file {
	const char *name, *text;
	bool untrusted;
	int rc;
};

static int read_file(void *context, const char *path, const char *including, char **ret_text,
		     size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	char *name = maui_source_name(path, including);
	int rc = -ENOENT;

	for (const struct file *file = context; file->name; file++) {
		if (strcmp(file->name, name))
			continue;
		rc = file->rc;
		if (!rc) {
			*ret_text = strdup(file->text);
			*ret_size = strlen(file->text);
			*ret_trusted = !file->untrusted;
			if (file->untrusted)
				maui_error_set(error, EPERM, "%s belongs to uid 7", name);
		}
		break;
	}
	if (rc)
		maui_error_set(error, -rc, "%s: there is no such file", name);
	free(name);
	return rc;
}

static struct maui_config *load(const char *path, const struct file *files)
{
	struct maui_reader reader = {.read = read_file, .context = (void *)files};
	struct maui_config *config = NULL;
	struct maui_error error = {""};

	cr_assert_eq(maui_config_load(path, &reader, &config, &error), 0, "%s", error.text);
	return config;
}

static void check(const struct file *files, const char *expect, const char *problem)
{
	struct maui_config *config = load(files[0].name, files);
	const struct maui_problem *problems;
	struct dump dump;

	dump_config(&dump, config);
	cr_expect_str_eq(dump.text, expect, "is    %s\n  not   %s", dump.text, expect);
	if (problem)
		cr_expect(any_problem_says(config, problem), "%s",
			  maui_config_problems(config, &problems) ? problems[0].text
								  : "no problem");
	maui_config_unref(config);
}

Test(include, an_included_file_is_read_after_everything_else)
{
	const struct file files[] = {
		{"/etc/maui.cfg", "#INCLUDE more.cfg\nCREDWEIGHT 1\nUSERWEIGHT 2", false, 0},
		{"/etc/more.cfg", "CREDWEIGHT 9", false, 0},
		{0}};

	check(files, "CREDWEIGHT=9 USERWEIGHT=2", NULL);
}

Test(include, includes_may_be_nested_and_are_beside_the_file_that_names_them)
{
	const struct file files[] = {
		{"/etc/maui.cfg", "#INCLUDE d/a.cfg\n#INCLUDE /abs/b.cfg", false, 0},
		{"/etc/d/a.cfg", "#INCLUDE c.cfg\nCREDWEIGHT 1", false, 0},
		{"/abs/b.cfg", "CREDWEIGHT 2", false, 0},
		{"/etc/d/c.cfg", "CREDWEIGHT 3", false, 0},
		{0}};

	check(files, "CREDWEIGHT=3", NULL);
}

Test(include, the_name_may_be_quoted_and_a_comment_may_follow)
{
	const struct file files[] = {
		{"m",
		 "#INCLUDE 'a b' # why\nUSERWEIGHT 1 #INCLUDE c\n#INCLUDE d junk\n#INCLUDE\td2",
		 false, 0},
		{"a b", "CREDWEIGHT 1", false, 0},
		{"c", "GROUPWEIGHT 1", false, 0},
		{"d", "QOSWEIGHT 1", false, 0},
		{"d2", "CLASSWEIGHT 1", false, 0},
		{0}};

	check(files, "CREDWEIGHT=1 USERWEIGHT=1 GROUPWEIGHT=1 QOSWEIGHT=1 CLASSWEIGHT=1 ! W3:12",
	      "what follows the name of the file to include is ignored");
}

Test(include, only_upper_case_includes)
{
	const struct file files[] = {
		{"m", "#include a\n#INCLUDED a\n# INCLUDE a\n#Include\n#INCLUDE", false, 0},
		{"a", "CREDWEIGHT 1", false, 0},
		{0}};

	check(files, "! W1:1 W4:1 E5:1", "#INCLUDE names no file");
}

Test(include, a_file_that_cannot_be_read_is_an_error_and_the_rest_is_read)
{
	const struct file files[] = {{"m", "  #INCLUDE nowhere\nCREDWEIGHT 1", false, 0}, {0}};
	/* The kernel may be out of memory, too. */
	const struct file refused[] = {
		{"m", "#INCLUDE a\nCREDWEIGHT 1", false, 0}, {"a", NULL, false, -ENOMEM}, {0}};

	check(files, "CREDWEIGHT=1 ! E1:3", "#INCLUDE: nowhere: there is no such file");
	check(refused, "CREDWEIGHT=1 ! E1:1", "#INCLUDE: a: ");
}

Test(include, without_a_reader_nothing_is_included)
{
	static const struct case_of cases[] = {
		{"#INCLUDE x\nCREDWEIGHT 1", "CREDWEIGHT=1 ! E1:1", "no files can be read here"}};

	CHECK(cases);
}

Test(include, a_loop_is_an_error_that_names_the_chain)
{
	const struct file files[] = {{"/e/m", "#INCLUDE a\nCREDWEIGHT 1", false, 0},
				     {"/e/a", "#INCLUDE ./b", false, 0},
				     {"/e/b", "USERWEIGHT 1\n #INCLUDE .//m", false, 0},
				     {0}};
	const struct file own[] = {{"m", "#INCLUDE m", false, 0}, {0}};

	check(files, "CREDWEIGHT=1 USERWEIGHT=1 ! E2:2", "/e/m -> /e/a -> /e/b -> /e/m");
	check(own, "! E1:1", "includes itself: m -> m");
}

Test(include, a_file_is_included_once)
{
	const struct file files[] = {{"m", "#INCLUDE a\n#INCLUDE a\n#INCLUDE b", false, 0},
				     {"a", "SRCFG[x] USERLIST=bob", false, 0},
				     {"b", "#INCLUDE a", false, 0},
				     {0}};

	check(files, "SRCFG[x] USERLIST=bob ! W2:1 W1:1", "it is already included");
}

Test(include, the_depth_of_nesting_has_a_limit)
{
	struct file files[MAUI_DEPTH_LIMIT + 4] = {0};
	char names[MAUI_DEPTH_LIMIT + 4][16], texts[MAUI_DEPTH_LIMIT + 4][32];
	struct maui_config *config;

	for (unsigned int i = 0; i < MAUI_DEPTH_LIMIT + 3; i++) {
		snprintf(names[i], sizeof(names[i]), "f%u", i);
		snprintf(texts[i], sizeof(texts[i]), "#INCLUDE f%u", i + 1);
		files[i] = (struct file){names[i], texts[i], false, 0};
	}
	config = load("f0", files);
	cr_expect_eq(maui_config_errors(config), 1);
	cr_expect(any_problem_says(config, "nested too deeply"));
	maui_config_unref(config);
}

Test(include, the_number_of_files_has_a_limit)
{
	static struct file files[MAUI_SOURCES_LIMIT + 6];
	static char names[MAUI_SOURCES_LIMIT + 6][16], text[8192];
	struct maui_config *config;

	files[0] = (struct file){"m", text, false, 0};
	for (unsigned int i = 1; i < MAUI_SOURCES_LIMIT + 5; i++) {
		snprintf(names[i], sizeof(names[i]), "f%u", i);
		sprintf(text + strlen(text), "#INCLUDE f%u\n", i);
		files[i] = (struct file){names[i], "", false, 0};
	}
	config = load("m", files);
	cr_expect_eq(maui_config_errors(config), 5);
	cr_expect(any_problem_says(config, "there are too many files"));
	maui_config_unref(config);
}

Test(include, the_size_of_all_files_has_a_limit)
{
	struct file files[] = {{"m", "#INCLUDE a\n#INCLUDE b\n#INCLUDE c", false, 0},
			       {"a", NULL, false, 0},
			       {"b", NULL, false, 0},
			       {"c", NULL, false, 0},
			       {0}};
	char *text = malloc(MAUI_FILE_LIMIT - 10 + 1);
	struct maui_flat flat = {.from = {.read = read_file, .context = files}};
	struct maui_reader reader = maui_flat_reader(&flat);
	struct maui_config *config, *flattened = NULL;

	memset(text, '\n', MAUI_FILE_LIMIT - 10);
	text[MAUI_FILE_LIMIT - 10] = '\0';
	files[1].text = files[2].text = files[3].text = text;
	config = load("m", files);
	cr_expect_eq(maui_config_errors(config), 2);
	cr_expect(any_problem_says(config, "all files together are too large"));
	maui_config_unref(config);
	/* As one text, too, which has two bytes more for each file. */
	cr_assert_eq(maui_config_load("m", &reader, &flattened, NULL), 0);
	cr_expect_eq(maui_config_errors(flattened), 2);
	cr_expect_leq(flat.size, MAUI_TOTAL_LIMIT + 2 * MAUI_SOURCES_LIMIT);
	maui_config_unref(flattened);
	free(flat.text);
	free(text);
}

Test(include, commands_are_refused_unless_all_files_are_trusted)
{
	static const char commands[] =
		"SRCFG[a] TRIGGER=start;cancel TPN=1\nNODEALLOCATIONPOLICY LOCAL\n"
		"NODEALLOCATIONPOLICY[x] FASTEST\n#INCLUDE b";
	const struct file good[] = {{"m", commands, false, 0}, {"b", "", false, 0}, {0}};
	const struct file bad[] = {{"m", commands, false, 0}, {"b", "", true, 0}, {0}};
	const struct file main_bad[] = {{"m", commands, true, 0}, {"b", "", false, 0}, {0}};
	struct maui_config *config;

	check(good,
	      "NODEALLOCATIONPOLICY=LOCAL NODEALLOCATIONPOLICY[x]=FASTEST SRCFG[a] TPN=1 "
	      "TRIGGER=start;cancel",
	      NULL);
	check(bad, "NODEALLOCATIONPOLICY[x]=FASTEST SRCFG[a] TPN=1 ! W1:10 W2:1",
	      "TRIGGER is refused: b belongs to uid 7; all files");
	check(main_bad, "NODEALLOCATIONPOLICY[x]=FASTEST SRCFG[a] TPN=1 ! W1:10 W2:1", NULL);
	config = load("m", good);
	cr_expect(maui_config_trusted(config));
	cr_expect_null(maui_config_distrust(config));
	cr_expect_str_eq(maui_config_path(config), "m");
	maui_config_unref(config);
	config = load("m", bad);
	cr_expect_not(maui_config_trusted(config));
	cr_expect_str_eq(maui_config_distrust(config), "b belongs to uid 7");
	maui_config_unref(config);
}

Test(include, problems_are_in_the_order_of_files_and_lines)
{
	const struct file files[] = {
		{"m", "#INCLUDE a\nSRCFG[x] TRIGGER=start;cancel\nBOGUS 2 \n#INCLUDE nowhere", true,
		 0},
		{"a", "\nBOGUS 1", false, 0},
		{0}};

	check(files, "SRCFG[x] ! W2:10 W3:1 E4:1 W2:1", NULL);
}

Test(include, the_name_of_an_included_file_is_the_origin_of_its_values)
{
	const struct file files[] = {
		{"/e/m", "#INCLUDE a", false, 0}, {"/e/a", "CREDWEIGHT 1", false, 0}, {0}};
	struct maui_config *config = load("/e/m", files);
	const struct maui_value *value = maui_config_get(config, MAUI_KEY_CREDWEIGHT, NULL);

	cr_expect_str_eq(value->origin.file, "/e/a");
	cr_expect_eq(value->origin.line, 1);
	cr_expect_eq(value->origin.column, 1);
	maui_config_unref(config);
}

Test(include, a_main_file_that_cannot_be_read_is_the_readers_error)
{
	const struct file files[] = {{"m", NULL, false, -EACCES}, {"n", NULL, false, -ENOMEM}, {0}};
	struct maui_reader reader = {.read = read_file, .context = (void *)files};
	struct maui_config *config = NULL;
	struct maui_error error = {""};

	cr_expect_eq(maui_config_load("m", &reader, &config, &error), -EACCES);
	cr_expect(*error.text);
	cr_expect_eq(maui_config_load("n", &reader, &config, &error), -ENOMEM);
	cr_expect_eq(maui_config_load("o", &reader, &config, NULL), -ENOENT);
	cr_expect_null(config, "outputs are untouched on failure");
}

static void write_file(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	fchmod(fd, mode);
	close(fd);
}

Test(include, real_files_are_read_and_judged_by_owner_and_mode)
{
	unsigned int uid = geteuid();
	char directory[] = "/tmp/maui-test-XXXXXX", path[64], other[64], link[64], why[128];
	struct maui_reader reader = maui_file_reader(&uid);
	struct maui_config *config = NULL;
	struct maui_error error = {""};

	cr_assert(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/maui.cfg", directory);
	snprintf(other, sizeof(other), "%s/more.cfg", directory);
	snprintf(link, sizeof(link), "%s/link.cfg", directory);
	write_file(path, "#INCLUDE more.cfg\n", 0644);
	write_file(other, "CREDWEIGHT 7\n", 0644);
	cr_assert_eq(maui_config_load(path, &reader, &config, &error), 0, "%s", error.text);
	cr_expect_eq(maui_config_get(config, MAUI_KEY_CREDWEIGHT, NULL)->real, 7);
	cr_expect(maui_config_trusted(config));
	config = maui_config_unref(config);

	chmod(other, 0664);
	cr_assert_eq(maui_config_load(path, &reader, &config, &error), 0);
	cr_expect_not(maui_config_trusted(config));
	config = maui_config_unref(config);

	/* Somebody else's link to a file of root's. */
	chmod(other, 0644);
	cr_assert_eq(symlink(path, link), 0);
	cr_assert_eq(maui_config_load(link, &reader, &config, &error), 0);
	cr_expect(maui_config_trusted(config));
	config = maui_config_unref(config);
	if (!uid) {
		cr_assert_eq(lchown(link, 64002, (gid_t)-1), 0);
		cr_assert_eq(maui_config_load(link, &reader, &config, &error), 0);
		snprintf(why, sizeof(why), "%s is a symbolic link that belongs to uid 64002", link);
		cr_expect_str_eq(maui_config_distrust(config), why);
		config = maui_config_unref(config);
	}
	unlink(link);

	cr_expect_eq(maui_config_load(directory, NULL, &config, &error), -EISDIR);
	cr_expect(strstr(error.text, "is a directory"), "%s", error.text);
	unlink(other);
	unlink(path);
	cr_expect_eq(maui_config_load(path, NULL, &config, &error), -ENOENT);
	cr_expect(strstr(error.text, path), "%s", error.text);
	rmdir(directory);
}
