/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/engine/drive.h"

#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <json-c/json_pointer.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "common/policy/limits/limits.h"
#include "common/util/files/file.h"
#include "plugins/engine/api/select.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/service/challenges.h"
#include "plugins/engine/service/service_requests.h"

#define MAX_THREADS 8
#define MAX_ANSWERS 256
/* How many turns a caller waits for the engine before it gives up. */
#define MAX_ROUNDS 5

/* ---- time ---- */

static int64_t now = NOW;
static int64_t stepped;       /* how far the wall clock has been set */
static _Atomic int64_t ticks; /* of the monotonic clock, which advances at each reading */

/* The linker dictates these names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
time_t __wrap_time(time_t *ret_time);
int __real_clock_gettime(clockid_t clock, struct timespec *ret_time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *ret_time);
void __real_engine_lock(void);
void __wrap_engine_lock(void);
void __real_engine_unlock(void);
void __wrap_engine_unlock(void);
void __wrap_engine_wait(pthread_cond_t *condition);
bool __wrap_engine_wait_until(pthread_cond_t *condition, double until);
int __wrap_pthread_create(pthread_t *ret_thread, const pthread_attr_t *attributes,
			  void *(*routine)(void *), void *argument);
int __wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
				  clockid_t clock, const struct timespec *until);
void __wrap_service_configure(void);
int __real_maui_limit_usage_add(struct maui_limit_usage *usage, struct maui_limit_holding *holding,
				const struct maui_limit_job *job, int64_t ends);
int __wrap_maui_limit_usage_add(struct maui_limit_usage *usage, struct maui_limit_holding *holding,
				const struct maui_limit_job *job, int64_t ends);
char *__wrap_authentication_prove(const char *nonce, uid_t uid);

time_t __wrap_time(time_t *ret_time)
{
	if (ret_time)
		*ret_time = now;
	return now;
}

/* Microseconds pass between two readings, so that no two are the same. CPU time is the
 * machine's. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *ret_time)
{
	int64_t tick;

	if (clock == CLOCK_THREAD_CPUTIME_ID)
		return __real_clock_gettime(clock, ret_time);
	tick = atomic_fetch_add(&ticks, 1);
	*ret_time = (struct timespec){.tv_sec = now, .tv_nsec = tick * 1000 % 1000000000};
	ret_time->tv_sec += clock == CLOCK_MONOTONIC ? tick / 1000000 - NOW - stepped + 1000 : 0;
	return 0;
}

/* ---- threads ---- */

struct thread {
	void *(*routine)(void *);
	void *argument;
	bool runs;
};

static struct thread threads[MAX_THREADS];
static size_t thread_count;
static jmp_buf *waits; /* where the current turn ends; NULL: there is none */

/* An engine thread waits, which ends its turn. */
static void end_turn(void)
{
	__wrap_engine_unlock();
	longjmp(*waits, 1);
}

static void take_turn(struct thread *thread)
{
	jmp_buf *outer = waits, here;

	waits = &here;
	thread->runs = true;
	if (!setjmp(here)) {
		thread->routine(thread->argument);
		thread->routine = NULL;
	}
	thread->runs = false;
	waits = outer;
	CONTROLLER_REQUIRE(!controller_mutex_held, "the turn ends with the engine's mutex");
	CONTROLLER_REQUIRE(!controller_holds_locks(), "the turn ends with locks of slurmctld");
}

/* Newest first: the engine's thread comes last, and sees what the others have done. */
void drive_turn(void)
{
	CONTROLLER_REQUIRE(!waits, "a turn in a turn");
	for (size_t i = thread_count; i-- > 0;)
		if (threads[i].routine && !threads[i].runs)
			take_turn(&threads[i]);
}

static void (*meanwhile)(void);

/* What happens meanwhile is not done by this thread. */
static void hang(void)
{
	jmp_buf *outer = waits;

	if (!waits)
		return;
	waits = NULL;
	controller_waits = NULL;
	meanwhile();
	waits = outer;
}

void drive_hang(void (*happens)(void))
{
	meanwhile = happens;
	controller_waits = hang;
}

void (*drive_each_second)(void);
bool drive_threads_fail, drive_limits_full;

/* Only the shadow's watch waits here: a second is over, and the test may act in it. */
int __wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
				  clockid_t clock, const struct timespec *until)
{
	jmp_buf *outer = waits;

	(void)condition;
	(void)clock;
	CONTROLLER_REQUIRE(drive_each_second, "nobody expects this wait");
	pthread_mutex_unlock(mutex);
	waits = NULL;
	drive_each_second();
	waits = outer;
	pthread_mutex_lock(mutex);
	return ETIMEDOUT;
}

int __wrap_pthread_create(pthread_t *ret_thread, const pthread_attr_t *attributes,
			  void *(*routine)(void *), void *argument)
{
	(void)attributes;
	if (drive_threads_fail)
		return EAGAIN;
	CONTROLLER_REQUIRE(thread_count < MAX_THREADS, "%zu threads", thread_count);
	threads[thread_count++] = (struct thread){routine, argument, false};
	*ret_thread = pthread_self(); /* detaching it must do no harm */
	return 0;
}

/* ---- the engine's mutex ---- */

void __wrap_engine_lock(void)
{
	CONTROLLER_REQUIRE(!controller_mutex_held, "this thread has it already");
	__real_engine_lock();
	controller_mutex_held = true;
}

void __wrap_engine_unlock(void)
{
	CONTROLLER_REQUIRE(controller_mutex_held, "this thread does not have it");
	controller_mutex_held = false;
	__real_engine_unlock();
}

void __wrap_engine_wait(pthread_cond_t *condition)
{
	CONTROLLER_REQUIRE(waits, "only the engine's threads wait without an end");
	end_turn();
}

/* A caller that is no engine thread waits for one that is. */
bool __wrap_engine_wait_until(pthread_cond_t *condition, double until)
{
	static double last;
	static int rounds;

	if (waits)
		end_turn();
	rounds = until == last ? rounds + 1 : 0;
	last = until;
	if (rounds == MAX_ROUNDS)
		return false;
	CONTROLLER_REQUIRE(!controller_holds_locks(), "it waits with locks of slurmctld");
	__wrap_engine_unlock();
	drive_turn();
	__wrap_engine_lock();
	return true;
}

/* ---- limits ---- */

int __wrap_maui_limit_usage_add(struct maui_limit_usage *usage, struct maui_limit_holding *holding,
				const struct maui_limit_job *job, int64_t ends)
{
	return drive_limits_full ? -ERANGE : __real_maui_limit_usage_add(usage, holding, job, ends);
}

/* ---- the service ---- */

void __wrap_service_configure(void)
{
}

char *__wrap_authentication_prove(const char *nonce, uid_t uid)
{
	(void)uid;
	return strdup(nonce);
}
/* NOLINTEND(bugprone-reserved-identifier) */

static struct json_object *answers[MAX_ANSWERS];
static size_t answer_count;

static struct json_object *request_of(uid_t uid, const char *command, const char *arguments)
{
	char challenge[CHALLENGE_SIZE];
	struct json_object *request = json_object_new_object();
	char *text = arguments ? strdup(arguments) : NULL;

	json_object_object_add(request, "schema", json_object_new_string("maui.request/1"));
	json_object_object_add(request, "command", json_object_new_string(command));
	json_object_object_add(request, "nonce", json_object_new_string("17"));
	if (!challenge_make(uid, true, monotonic_seconds(), challenge))
		json_object_object_add(request, "challenge", json_object_new_string(challenge));
	for (char *at = text; at && *at; at++)
		if (*at == '\'')
			*at = '"';
	if (text) {
		struct json_object *parsed = json_tokener_parse(text);

		cr_assert_not_null(parsed, "%s", text);
		json_object_object_add(request, "arguments", parsed);
	}
	free(text);
	return request;
}

static struct json_object *answer(uid_t uid, const char *command, const char *arguments)
{
	struct json_object *request = request_of(uid, command, arguments);
	const char *text = json_object_to_json_string(request);
	size_t size = 0;
	struct request *asked = request_read(text, strlen(text), uid);
	char *line = request_carry_out(asked, &size);
	struct json_object *parsed;

	cr_assert(line && size && line[size - 1] == '\n', "%s has no answer", command);
	line[size - 1] = '\0';
	parsed = json_tokener_parse(line);
	cr_assert_not_null(parsed, "%s", line);
	cr_assert_str_eq(json_object_get_string(drive_at(parsed, "/schema")), "maui.answer/1");
	cr_assert_str_eq(json_object_get_string(drive_at(parsed, "/proof")), "17");
	cr_assert_lt(answer_count, MAX_ANSWERS);
	answers[answer_count++] = parsed;
	free(line);
	request_free(asked);
	json_object_put(request);
	return parsed;
}

/* Each member of an answer, and of what is in it, stands in service.md; words of maui.cfg need
 * not. */
static void expect_documented(struct json_object *value, const char *document)
{
	if (json_object_is_type(value, json_type_array))
		for (size_t i = 0; i < json_object_array_length(value) && i < 20; i++)
			expect_documented(json_object_array_get_idx(value, i), document);
	if (!json_object_is_type(value, json_type_object))
		return;
	json_object_object_foreach(value, name, member)
	{
		char quoted[128], code[128];

		snprintf(quoted, sizeof(quoted), "\"%s\"", name);
		snprintf(code, sizeof(code), "`%s`", name);
		cr_expect(isupper((unsigned char)*name) || strstr(document, quoted) ||
				  strstr(document, code),
			  "service.md does not tell of %s", name);
		expect_documented(member, document);
	}
}

struct json_object *drive_ask_as(uid_t uid, const char *command, const char *arguments)
{
	struct json_object *said = answer(uid, command, arguments), *data;
	static char *document;
	struct maui_error why = {""};
	size_t size;

	data = drive_at(said, "/data");
	cr_assert_not_null(data, "%s: %s", command, json_object_to_json_string(said));
	if (!document)
		cr_assert_eq(
			maui_file_read(SERVICE_MD, 1 << 20, NULL, &document, &size, NULL, &why), 0,
			"%s", why.text);
	expect_documented(data, document);
	return data;
}

struct json_object *drive_ask(const char *command, const char *arguments)
{
	return drive_ask_as(0, command, arguments);
}

const char *drive_refusal(uid_t uid, const char *command, const char *arguments)
{
	struct json_object *said = answer(uid, command, arguments);

	cr_assert_str_eq(json_object_get_string(drive_at(said, "/status")), "error", "%s: %s",
			 command, json_object_to_json_string(said));
	return json_object_get_string(drive_at(said, "/error"));
}

struct json_object *drive_at(struct json_object *object, const char *pointer)
{
	struct json_object *found = NULL;

	return json_pointer_get(object, pointer, &found) ? NULL : found;
}

int drive_length(struct json_object *object, const char *pointer)
{
	struct json_object *array = drive_at(object, pointer);

	cr_assert(array && json_object_is_type(array, json_type_array), "%s: %s", pointer,
		  json_object_to_json_string(object));
	return (int)json_object_array_length(array);
}

int drive_place(struct json_object *object, const char *array, const char *member, const char *text)
{
	int count = drive_length(object, array);

	for (int i = 0; i < count; i++) {
		char pointer[128];
		struct json_object *found;

		snprintf(pointer, sizeof(pointer), "%s/%d/%s", array, i, member);
		found = drive_at(object, pointer);
		if (found && !strcmp(json_object_get_string(found), text))
			return i;
	}
	cr_assert(false, "%s: no %s is %s: %s", array, member, text,
		  json_object_to_json_string(drive_at(object, array)));
	return -1;
}

bool drive_try(const char *command, const char *arguments)
{
	struct json_object *said = answer(0, command, arguments);

	return !strcmp(json_object_get_string(drive_at(said, "/status")), "ok");
}

uid_t drive_uid(const char *user)
{
	const struct passwd *record = getpwnam(user);

	cr_assert_not_null(record, "this machine has no user %s", user);
	return record->pw_uid;
}

/* ---- files ---- */

static char directory[128];

const char *drive_path(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

bool drive_has_file(const char *name)
{
	struct stat status;

	return !stat(drive_path(name), &status);
}

void drive_write_file(const char *name, const char *text)
{
	FILE *file = fopen(drive_path(name), "w");

	cr_assert(file && fputs(text, file) >= 0 && !fclose(file), "%s", name);
}

char *drive_file(const char *name)
{
	FILE *file = fopen(drive_path(name), "r");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(file);
	return text;
}

bool drive_logged(const char *text)
{
	char *log = drive_file("log");
	bool found = log && strstr(log, text);

	free(log);
	return found;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	(void)status;
	(void)kind;
	(void)place;
	return remove(path);
}

/* ---- the engine's life ---- */

static bool runs;

static void begin_log(void)
{
	log_options_t options = LOG_OPTS_INITIALIZER;
	char name[] = "paper";

	options.stderr_level = options.syslog_level = LOG_LEVEL_QUIET;
	options.logfile_level = LOG_LEVEL_DEBUG;
	log_init(name, options, 0, (char *)drive_path("log"));
}

void drive_init(void)
{
	const char *top = getenv("TMPDIR"); /* the runner's, which removes it in any case */

	setenv("TZ", "UTC", 1);
	tzset();
	snprintf(directory, sizeof(directory), "%s/maui-engine-XXXXXX", top && *top ? top : "/tmp");
	cr_assert_not_null(mkdtemp(directory));
	begin_log();
}

void drive_fini(void)
{
	if (runs)
		drive_stop();
	while (answer_count)
		json_object_put(answers[--answer_count]);
	nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

void drive_machine(const char *machine, const char *slurm_conf, const char *maui_cfg)
{
	drive_write_file("maui.cfg", maui_cfg);
	controller_begin(directory, machine, slurm_conf);
	maui_engine_select.loaded();
	controller_lock_all();
	maui_engine_select.nodes_changed();
	controller_unlock_all();
}

/* slurmctld may have all of its locks when it first needs the priority plugin (S-ENG-7). */
void drive_start(void)
{
	controller_lock_all();
	cr_assert_eq(maui_engine_start(), SLURM_SUCCESS);
	controller_unlock_all();
	runs = true;
	drive_turn();
}

void drive_kill(void)
{
	engine_lock();
	engine.mode = ENGINE_STANDBY;
	engine_unlock();
	runs = false;
}

void drive_begin(const char *machine, const char *maui_cfg)
{
	drive_machine(machine, "", maui_cfg);
	drive_start();
}

void drive_stop(void)
{
	maui_engine_stop();
	runs = false;
}

void drive_reconfigure(const char *maui_cfg)
{
	drive_write_file("maui.cfg", maui_cfg);
	maui_engine_reconfigure();
	drive_turn();
}

void drive_clock(int64_t time)
{
	now = time;
}

void drive_step(int64_t seconds)
{
	now += seconds;
	stepped += seconds;
}

void drive_pass(int64_t seconds)
{
	now += seconds;
	drive_turn();
}
