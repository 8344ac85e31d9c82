/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every report, out of memory at every allocation: there is no report, and nothing leaks. */
#include "testsuite/unit/policy/fixture.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "common/report/fairshare.h"
#include "common/report/report.h"
#include "testsuite/unit/shortage.h"

/* What fails as if memory were short: with `failure`, and with nothing done. */
#define WRAPPED(type, name, failure, parameters, arguments)                                        \
	type __real_##name parameters;                                                             \
	type __wrap_##name parameters;                                                             \
	type __wrap_##name parameters                                                              \
	{                                                                                          \
		return runs_short() ? (failure) : __real_##name arguments;                         \
	}

WRAPPED(FILE *, open_memstream, NULL, (char **text, size_t *size), (text, size))
WRAPPED(struct json_object *, json_object_new_object, NULL, (void), ())
WRAPPED(struct json_object *, json_object_new_array, NULL, (void), ())
WRAPPED(struct json_object *, json_object_new_string, NULL, (const char *text), (text))
WRAPPED(struct json_object *, json_object_new_string_len, NULL, (const char *text, int size),
	(text, size))
WRAPPED(struct json_object *, json_object_new_int64, NULL, (int64_t number), (number))
WRAPPED(struct json_object *, json_object_new_boolean, NULL, (json_bool flag), (flag))
WRAPPED(struct json_object *, json_object_new_double_s, NULL, (double number, const char *text),
	(number, text))
WRAPPED(int, json_object_object_add_ex, -1,
	(struct json_object * object, const char *name, struct json_object *value, unsigned flags),
	(object, name, value, flags))
WRAPPED(int, json_object_array_add, -1, (struct json_object * array, struct json_object *value),
	(array, value))

__attribute__((format(printf, 2, 3))) int __wrap_asprintf(char **ret_text, const char *format, ...);
int __real_fclose(FILE *stream);
int __wrap_fclose(FILE *stream);

int __wrap_asprintf(char **ret_text, const char *format, ...)
{
	va_list arguments;
	int size;

	if (runs_short())
		return -1;
	va_start(arguments, format);
	size = vasprintf(ret_text, format, arguments);
	va_end(arguments);
	return size;
}

/* There may have been no memory for what was written; the stream is closed anyway. */
int __wrap_fclose(FILE *stream)
{
	int rc = __real_fclose(stream);

	return runs_short() ? EOF : rc;
}

/* ---- one of everything that is reported ---- */

static const char lines[] = "ADMIN1 a b\nQUEUETIMEWEIGHT 2\nQUEUETIMEWEIGHT[p] 3\nBOGUS 1\n"
			    "XFACTORWEIGHT x\nUSERCFG[u] MAXJOB[USER:b]=3 PRIORITY=5\n"
			    "QOSCFG[q] QTWEIGHT=4\nSYSCFG QLIST=a,b\n";

static struct maui_config *config;
static struct fixture fixture;

static void open_all(void)
{
	config = config_from(lines);
	fixture_open(&fixture, "QUEUETIMEWEIGHT 2\n");
}

static void close_all(void)
{
	maui_config_unref(config);
	fixture_close(&fixture);
}

static void *make_config(void)
{
	return maui_report_config(config);
}

static void *make_weights(void)
{
	return maui_report_weights(fixture.job.weights, config);
}

static void *make_terms(void)
{
	struct maui_priority_terms terms;

	fixture_evaluate(&fixture, &terms);
	return maui_report_terms(&terms);
}

static const struct maui_report_fsrow rows[] = {
	{.name = "u", .sum = 900, .percent = 25, .target = {50, MAUI_FS_FLOOR}, .usage = {900}},
	{.name = "DEFAULT"},
};
static const struct maui_report_fairshare fairshare = {
	.settings = {.metric = MAUI_FS_DEDICATEDPS, .interval = 3600, .depth = 2, .decay = 0.5},
	.start = 7200,
	.sum = 3600,
	.total = {3600},
	.rows = {[MAUI_USER] = rows},
	.count = {[MAUI_USER] = 2},
};

static void *make_fairshare(void)
{
	return maui_report_fairshare(&fairshare);
}

static void *make_fairshare_text(void)
{
	return maui_report_fairshare_text(&fairshare);
}

static void put(void *object)
{
	json_object_put(object);
}

static const struct {
	const char *name;
	void *(*make)(void);
	void (*forget)(void *);
} reports[] = {
	{"config", make_config, put},
	{"weights", make_weights, put},
	{"terms", make_terms, put},
	{"fairshare", make_fairshare, put},
	{"fairshare as text", make_fairshare_text, free},
};

Test(report_memory, a_shortage_anywhere_is_no_report, .init = open_all, .fini = close_all)
{
	for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++) {
		size_t total;
		void *report;

		shortage_begin(0, false);
		report = reports[i].make();
		total = shortage_end();
		cr_assert_not_null(report, "%s", reports[i].name);
		reports[i].forget(report);
		cr_expect_geq(total, 2, "%s", reports[i].name);
		for (size_t at = 1; at <= 2 * total; at++) {
			shortage_begin(at > total ? at - total : at, at > total);
			report = reports[i].make();
			shortage_end();
			cr_expect_null(report, "%s: %zu of %zu", reports[i].name, at, total);
			reports[i].forget(report);
		}
	}
}
