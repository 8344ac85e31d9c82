/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/queue/refusal.h"

#define MAX_JOB                                                                                    \
	{                                                                                          \
		.blocked = true, .mode = MAUI_LIMIT_ACTIVE, .level = MAUI_LIMIT_HARD,              \
		.metric = MAUI_LIMIT_JOB, .type = MAUI_USER, .id = 1, .limit = 2, .usage = 2,      \
		.request = 1                                                                       \
	}
#define PAIR                                                                                       \
	{                                                                                          \
		.blocked = true, .mode = MAUI_LIMIT_ACTIVE, .level = MAUI_LIMIT_SOFT,              \
		.metric = MAUI_LIMIT_JOB, .type = MAUI_CLASS, .id = 3, .pair = true,               \
		.second_type = MAUI_USER, .second_id = 1, .limit = 1, .usage = 1, .request = 1     \
	}
#define ABSOLUTE                                                                                   \
	{                                                                                          \
		.blocked = true, .type = MAUI_USER, .mode = MAUI_FS_CAP_ABSOLUTE, .cap = 5000,     \
		.usage = 2000, .request = 3600, .until = 1700000000                                \
	}
#define OF_GRES                                                                                    \
	{                                                                                          \
		.blocked = true, .type = MAUI_USER, .mode = MAUI_FS_CAP_ABSOLUTE,                  \
		.metric = MAUI_FS_DEDICATEDGRES, .cap = 50, .usage = 20, .request = 36,            \
		.until = INT64_MAX                                                                 \
	}
#define RELATIVE                                                                                   \
	{                                                                                          \
		.blocked = true, .type = MAUI_USER, .mode = MAUI_FS_CAP_RELATIVE, .cap = 10,       \
		.usage = 12.345, .request = 0.5, .until = INT64_MAX                                \
	}
#define MORE_IN_USE                                                                                \
	{                                                                                          \
		.blocked = true, .mode = MAUI_LIMIT_ACTIVE, .level = MAUI_LIMIT_HARD,              \
		.metric = MAUI_LIMIT_JOB, .type = MAUI_USER, .id = 1, .limit = 2, .usage = 3,      \
		.request = 1                                                                       \
	}
#define LATER                                                                                      \
	{                                                                                          \
		.blocked = true, .type = MAUI_USER, .mode = MAUI_FS_CAP_ABSOLUTE, .cap = 5000,     \
		.usage = 2000, .request = 3600, .until = 1700000001                                \
	}

/* A namer with only these names; otherwise the number. */
static const char *name_of(const void *context, unsigned int type, uint32_t id, char number[16])
{
	(void)context;
	if (type == MAUI_USER && id == 1)
		return "bob";
	if (type == MAUI_QOS && id == 2)
		return "hi";
	if (type == MAUI_CLASS && id == 3)
		return "batch";
	snprintf(number, 16, "%u", 1000 + id);
	return number;
}

static const struct {
	struct maui_refusal refusal;
	const char *text, *original;
} texts[] = {
	{{.kind = MAUI_REFUSAL_NONE}, "", ""},
	{{.kind = MAUI_REFUSAL_LIMIT, .limit = MAX_JOB},
	 "MAXJOB limit of 2 for user bob (2 in use)",
	 "violates active HARD MAXJOB limit of 2 for user bob  (R: 1, U: 2)"},
	{{.kind = MAUI_REFUSAL_LIMIT, .limit = PAIR},
	 "soft MAXJOB[USER] limit of 1 for user bob in class batch (1 in use)",
	 "violates active SOFT MAXJOB limit of 1 for class batch bob (R: 1, U: 1)"},
	{{.kind = MAUI_REFUSAL_FSCAP, .cap = ABSOLUTE, .id = 1},
	 "FSTARGET cap of 5000 processor-seconds for user bob (2000 used, 3600 asked for, below: "
	 "2023-11-14T22:13:20)",
	 "cannot be selected  (FairShare: FSTARGET cap of 5000 processor-seconds for user bob "
	 "(2000 "
	 "used, 3600 asked for, below: 2023-11-14T22:13:20))"},
	{{.kind = MAUI_REFUSAL_FSCAP, .cap = OF_GRES, .id = 1},
	 "FSTARGET cap of 50 GRES-seconds for user bob (20 used, 36 asked for, below: never)",
	 "cannot be selected  (FairShare: FSTARGET cap of 50 GRES-seconds for user bob (20 used, "
	 "36 asked for, below: never))"},
	{{.kind = MAUI_REFUSAL_FSCAP, .cap = RELATIVE, .id = 7},
	 "FSTARGET cap of 10.00% for user 1007 (12.35% used, 0.50 asked for, below: never)",
	 "cannot be selected  (FairShare: FSTARGET cap of 10.00% for user 1007 (12.35% used, 0.50 "
	 "asked for, below: never))"},
	{{.kind = MAUI_REFUSAL_FSCAP, .cap = RELATIVE, .id = MAUI_NO_CREDENTIAL},
	 "FSTARGET cap of 10.00% for user ? (12.35% used, 0.50 asked for, below: never)",
	 "cannot be selected  (FairShare: FSTARGET cap of 10.00% for user ? (12.35% used, 0.50 "
	 "asked "
	 "for, below: never))"},
	{{.kind = MAUI_REFUSAL_QOS,
	  .qos = {.refused = true, .fallback = true, .type = MAUI_USER, .id = 1},
	  .id = 2},
	 "QOS hi is not in QLIST of user bob (USERCFG[DEFAULT])",
	 "cannot be selected  (Policy: QOS hi is not in QLIST of user bob (USERCFG[DEFAULT]))"},
	{{.kind = MAUI_REFUSAL_RESERVATION},
	 "the reservation that it asks for does not admit it",
	 "cannot be selected  (Policy: the reservation that it asks for does not admit it)"},
	{{.kind = MAUI_REFUSAL_UNKNOWN},
	 "limits of maui.cfg are being looked up",
	 "cannot be selected  (Policy: limits of maui.cfg are being looked up)"},
};

Test(refusal, what_is_said_of_it)
{
	setenv("TZ", "UTC", 1);
	tzset();
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const struct maui_refusal_namer namer = {name_of, NULL};
		char text[MAUI_REFUSAL_TEXT_SIZE];

		cr_expect_str_eq(maui_refusal_text_by(&texts[i].refusal, &namer, text),
				 texts[i].text);
		cr_expect_str_eq(maui_refusal_original_text_by(&texts[i].refusal, &namer, text),
				 texts[i].original);
	}
}

/* Each differs from all others, and equals itself. */
Test(refusal, it_is_the_same_if_all_that_is_said_of_it_is)
{
	static const struct maui_refusal all[] = {
		{.kind = MAUI_REFUSAL_NONE},
		{.kind = MAUI_REFUSAL_LIMIT, .limit = MAX_JOB},
		{.kind = MAUI_REFUSAL_LIMIT, .limit = PAIR},
		{.kind = MAUI_REFUSAL_LIMIT, .limit = MORE_IN_USE},
		{.kind = MAUI_REFUSAL_FSCAP, .cap = ABSOLUTE, .id = 1},
		{.kind = MAUI_REFUSAL_FSCAP, .cap = LATER, .id = 1},
		{.kind = MAUI_REFUSAL_FSCAP, .cap = ABSOLUTE, .id = 2},
		{.kind = MAUI_REFUSAL_QOS, .qos = {.refused = true, .id = 1}, .id = 2},
		{.kind = MAUI_REFUSAL_QOS, .qos = {.refused = true, .id = 1}, .id = 3},
		{.kind = MAUI_REFUSAL_QOS,
		 .qos = {.refused = true, .id = 1, .fallback = true},
		 .id = 2},
		{.kind = MAUI_REFUSAL_RESERVATION},
		{.kind = MAUI_REFUSAL_UNKNOWN},
	};
	size_t count = sizeof(all) / sizeof(*all);

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++)
			cr_expect_eq(maui_refusal_same(&all[i], &all[k]), i == k, "%zu, %zu", i, k);
}

Test(refusal, what_is_left_of_another_kind_does_not_count)
{
	struct maui_refusal limit = {.kind = MAUI_REFUSAL_LIMIT, .limit = MAX_JOB};
	struct maui_refusal after = {.kind = MAUI_REFUSAL_LIMIT, .limit = MAX_JOB, .id = 5};

	after.qos.id = 9;
	after.cap.usage = 3;
	cr_expect(maui_refusal_same(&limit, &after));
}

Test(refusal, only_a_soft_limit_is_soft)
{
	cr_expect(maui_refusal_is_soft(
		&(struct maui_refusal){.kind = MAUI_REFUSAL_LIMIT, .limit = PAIR}));
	cr_expect_not(maui_refusal_is_soft(
		&(struct maui_refusal){.kind = MAUI_REFUSAL_LIMIT, .limit = MAX_JOB}));
	cr_expect_not(maui_refusal_is_soft(
		&(struct maui_refusal){.kind = MAUI_REFUSAL_FSCAP, .limit = PAIR}));
}
