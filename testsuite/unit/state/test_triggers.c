/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When triggers go off, and what is remembered of it: written and read back, or refused as a whole.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/triggers.h"

static struct maui_fired fired;

static void teardown(void)
{
	maui_fired_clear(&fired);
}

TestSuite(triggers, .fini = teardown);

static struct maui_sr_trigger at(enum maui_sr_event event, int64_t offset)
{
	return (struct maui_sr_trigger){.event = event, .offset = offset, .data = ""};
}

static int64_t when(const struct maui_fired_trigger *one, enum maui_sr_event event, int64_t offset)
{
	struct maui_sr_trigger trigger = at(event, offset);

	return maui_fired_when(one, &trigger);
}

Test(triggers, events_have_their_time)
{
	struct maui_fired_trigger one = {.made = 1000, .start = 5000, .end = 9000};

	cr_expect_eq(when(&one, MAUI_SR_ON_CREATE, 0), 1000);
	cr_expect_eq(when(&one, MAUI_SR_ON_CREATE, 30), 1030);
	cr_expect_eq(when(&one, MAUI_SR_ON_START, 0), 5000);
	cr_expect_eq(when(&one, MAUI_SR_ON_MINLOAD, 60), 5060);
	cr_expect_eq(when(&one, MAUI_SR_ON_END, 0), 9000);
	cr_expect_eq(when(&one, MAUI_SR_ON_END, 7), 9007);
	cr_expect_eq(when(&one, MAUI_SR_ON_NOTHING, 0), INT64_MAX);
	cr_expect_eq(when(&one, MAUI_SR_ON_START, 3999), 8999);
	cr_expect_eq(when(&one, MAUI_SR_ON_START, 4000), INT64_MAX); /* it has ended by then */
	one.made = 6000; /* made in the middle of its window */
	cr_expect_eq(when(&one, MAUI_SR_ON_START, 5), 6005);
	one.end = MAUI_SR_FOREVER;
	cr_expect_eq(when(&one, MAUI_SR_ON_END, 0), INT64_MAX);
}

/* Times that no line can hold become the nearest that it can. */
Test(triggers, what_is_written_can_be_read_again_whatever_the_clock_said)
{
	struct maui_fired again = {0};
	struct maui_error why = {""};
	char *text;
	size_t size;

	*maui_fired_add(&fired, "x.0") = (struct maui_fired_trigger){
		.name = "x.0", .made = -5, .start = INT64_MIN, .end = INT64_MAX};
	maui_fired_format(&fired, &text, &size);
	cr_assert_eq(maui_fired_parse(text, size, &again, &why), 0, "%s", why.text);
	cr_assert_eq(again.count, 1);
	cr_expect_eq(again.list[0].made, 0);
	cr_expect_eq(again.list[0].start, 0);
	cr_expect_eq(again.list[0].end, INT64_C(253402300799));
	maui_fired_clear(&again);
	free(text);
}

Test(triggers, once_is_once_for_each_event)
{
	struct maui_fired_trigger one = {.made = 1000, .start = 5000, .end = 9000};

	one.fired |= maui_fired_bit(MAUI_SR_ON_START);
	cr_expect_eq(when(&one, MAUI_SR_ON_START, 0), INT64_MAX);
	cr_expect_eq(when(&one, MAUI_SR_ON_END, 0), 9000);
	cr_expect_eq(when(&one, MAUI_SR_ON_CREATE, 0), 1000);
	cr_expect_eq(maui_fired_bit(MAUI_SR_ON_NOTHING), 0);
	cr_expect_eq(maui_fired_bit(MAUI_SR_EVENTS), 0);
}

Test(triggers, names_are_found_until_nothing_can_happen_to_them)
{
	static const char *const names[] = {"m.inf", "a.20260101", "z.inf", "b.20260102"};
	const int64_t late = 1000 + MAUI_FIRED_REMEMBERED + 60;

	for (size_t i = 0; i < 4; i++) {
		struct maui_fired_trigger *one = maui_fired_add(&fired, names[i]);

		cr_assert_not_null(one);
		one->end = i == 1 ? 1000 : 2000;
		one->offset = 60;
	}
	cr_assert_eq(maui_fired_add(&fired, "m.inf"), maui_fired_find(&fired, "m.inf"));
	cr_assert_eq(fired.count, 4);
	for (size_t i = 1; i < 4; i++)
		cr_expect_lt(strcmp(fired.list[i - 1].name, fired.list[i].name), 0);
	cr_expect(!maui_fired_tidy(&fired, late - 1));
	cr_expect(maui_fired_tidy(&fired, late));
	cr_expect_null(maui_fired_find(&fired, "a.20260101"));
	maui_fired_find(&fired, "z.inf")->there = true;
	cr_expect(maui_fired_tidy(&fired, late + 5000));
	cr_expect_eq(fired.count, 1);
	cr_expect_not_null(maui_fired_find(&fired, "z.inf"));
	cr_expect_null(maui_fired_add(&fired, ""));
	cr_expect_null(maui_fired_add(&fired, "a b"));
	cr_expect_null(maui_fired_add(&fired, "a,b"));
}

Test(triggers, what_is_written_is_read)
{
	struct maui_fired again;
	struct maui_error why = {""};
	struct maui_fired_trigger *one = maui_fired_add(&fired, "night.20261120");
	char *text;
	size_t size;

	one->fired = maui_fired_bit(MAUI_SR_ON_START) | maui_fired_bit(MAUI_SR_ON_MINLOAD);
	one->made = 1;
	one->start = 2;
	one->end = 3;
	maui_fired_add(&fired, "day.inf")->end = MAUI_SR_FOREVER;
	maui_fired_format(&fired, &text, &size);
	cr_assert(strstr(text, "\ntrigger 10 1 2 3 night.20261120\n"));
	cr_assert_eq(maui_fired_parse(text, size, &again, &why), 0, "%s", why.text);
	cr_assert_eq(again.count, 2);
	one = maui_fired_find(&again, "night.20261120");
	cr_expect(one->fired == 10 && one->made == 1 && one->start == 2 && one->end == 3);
	cr_expect_eq(maui_fired_find(&again, "day.inf")->end, MAUI_SR_FOREVER);
	maui_fired_clear(&again);
	free(text);
}
