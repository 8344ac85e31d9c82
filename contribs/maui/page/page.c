/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui page: the views in one file. With --public root asks as the user nobody, so that it
 * is munge, the engine and Slurm who decide what anybody may see: D-SRV-6.
 */
#include "contribs/maui/page/page.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "contribs/maui/lib/credential_known.h"
#include "contribs/maui/lib/file_replace.h"

#define NOBODY "nobody"

/* For good: this process asks nothing as anybody else. */
static int become_nobody(void)
{
	const struct passwd *nobody = getpwnam(NOBODY);

	if (!nobody)
		return fail(EXIT_ERRORS, "--public asks as the user " NOBODY ", who is not there");
	if (getuid() == nobody->pw_uid)
		return EXIT_OK;
	if (getuid() != 0)
		return fail(EXIT_ERRORS,
			    "--public asks as the user " NOBODY ": only root, or that user, can");
	if (setgroups(0, NULL) || setgid(nobody->pw_gid) || setuid(nobody->pw_uid))
		return fail(EXIT_ERRORS, "cannot become the user " NOBODY ": %s", strerror(errno));
	return EXIT_OK;
}

static void print_html(FILE *file, const void *document)
{
	const struct html *html = document;

	fwrite(html->text, 1, html->size, file);
}

static int page_show(const struct cli *cli, const struct page_wanted *wanted, const char *path)
{
	/* A long queue is millions of pieces, which go with the process: only a fuzzer makes
	 * another page. */
	static struct page page;
	struct html html = {0};
	int code = EXIT_OK;

	page_clear(&page);
	page_load(cli, wanted, &page);
	page_write(&html, &page);
	if (path)
		code = file_replace(path, print_html, &html);
	else
		print_html(stdout, &html);
	html_clear(&html);
	return code;
}

static int run_page(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"all", no_argument, NULL, 'a'},
		{"output", required_argument, NULL, 'o'},
		{"public", no_argument, NULL, 'P'},
		{"replay", required_argument, NULL, 'r'},
		{"user", required_argument, NULL, 'u'},
		{"what-if", required_argument, NULL, 'w'},
		{0},
	};
	struct page_wanted wanted = {0};
	const char *path = NULL;
	int option, code;

	while ((option = next_option(cli, argc, argv, "ao:u:", longs)) != OPTIONS_END) {
		if (option == 'a')
			wanted.all = true;
		else if (option == 'u')
			wanted.user = optarg;
		else if (option == 'o')
			path = optarg;
		else if (option == 'P')
			wanted.anybody = true;
		else if (option == 'r')
			wanted.replay = optarg;
		else if (option == 'w')
			wanted.what_if = optarg;
		else
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	}
	if (optind < argc)
		return fail_usage(cli,
				  "unexpected argument %s: the page goes to standard output, "
				  "or to --output",
				  argv[optind]);
	if (cli->json)
		return fail_usage(cli, "page is HTML: each view names the command that has its "
				       "numbers as JSON");
	if (wanted.anybody + wanted.all + (wanted.user != NULL) > 1)
		return fail_usage(cli, "--all, --public and --user: a page is for an "
				       "administrator, for anybody, or for one");
	if (wanted.anybody && (wanted.what_if || wanted.replay))
		return fail_usage(cli, "--public and %s: that is for administrators",
				  wanted.what_if ? "--what-if" : "--replay");
	/* A saved queue may come from another machine. */
	if (wanted.user && !cli->queue_file && !credential_is_known("user", wanted.user))
		return EXIT_ERRORS;
	code = wanted.anybody ? become_nobody() : EXIT_OK;
	return code ? code : page_show(cli, &wanted, path);
}

const struct command page_command = {
	.name = "page",
	.synopsis = "[--output=FILE] [-a | --public | -u USER] [--what-if=FILE] [--replay=FILE]",
	.summary = "Show jobs, shares, limits, reservations and nodes as pictures, on one page of "
		   "HTML",
	.options =
		"  -a, --all               all users' jobs, as far as the caller may see them\n"
		"  -o, --output=FILE       replace FILE whole, not standard output\n"
		"  -u, --user=USER         about this user's jobs and shares, not the caller's\n"
		"      --public            what anybody may see: root asks as the user nobody\n"
		"      --what-if=FILE      with the queue under this maui.cfg, beside today's\n"
		"      --replay=FILE       with what `maui replay --json` has printed into FILE\n",
	.run = run_page,
};
