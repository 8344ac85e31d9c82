/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a request of the service, from its JSON on, to a whole engine on the unit tests'
 * mock slurmctld, whose turns a request waits for. The first byte says who asks. Each request gets
 * an answer of one line of JSON.
 *
 * The limits are what only slurmctld can do: no job runs or ends; munge is left out, whose
 * credentials authentication.c checks before there is a request.
 * testsuite/scenarios/test_service_fuzz.py tests both through the socket of a real slurmctld.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/text.h"
#include "plugins/engine/service/service_requests.h"
#include "testsuite/fuzz/require.h"
#include "testsuite/unit/engine/drive.h"

static const char maui_cfg[] =
	"RMPOLLINTERVAL 1:00:00\nADMIN1 root\nADMIN3 bin\nRESCTLPOLICY ANY\nFSPOLICY DEDICATEDPS\n"
	"FSUSERWEIGHT 1\nUSERCFG[root] MAXJOB=1 PRIORITY=3 FSTARGET=10\nUSERCFG[DEFAULT] "
	"MAXPROC=4\n"
	"CLASSCFG[batch] MAXPS=99999\nSRCFG[a] HOSTLIST=n1 USERLIST=bin PERIOD=DAY\n";

/* The linker defines the name. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
bool __wrap_challenge_take(const char *text, uid_t uid, double now);

/* Inputs cannot repeat what is made at random. */
bool __wrap_challenge_take(const char *text, uid_t uid, double now)
{
	(void)text;
	(void)uid;
	(void)now;
	return true;
}
/* NOLINTEND(bugprone-reserved-identifier) */

static void begin(void)
{
	static bool begun;

	if (begun)
		return;
	begun = true;
	setenv("TMPDIR", "/dev/shm", 0);
	drive_init();
	atexit(drive_fini); /* what a crash leaves behind shows what happened */
	drive_begin(FOUR_NODES, maui_cfg);
	SUBMIT(.user = "root", .cpus = 1);
	SUBMIT(.user = "root", .cpus = 2, .nodes = 2);
	drive_turn();
}

static const char *text_of(struct json_object *object, const char *name)
{
	struct json_object *member;

	return json_object_object_get_ex(object, name, &member) ? json_object_get_string(member)
								: "";
}

static void check_answer(const char *text, size_t size)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *answer, *data;
	bool error;

	REQUIRE(tokener && text && size && text[size - 1] == '\n' &&
		maui_printable_size(text, size) == size - 1);
	json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
	answer = json_tokener_parse_ex(tokener, text, (int)size);
	json_tokener_free(tokener);
	REQUIRE(answer && !strcmp(text_of(answer, "schema"), "maui.answer/1"));
	error = !strcmp(text_of(answer, "status"), "error");
	REQUIRE(error || !strcmp(text_of(answer, "status"), "ok"));
	REQUIRE(error == (*text_of(answer, "error") != '\0'));
	REQUIRE(error != json_object_object_get_ex(answer, "data", &data));
	json_object_put(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uid_t users[] = {0, 2, 65534};
	struct request *request;
	char *text, *answer;
	size_t answer_size = 0;

	if (!size)
		return 0;
	begin();
	/* As from authentication_read(): malloc'ed, with nothing after it. */
	text = malloc(size);
	REQUIRE(text);
	memcpy(text, data + 1, size - 1);
	request = request_read(text, size - 1, users[data[0] % 3]);
	free(text);
	answer = request_carry_out(request, &answer_size);
	check_answer(answer, answer_size);
	free(answer);
	request_free(request);
	return 0;
}
