/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a request of the service, from its JSON on, to a whole engine: its threads run, and
 * it finds what small_slurmctld.c provides. The first byte says who asks. Each request gets an
 * answer of one line of JSON.
 *
 * The limits are what only slurmctld can do: no reservation is made or deleted, no job runs or
 * ends, and there are no associations; munge is left out, whose credentials authentication.c checks
 * before there is a request. testsuite/scenarios/test_service_fuzz.py tests both through the socket
 * of a real slurmctld.
 */
#include "plugins/compat/compat.h"

#include <ftw.h>
#include <json-c/json.h>
#include <sys/stat.h>

#include "common/util/text.h"
#include "plugins/engine/life.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/service/authentication.h"
#include "plugins/engine/service/service_requests.h"
#include "testsuite/fuzz/require.h"
#include "testsuite/fuzz/small_slurmctld.h"

static const char maui_cfg[] =
	"RMPOLLINTERVAL 1:00:00\nADMIN1 root\nADMIN3 bin\nRESCTLPOLICY ANY\nFSPOLICY DEDICATEDPS\n"
	"FSUSERWEIGHT 1\nUSERCFG[root] MAXJOB=1 PRIORITY=3 FSTARGET=10\nUSERCFG[DEFAULT] "
	"MAXPROC=4\n"
	"CLASSCFG[batch] MAXPS=99999\nSRCFG[a] HOSTLIST=n1 USERLIST=bin PERIOD=DAY\n";

/* The linker defines the names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
void __wrap_service_configure(void);
char *__wrap_authentication_prove(const char *nonce, uid_t uid);
bool __wrap_challenge_take(const char *text, uid_t uid, double now);
struct maui_snapshot *__real_job_queue_snapshot(int wait);
struct maui_snapshot *__wrap_job_queue_snapshot(int wait);

/*
 * Nothing changes, and the engine makes at most ten fresh ones per second: the first one will do.
 */
struct maui_snapshot *__wrap_job_queue_snapshot(int wait)
{
	struct maui_snapshot *snapshot;

	engine_lock();
	snapshot = maui_snapshot_ref(job_queue.snapshot);
	engine_unlock();
	return snapshot ? snapshot : __real_job_queue_snapshot(wait);
}

/* Nobody listens. */
void __wrap_service_configure(void)
{
}

char *__wrap_authentication_prove(const char *nonce, uid_t uid)
{
	(void)uid;
	return strdup(nonce);
}

/* Inputs cannot repeat what is made at random. */
bool __wrap_challenge_take(const char *text, uid_t uid, double now)
{
	(void)text;
	(void)uid;
	(void)now;
	return true;
}
/* NOLINTEND(bugprone-reserved-identifier) */

static char directory[] = "/dev/shm/maui-fuzz-XXXXXX";

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	(void)status;
	(void)kind;
	(void)place;
	return remove(path);
}

/* Called at exit; what a crash leaves behind shows what happened. */
static void end(void)
{
	nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void begin(void)
{
	static bool begun;
	char state[64];

	if (begun)
		return;
	begun = true;
	REQUIRE(mkdtemp(directory));
	snprintf(state, sizeof(state), "%s/maui", directory);
	REQUIRE(!mkdir(state, 0700));
	small_slurmctld_begin(directory, maui_cfg);
	REQUIRE(!engine_begin(ENGINE_PRIMARY));
	atexit(end);
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
