/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui releaseres: removes administrative reservations, and instances of standing ones for their
 * period. */
#include "contribs/maui/reservation/reservation.h"

#include <stdio.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/service/engine_request.h"

static int print_reply(struct json_object *data)
{
	struct json_object *list = member_array(data, "reservations");
	int code = EXIT_OK;

	if (!list)
		return fail(EXIT_UNTRUSTED, "the engine's answer has no reservations");
	for (size_t i = 0; i < array_size(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		if (member_flag(one, "released")) {
			printf("released User reservation '");
			print_clean(member_text(one, "name"));
			printf("'\n");
		} else {
			complain("%s", member_text(one, "text"));
			code = EXIT_REFUSED;
		}
	}
	return code;
}

static int releaseres_judge(struct json_object *data)
{
	struct json_object *list = member_array(data, "reservations");

	for (size_t i = 0; i < array_size(list); i++)
		if (!member_flag(json_object_array_get_idx(list, i), "released"))
			return EXIT_REFUSED;
	return EXIT_OK;
}

static struct json_object *make_arguments(int count, char **names)
{
	struct json_object *arguments = json_make_object(), *array = json_make_array();

	for (int i = 0; i < count; i++)
		json_append_text(array, names[i]);
	json_set(arguments, "names", array);
	return arguments;
}

static int run_releaseres(struct cli *cli, int argc, char **argv)
{
	int option = next_option(cli, argc, argv, "", NULL), code;
	struct json_object *arguments, *answer, *data;

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (optind >= argc)
		return fail_usage(cli, "which reservation?");
	arguments = make_arguments(argc - optind, argv + optind);
	code = engine_change(cli, "release-reservations", arguments, &answer);
	if (code)
		return code;
	data = member_object(answer, "data");
	code = cli->json ? print_json("maui.release-reservations/1", data) : print_reply(data);
	if (cli->json && !code)
		code = releaseres_judge(data);
	json_object_put(answer);
	return code;
}

const struct command releaseres_command = {
	.name = "releaseres",
	.synopsis = "[--json] NAME...",
	.summary = "Remove administrative reservations, or instances of standing ones for their "
		   "period",
	.run = run_releaseres,
};
