/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and answers of the engine's service. The request identifies the caller with a munge
 * credential; the answer must prove with one that root or SlurmUser gave it, for this very request:
 * otherwise anybody who listens on the port while the engine is down could answer in its name.
 */
#include "contribs/maui/service/engine_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <munge.h>

#include "common/report/json.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/service/policy_trouble.h"
#include "contribs/maui/service/transport.h"

#define REQUEST_SCHEMA "maui.request/1"
#define ANSWER_SCHEMA  "maui.answer/1"
/* A line is at most 64 KiB. munge compresses what is longer than this: a maui.cfg shrinks to a
 * fraction. */
#define COMPRESSED_FROM ((size_t)16 << 10)
/* How long a request is good, seconds: the engine takes none that is older, and clocks differ. */
#define REQUEST_TTL 30

struct nonce {
	char text[33]; /* 16 bytes in hexadecimal */
};

static int make_nonce(struct nonce *ret_nonce)
{
	unsigned char bytes[16];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return fail(EXIT_ERRORS, "the kernel gives no random numbers");
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret_nonce->text + 2 * i, 3, "%02x", bytes[i]);
	return EXIT_OK;
}

/* A munge context for the cluster's munged. */
static munge_ctx_t new_context(const struct engine *engine)
{
	munge_ctx_t context = munge_ctx_create();

	/* Both fail only for want of memory. */
	if (!context ||
	    (*engine->munge_socket &&
	     munge_ctx_set(context, MUNGE_OPT_SOCKET, engine->munge_socket) != EMUNGE_SUCCESS))
		maui_memory_short(0);
	return context;
}

/* munge's words for what went wrong; the context has more exact ones. */
static const char *munge_words(munge_ctx_t context, munge_err_t error)
{
	const char *words = munge_ctx_strerror(context);

	return words ? words : munge_strerror(error);
}

/* {"schema", "command", "nonce", "challenge", "arguments"}; uses up arguments. */
static struct json_object *make_request(const char *command, const struct nonce *nonce,
					const char *challenge, struct json_object *arguments)
{
	struct json_object *request = json_make_object();

	json_set_text(request, "schema", REQUEST_SCHEMA);
	json_set_text(request, "command", command);
	json_set_text(request, "nonce", nonce->text);
	json_set_given(request, "challenge", challenge);
	json_set(request, "arguments", arguments ? arguments : json_make_object());
	return request;
}

/*
 * The line to send: a credential that only the engine's user can read, if it is known who that is.
 */
static int engine_request_seal(const struct engine *engine, struct json_object *request,
			       char **ret_line)
{
	size_t size;
	char *text = json_line(request, &size);
	munge_ctx_t context = new_context(engine);
	char *credential = NULL;
	munge_err_t error;
	int code = EXIT_OK;

	munge_ctx_set(context, MUNGE_OPT_TTL, REQUEST_TTL);
	if (engine->knows_slurm_uid)
		munge_ctx_set(context, MUNGE_OPT_UID_RESTRICTION, engine->slurm_uid);
	if (size >= COMPRESSED_FROM)
		munge_ctx_set(context, MUNGE_OPT_ZIP_TYPE, MUNGE_ZIP_ZLIB);
	error = munge_encode(&credential, context, text, (int)size - 1);
	if (error != EMUNGE_SUCCESS)
		code = fail(EXIT_ERRORS, "munge gives no credential: %s: is munged running here?",
			    munge_words(context, error));
	else
		*ret_line = text_printf("%s\n", credential);
	free(credential);
	free(text);
	munge_ctx_destroy(context);
	return code;
}

static int fail_foreign(const struct engine *engine)
{
	return fail(EXIT_UNTRUSTED,
		    "what listens on %s does not speak like Maui's engine: its answer is refused",
		    engine->place);
}

/* The answer as an object of any version of our schema. */
static int parse_answer(const struct engine *engine, const char *text, size_t size,
			struct json_object **ret_answer)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *answer;
	bool whole;

	if (!tokener)
		maui_memory_short(0);
	/* Not JSON_TOKENER_STRICT: json-c 0.18, Debian 13's, then refuses all but ASCII. */
	answer = json_tokener_parse_ex(tokener, text, (int)size + 1);
	whole = answer && json_tokener_get_parse_end(tokener) >= size;
	json_tokener_free(tokener);
	if (whole && !strncmp(member_text(answer, "schema"), "maui.answer/", 12)) {
		*ret_answer = answer;
		return EXIT_OK;
	}
	json_object_put(answer);
	return fail_foreign(engine);
}

static int check_prover(const struct engine *engine, unsigned int uid)
{
	if (uid == 0 || (engine->knows_slurm_uid && uid == engine->slurm_uid))
		return EXIT_OK;
	return fail(EXIT_UNTRUSTED,
		    "the answer on %s comes from user %u, who is neither root nor SlurmUser%s: "
		    "refused",
		    engine->place, uid,
		    engine->knows_slurm_uid ? ""
					    : " (slurm.conf could not be asked who that is; "
					      "--slurm-user names that user)");
}

/* Whether root or SlurmUser answered, and this very request. */
static int check_proof(const struct engine *engine, const char *proof, const struct nonce *nonce)
{
	munge_ctx_t context = new_context(engine);
	void *payload = NULL;
	int size = 0, code;
	uid_t uid;
	gid_t gid;
	munge_err_t error;

	error = munge_decode(proof, context, &payload, &size, &uid, &gid);
	if (error != EMUNGE_SUCCESS)
		code = fail(EXIT_UNTRUSTED,
			    "the proof in the answer on %s is not valid: %s: refused",
			    engine->place, munge_words(context, error));
	else if (size != (int)strlen(nonce->text) ||
		 memcmp(payload, nonce->text, (size_t)size) != 0)
		code = fail(EXIT_UNTRUSTED,
			    "the proof in the answer on %s is for another request: refused",
			    engine->place);
	else
		code = check_prover(engine, uid);
	free(payload);
	munge_ctx_destroy(context);
	return code;
}

/* What an answer of our schema says, believed only with its proof. */
static int engine_request_judge(const struct engine *engine, struct json_object *answer,
				const struct nonce *nonce)
{
	const char *proof = member_text(answer, "proof");
	const char *status = member_text(answer, "status");
	const char *text = member_text(answer, "error");
	const char *schema = member_text(answer, "schema");
	int code;

	if (strcmp(schema, ANSWER_SCHEMA) != 0)
		return fail(EXIT_UNTRUSTED,
			    "the engine answers in %.40s, this program understands %s: use the "
			    "`maui` of the engine's release",
			    schema, ANSWER_SCHEMA);
	if (!*proof)
		return fail(EXIT_UNTRUSTED, "the answer on %s proves nothing: refused%s%.200s",
			    engine->place, *text ? ". It says: " : "", text);
	code = check_proof(engine, proof, nonce);
	if (code)
		return code;
	if (!strcmp(status, "error"))
		return fail(EXIT_REFUSED, "%s",
			    *text ? text : "the engine refuses the request without a reason");
	if (strcmp(status, "ok") != 0 || !member_object(answer, "data"))
		return fail_foreign(engine);
	return EXIT_OK;
}

static int engine_request_receive(const struct engine *engine, const char *line,
				  const struct nonce *nonce, struct json_object **ret_answer)
{
	struct json_object *answer = NULL;
	char *text;
	size_t size;
	int code = transport_exchange(engine, line, strlen(line), &text, &size);

	if (code)
		return code;
	code = parse_answer(engine, text, size, &answer);
	free(text);
	if (code)
		return code;
	code = engine_request_judge(engine, answer, nonce);
	if (code) {
		json_object_put(answer);
		return code;
	}
	*ret_answer = answer;
	return EXIT_OK;
}

/* challenge: NULL for a request that changes nothing. */
static int engine_request_ask(const struct engine *engine, const char *command,
			      const char *challenge, struct json_object *arguments,
			      struct json_object **ret_answer)
{
	struct json_object *request;
	struct nonce nonce;
	char *line = NULL;
	int code = make_nonce(&nonce);

	if (code) {
		json_object_put(arguments);
		return code;
	}
	request = make_request(command, &nonce, challenge, arguments);
	code = engine_request_seal(engine, request, &line);
	json_object_put(request);
	if (code)
		return code;
	code = engine_request_receive(engine, line, &nonce, ret_answer);
	free(line);
	if (code == EXIT_OK && engine->notes) {
		policy_trouble_note(member_object(*ret_answer, "data"));
		policy_trouble_note_unnamed(member_object(*ret_answer, "data"));
	}
	return code;
}

int engine_ask(const struct engine *engine, const char *command, struct json_object *arguments,
	       struct json_object **ret_answer)
{
	return engine_request_ask(engine, command, NULL, arguments, ret_answer);
}

/* Asks for a challenge, whose answer has to be the engine's own, before anything is sent that
 * another process on its port could keep. */
static int ask_for_change(const struct engine *engine, const char *command,
			  struct json_object *arguments, struct json_object **ret_answer)
{
	struct engine quiet = *engine; /* what is wrong is said once, of the second answer */
	struct json_object *answer;
	int code;

	quiet.notes = false;
	code = engine_request_ask(&quiet, "challenge", NULL, NULL, &answer);
	if (code) {
		json_object_put(arguments);
		return code;
	}
	code = engine_request_ask(engine, command,
				  member_text(member_object(answer, "data"), "challenge"),
				  arguments, ret_answer);
	json_object_put(answer);
	return code;
}

/* Once per command, and not if the output shows the mode anyway. */
static void note_shadow(struct json_object *data)
{
	static bool said;

	if (said || !member_flag(data, "shadow") || *member_text(data, "mode"))
		return;
	said = true;
	note("shadow mode: this is what would be; Slurm works as it does without the engine");
}

static int
find_and_ask(const struct cli *cli,
	     int (*ask_it)(const struct engine *engine, const char *command,
			   struct json_object *arguments, struct json_object **ret_answer),
	     const char *command, struct json_object *arguments, struct json_object **ret_answer)
{
	struct engine engine;
	int code = engine_find(cli, &engine);

	if (code) {
		json_object_put(arguments);
		return code;
	}
	code = ask_it(&engine, command, arguments, ret_answer);
	if (code == EXIT_OK && !cli->json)
		note_shadow(member_object(*ret_answer, "data"));
	return code;
}

int engine_query(const struct cli *cli, const char *command, struct json_object *arguments,
		 struct json_object **ret_answer)
{
	return find_and_ask(cli, engine_ask, command, arguments, ret_answer);
}

int engine_change(const struct cli *cli, const char *command, struct json_object *arguments,
		  struct json_object **ret_answer)
{
	return find_and_ask(cli, ask_for_change, command, arguments, ret_answer);
}
