/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TRIGGER: what is understood, and where the error is in what is not. */
#include "common/policy/reservation/sr_trigger.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static const struct {
	const char *text;
	struct maui_sr_trigger expected;
} good[] = {
	/* the manual's example, and the same by its grammar */
	{"start+5:00:00:exec@/usr/local/domail.pl",
	 {MAUI_SR_ON_START, 18000, 0, MAUI_SR_DO_EXEC, "/usr/local/domail.pl"}},
	{"start+5:00:00;exec@/usr/local/domail.pl",
	 {MAUI_SR_ON_START, 18000, 0, MAUI_SR_DO_EXEC, "/usr/local/domail.pl"}},
	{"create;cancel", {MAUI_SR_ON_CREATE, 0, 0, MAUI_SR_DO_CANCEL, ""}},
	{"create:cancel", {MAUI_SR_ON_CREATE, 0, 0, MAUI_SR_DO_CANCEL, ""}},
	{"END+90;submit@/a b", {MAUI_SR_ON_END, 90, 0, MAUI_SR_DO_SUBMIT, "/a b"}},
	{"end+1:30:submit@/a", {MAUI_SR_ON_END, 90, 0, MAUI_SR_DO_SUBMIT, "/a"}},
	{"start;EXEC@/a 'b;c' @d:exec",
	 {MAUI_SR_ON_START, 0, 0, MAUI_SR_DO_EXEC, "/a 'b;c' @d:exec"}},
	{"minload@0.25;cancel", {MAUI_SR_ON_MINLOAD, 0, 0.25, MAUI_SR_DO_CANCEL, ""}},
	{"minload+10:00@25%;cancel", {MAUI_SR_ON_MINLOAD, 600, 0.25, MAUI_SR_DO_CANCEL, ""}},
	{"minload@25:cancel", {MAUI_SR_ON_MINLOAD, 0, 0.25, MAUI_SR_DO_CANCEL, ""}},
	{"minload@1;cancel", {MAUI_SR_ON_MINLOAD, 0, 1, MAUI_SR_DO_CANCEL, ""}},
	{"minload@1%;cancel", {MAUI_SR_ON_MINLOAD, 0, 0.01, MAUI_SR_DO_CANCEL, ""}},
	{"minload@.5;cancel", {MAUI_SR_ON_MINLOAD, 0, 0.5, MAUI_SR_DO_CANCEL, ""}},
	{"minload@0;cancel", {MAUI_SR_ON_MINLOAD, 0, 0, MAUI_SR_DO_CANCEL, ""}},
};

Test(sr_trigger, what_is_right)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		const struct maui_sr_trigger *expected = &good[i].expected;
		struct maui_sr_trigger trigger;
		struct maui_error why = {""};
		size_t at;

		cr_assert_eq(maui_sr_trigger_parse(good[i].text, &trigger, &at, &why), 0, "%s: %s",
			     good[i].text, why.text);
		cr_expect_eq(trigger.event, expected->event, "%s", good[i].text);
		cr_expect_eq(trigger.offset, expected->offset, "%s", good[i].text);
		cr_expect_float_eq(trigger.threshold, expected->threshold, 1e-12, "%s",
				   good[i].text);
		cr_expect_eq(trigger.action, expected->action, "%s", good[i].text);
		cr_expect_str_eq(trigger.data, expected->data, "%s", good[i].text);
	}
}

static const struct {
	const char *text;
	size_t at;
	const char *says;
} bad[] = {
	{"", 0, "begin"},
	{"starts;cancel", 0, "begin"},
	{"+5;cancel", 0, "begin"},
	{"start", 5, "expected"},
	{"start cancel", 5, "expected"},
	{"start;", 6, "action"},
	{"start;cancels", 6, "action"},
	{"start;mail@/a", 6, "action"},
	{"start+;cancel", 6, "offset"},
	{"start+x;cancel", 6, "offset"},
	{"start+-5;cancel", 6, "offset"},
	{"start+1:2:3:4;cancel", 13, "offset"},
	{"start+99999999999999999999;cancel", 14, "offset"},
	{"start+9000:00:00;cancel", 16, "offset"},
	{"start@0.5;cancel", 5, "threshold"},
	{"minload;cancel", 7, "threshold"},
	{"minload@;cancel", 8, "number"},
	{"minload@.;cancel", 9, "number"},
	{"minload@-1;cancel", 8, "number"},
	{"minload@101;cancel", 11, "100 percent"},
	{"minload@nan;cancel", 8, "number"},
	{"start;cancel@/a", 12, "nothing"},
	{"start;exec", 10, "absolute"},
	{"start;exec@", 10, "absolute"},
	{"start;exec@mail", 10, "absolute"},
	{"start;submit@job.sh", 12, "absolute"},
};

Test(sr_trigger, what_is_wrong_and_where)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct maui_sr_trigger trigger = {.offset = 77};
		struct maui_error why = {""};
		size_t at = 999;

		cr_expect_eq(maui_sr_trigger_parse(bad[i].text, &trigger, &at, &why), -EINVAL, "%s",
			     bad[i].text);
		cr_expect_eq(at, bad[i].at, "%s: %zu", bad[i].text, at);
		cr_expect(strstr(why.text, bad[i].says), "%s: %s", bad[i].text, why.text);
		cr_expect_eq(trigger.offset, 77);
	}
}

Test(sr_trigger, there_are_limits)
{
	char text[MAUI_SR_TRIGGER_MAX_TEXT + 2] = "start;exec@/a";
	struct maui_sr_trigger trigger;
	struct maui_error why;
	size_t at;

	memset(text + 13, 'a', sizeof(text) - 14);
	text[sizeof(text) - 1] = '\0';
	cr_expect_eq(maui_sr_trigger_parse(text, &trigger, &at, &why), -EINVAL);
	text[sizeof(text) - 2] = '\0';
	cr_expect_eq(maui_sr_trigger_parse(text, &trigger, &at, &why), 0);
	for (size_t i = 13; i < 13 + 2 * MAUI_SR_TRIGGER_MAX_WORDS; i += 2)
		text[i] = ' ';
	text[13 + 2 * (MAUI_SR_TRIGGER_MAX_WORDS - 1)] = '\0';
	cr_expect_eq(maui_sr_trigger_parse(text, &trigger, &at, &why), 0);
	text[13 + 2 * (MAUI_SR_TRIGGER_MAX_WORDS - 1)] = ' ';
	cr_expect_eq(maui_sr_trigger_parse(text, &trigger, &at, &why), -EINVAL);
}

Test(sr_trigger, words_are_between_blanks)
{
	const char *at = "  /a\t'b  c'  ";
	size_t size;
	const char *word = maui_sr_trigger_word(&at, &size);

	cr_expect(size == 2 && !strncmp(word, "/a", 2));
	word = maui_sr_trigger_word(&at, &size);
	cr_expect(size == 2 && !strncmp(word, "'b", 2));
	word = maui_sr_trigger_word(&at, &size);
	cr_expect(size == 2 && !strncmp(word, "c'", 2));
	cr_expect_null(maui_sr_trigger_word(&at, &size));
}

Test(sr_trigger, everything_has_a_name)
{
	cr_expect_str_eq(maui_sr_event_name(MAUI_SR_ON_MINLOAD), "minload");
	cr_expect_str_eq(maui_sr_event_name(MAUI_SR_ON_NOTHING), "none");
	cr_expect_str_eq(maui_sr_trigger_action_name(MAUI_SR_DO_SUBMIT), "submit");
}
