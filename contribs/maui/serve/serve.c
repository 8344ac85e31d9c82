/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui serve: the command and its options. */
#include "contribs/maui/serve/serve.h"

#include "contribs/maui/lib/credential_known.h"

#define DEFAULT_EVERY 5
#define DEFAULT_IDLE  1800
#define MOST_SECONDS  86400

/* One option's number; 0, and says so, if it is none. */
static int number_of(const struct cli *cli, const char *name, const char *what, int most)
{
	int number = (int)parse_count(optarg, (unsigned int)most);

	if (!number)
		complain_usage(cli, "--%s=%s: %s are a number from 1 to %d", name, optarg, what,
			       most);
	return number;
}

static bool take_option(struct serve_options *options, int option)
{
	if (option == 'a')
		options->wanted.all = true;
	else if (option == 'u')
		options->wanted.user = optarg;
	else if (option == 'w')
		options->wanted.what_if = optarg;
	else if (option == 'r')
		options->wanted.replay = optarg;
	else if (option == 'e')
		return (options->every = number_of(options->cli, "every", "seconds", MOST_SECONDS));
	else if (option == 'i')
		return (options->idle = number_of(options->cli, "idle", "seconds", MOST_SECONDS));
	else
		return (options->listen =
				(unsigned int)number_of(options->cli, "listen", "ports", 65535));
	return true;
}

static int run_serve(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"all", no_argument, NULL, 'a'},           {"every", required_argument, NULL, 'e'},
		{"idle", required_argument, NULL, 'i'},    {"listen", required_argument, NULL, 'l'},
		{"replay", required_argument, NULL, 'r'},  {"user", required_argument, NULL, 'u'},
		{"what-if", required_argument, NULL, 'w'}, {0},
	};
	struct serve_options options = {.cli = cli, .every = DEFAULT_EVERY, .idle = DEFAULT_IDLE};
	int option;

	while ((option = next_option(cli, argc, argv, "au:", longs)) != OPTIONS_END) {
		if (option == OPTIONS_DONE)
			return EXIT_OK;
		if (option == OPTIONS_BAD || !take_option(&options, option))
			return EXIT_ERRORS;
	}
	if (optind < argc)
		return fail_usage(cli, "unexpected argument %s", argv[optind]);
	if (cli->json)
		return fail_usage(cli, "serve is HTML: each view names the command that has its "
				       "numbers as JSON");
	if (options.wanted.all && options.wanted.user)
		return fail_usage(cli, "--all and --user: a page is for an administrator, or for "
				       "one");
	if (options.wanted.user && !cli->queue_file &&
	    !credential_is_known("user", options.wanted.user))
		return EXIT_ERRORS;
	return serve(&options);
}

const struct command serve_command = {
	.name = "serve",
	.synopsis = "[--every=N] [--idle=N] [--listen=PORT] [-a | -u USER] [--what-if=FILE] "
		    "[--replay=FILE]",
	.summary = "Show the pictures of `maui page` to a browser of your own, always up to date",
	.options =
		"  -a, --all               all users' jobs, as far as the caller may see them\n"
		"  -u, --user=USER         about this user's jobs and shares, not the caller's\n"
		"      --every=N           ask Slurm and the engine at most every N seconds (5)\n"
		"      --idle=N            end when nobody has asked for N seconds (1800)\n"
		"      --listen=PORT       the port on 127.0.0.1; else a free one\n"
		"      --what-if=FILE      with the queue under this maui.cfg, beside today's\n"
		"      --replay=FILE       with what `maui replay --json` has printed into FILE\n",
	.run = run_serve,
};
