/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/reservation/sr_window.h"
#include "testsuite/unit/policy/reservation/reservation_fixture.h"

#define NOON INT64_C(1700049600) /* Wednesday 2023-11-15, 12:00 UTC */
#define HOUR INT64_C(3600)
#define DAY  (24 * HOUR)

struct window_case {
	const char *zone, *lines;
	int64_t now, index;
	enum maui_sr_need need;
	int64_t date, start, end;
};

static const struct window_case cases[] = {
	{"UTC", "", NOON, 0, MAUI_SR_WANTED, 20231115, NOON - 12 * HOUR, NOON + 12 * HOUR},
	{"UTC", "", NOON, 1, MAUI_SR_WANTED, 20231116, NOON + 12 * HOUR, NOON + 36 * HOUR},
	{"UTC", "", NOON, -1, MAUI_SR_NOT_NEEDED, 20231114, 0, 0},
	{"UTC", "STARTTIME=9:00:00 ENDTIME=17:00:00", NOON, 0, MAUI_SR_WANTED, 20231115,
	 NOON - 3 * HOUR, NOON + 5 * HOUR},
	{"UTC", "STARTTIME=9:00:00 ENDTIME=12:00:00", NOON, 0, MAUI_SR_EMPTY, 20231115,
	 NOON - 3 * HOUR, NOON},
	{"UTC", "STARTTIME=9:00:00 ENDTIME=11:00:00", NOON, 0, MAUI_SR_NOT_NEEDED, 20231115, 0, 0},
	{"UTC", "DAYS=WED,FRI", NOON, 0, MAUI_SR_WANTED, 20231115, NOON - 12 * HOUR,
	 NOON + 12 * HOUR},
	{"UTC", "DAYS=WED,FRI", NOON, 1, MAUI_SR_NOT_NEEDED, 20231116, 0, 0},
	{"UTC", "DAYS=WED,FRI", NOON, 2, MAUI_SR_WANTED, 20231117, NOON + 36 * HOUR,
	 NOON + 60 * HOUR},
	/* Past midnight: yesterday's is still open. */
	{"UTC", "STARTTIME=20:00:00 ENDTIME=1:13:00:00", NOON, -1, MAUI_SR_WANTED, 20231114,
	 NOON - 16 * HOUR, NOON + HOUR},
	{"UTC", "STARTTIME=20:00:00 ENDTIME=1:13:00:00", NOON, -2, MAUI_SR_NOT_NEEDED, 20231113, 0,
	 0},
	/* Weeks begin on Sunday. */
	{"UTC", "PERIOD=WEEK", NOON, 0, MAUI_SR_WANTED, 20231112, NOON - 84 * HOUR,
	 NOON + 84 * HOUR},
	{"UTC", "PERIOD=WEEK STARTTIME=1:08:00:00 ENDTIME=5:17:00:00", NOON, 1, MAUI_SR_WANTED,
	 20231119, NOON + 84 * HOUR + 32 * HOUR, NOON + 84 * HOUR + 5 * DAY + 17 * HOUR},
	{"UTC", "PERIOD=WEEK STARTTIME=0 ENDTIME=2:00:00:00", NOON, 0, MAUI_SR_NOT_NEEDED, 20231112,
	 0, 0},
	{"UTC", "PERIOD=INFINITY", NOON, 0, MAUI_SR_WANTED, 0, 0, MAUI_SR_FOREVER},
	{"UTC", "PERIOD=INFINITY", NOON, 1, MAUI_SR_NOT_NEEDED, 0, 0, 0},
	/* Clocks go forward on 2024-03-31, back on 2024-10-27. */
	{"Europe/Berlin", "STARTTIME=9:00:00 ENDTIME=17:00:00", 1711839600, 0, MAUI_SR_WANTED,
	 20240331, 1711868400, 1711868400 + 8 * HOUR},
	{"Europe/Berlin", "", 1711839600, 0, MAUI_SR_WANTED, 20240331, 1711839600,
	 1711839600 + 23 * HOUR},
	{"Europe/Berlin", "", 1729980000, 0, MAUI_SR_WANTED, 20241027, 1729980000,
	 1729980000 + 25 * HOUR},
	{"Europe/Berlin", "ENDTIME=2:15:00", 1711839600, 0, MAUI_SR_WANTED, 20240331, 1711839600,
	 1711846800},
	{"Europe/Berlin", "STARTTIME=2:15:00 ENDTIME=2:45:00", 1711839600, 0, MAUI_SR_EMPTY,
	 20240331, 1711846800, 1711846800},
	{"Europe/Berlin", "PERIOD=WEEK", 1711753200, 0, MAUI_SR_WANTED, 20240324, 1711234800,
	 1711839600},
	{"Europe/Berlin", "PERIOD=WEEK", 1711753200, 1, MAUI_SR_WANTED, 20240331, 1711839600,
	 1711839600 + 167 * HOUR},
	{"Australia/Lord_Howe", "", 1728135000, 0, MAUI_SR_WANTED, 20241006, 1728135000,
	 1728219600},
	/* WENDTIME of daily ones: D-RSV-12. */
	{"UTC", "WENDTIME=3:11:00:00", NOON, 0, MAUI_SR_NOT_NEEDED, 20231115, 0, 0},
	{"UTC", "ENDTIME=17:00:00 WENDTIME=3:11:00:00", NOON, 0, MAUI_SR_NOT_NEEDED, 20231115, 0,
	 0},
	{"UTC", "WENDTIME=3:15:00:00", NOON, 0, MAUI_SR_WANTED, 20231115, NOON - 12 * HOUR,
	 NOON + 3 * HOUR},
	/* UNTIL ends the open window, and none begins after it. */
	{"UTC", "UNTIL=2023-11-15", NOON, 0, MAUI_SR_WANTED, 20231115, NOON - 12 * HOUR,
	 NOON + 12 * HOUR},
	{"UTC", "UNTIL=2023-11-15", NOON, 1, MAUI_SR_NOT_NEEDED, 20231116, 0, 0},
	{"UTC", "UNTIL=2023-11-15_15:30:00", NOON, 0, MAUI_SR_WANTED, 20231115, NOON - 12 * HOUR,
	 NOON + 3 * HOUR + HOUR / 2},
	{"UTC", "UNTIL=2023-11-15_12:00:00", NOON, 0, MAUI_SR_EMPTY, 20231115, NOON - 12 * HOUR,
	 NOON},
	{"UTC", "UNTIL=2023-11-15_11:00:00", NOON, 0, MAUI_SR_NOT_NEEDED, 20231115, 0, 0},
	{"UTC", "UNTIL=2023-11-15_11:00:00", NOON, 1, MAUI_SR_NOT_NEEDED, 20231116, 0, 0},
	{"UTC", "UNTIL=2023-11-14", NOON, 0, MAUI_SR_NOT_NEEDED, 20231115, 0, 0},
	{"UTC", "STARTTIME=9:00:00 ENDTIME=17:00:00 UNTIL=2023-11-15_18:00:00", NOON, 0,
	 MAUI_SR_WANTED, 20231115, NOON - 3 * HOUR, NOON + 5 * HOUR},
	{"UTC", "STARTTIME=13:00:00 UNTIL=2023-11-15_13:00:00", NOON, 0, MAUI_SR_NOT_NEEDED,
	 20231115, 0, 0},
	{"UTC", "STARTTIME=20:00:00 ENDTIME=1:14:00:00 UNTIL=2023-11-15_13:00:00", NOON, -1,
	 MAUI_SR_WANTED, 20231114, NOON - 16 * HOUR, NOON + HOUR},
	{"UTC", "PERIOD=WEEK UNTIL=2023-11-16", NOON, 0, MAUI_SR_WANTED, 20231112, NOON - 84 * HOUR,
	 NOON + 36 * HOUR},
	{"UTC", "PERIOD=WEEK UNTIL=2023-11-18", NOON, 1, MAUI_SR_NOT_NEEDED, 20231119, 0, 0},
	{"UTC", "PERIOD=INFINITY UNTIL=2023-11-16", NOON, 0, MAUI_SR_WANTED, 0, 0,
	 NOON + 36 * HOUR},
	{"UTC", "PERIOD=INFINITY UNTIL=2023-11-15_12:00:00", NOON, 0, MAUI_SR_NOT_NEEDED, 0, 0, 0},
	{"UTC", "PERIOD=INFINITY UNTIL=2099-12-31", NOON, 0, MAUI_SR_WANTED, 0, 0, MAUI_SR_FOREVER},
	{"Europe/Berlin", "UNTIL=2024-03-31", 1711839600, 0, MAUI_SR_WANTED, 20240331, 1711839600,
	 1711839600 + 23 * HOUR},
};

Test(sr_window, cases)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct window_case *one = &cases[i];
		struct reservations reservations;
		struct maui_sr_window window;
		const struct maui_sr *sr;
		char lines[256];
		enum maui_sr_need need;

		set_zone(one->zone);
		snprintf(lines, sizeof(lines), "SRCFG[x] TASKCOUNT=1 %s\n", one->lines);
		reservations_open(&reservations, lines);
		sr = maui_sr_find(reservations.settings, "x");
		need = maui_sr_window(sr, one->index, one->now, &window);
		cr_expect(need == one->need && window.date == one->date &&
				  window.start == one->start && window.end == one->end,
			  "%zu: %s %s: %d %lld %lld-%lld", i, one->zone, one->lines, need,
			  (long long)window.date, (long long)window.start, (long long)window.end);
		if (need != MAUI_SR_NOT_NEEDED)
			cr_expect_eq(window.from,
				     one->now > window.start ? one->now : window.start);
		cr_expect_eq(maui_sr_index(sr, one->date, one->now), one->date ? one->index : 0);
		reservations_close(&reservations);
	}
}

/* Each moment of a year is in one daily window, whatever the clocks do. */
Test(sr_window, windows_meet)
{
	static const char *const zones[] = {"Europe/Berlin", "Australia/Lord_Howe",
					    "America/Sao_Paulo", "Pacific/Auckland"};
	const struct maui_sr sr = {.period = MAUI_SR_DAY, .days = 127, .depth = 2};

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		struct maui_sr_window window, next;

		set_zone(zones[i]);
		for (int64_t index = -400; index < 400; index++) {
			maui_sr_window(&sr, index, 0, &window);
			maui_sr_window(&sr, index + 1, 0, &next);
			if (index >= 0)
				cr_assert_eq(window.end, next.start, "%s %lld", zones[i],
					     (long long)index);
		}
	}
}

Test(sr_window, names)
{
	char text[MAUI_SR_INSTANCE_SIZE];
	int64_t date = -1;

	cr_expect_str_eq(maui_sr_instance_name("big", 20231115, text), "big.20231115");
	cr_expect_eq(maui_sr_instance_parse(text, &date), 3);
	cr_expect_eq(date, 20231115);
	cr_expect_str_eq(maui_sr_instance_name("a.b", 0, text), "a.b.inf");
	cr_expect_eq(maui_sr_instance_parse(text, &date), 3);
	cr_expect_eq(date, 0);
	for (const char *const *name =
		     (const char *const[]){"big", ".inf", "big.1", "big.20231301", "big.2023111x",
					   "big.00000000", "big.020231115", "big.", "", NULL};
	     *name; name++)
		cr_expect_eq(maui_sr_instance_parse(*name, &date), 0, "%s", *name);
}

Test(sr_window, indices)
{
	const struct maui_sr day = {.period = MAUI_SR_DAY}, week = {.period = MAUI_SR_WEEK};
	const struct maui_sr ever = {.period = MAUI_SR_INFINITY};

	set_zone("UTC");
	cr_expect_eq(maui_sr_index(&day, 20231117, NOON), 2);
	cr_expect_eq(maui_sr_index(&day, 20231110, NOON), -5);
	cr_expect_eq(maui_sr_index(&week, 20231119, NOON), 1);
	cr_expect_eq(maui_sr_index(&week, 20231105, NOON), -1);
	cr_expect_eq(maui_sr_index(&week, 20231120, NOON), INT64_MIN);
	cr_expect_eq(maui_sr_index(&day, 20231199, NOON), INT64_MIN);
	cr_expect_eq(maui_sr_index(&day, 0, NOON), INT64_MIN);
	cr_expect_eq(maui_sr_index(&ever, 0, NOON), 0);
	cr_expect_eq(maui_sr_index(&ever, 20231115, NOON), INT64_MIN);
}

Test(sr_window, names_of_administrative_ones_are_no_instances)
{
	static const struct {
		const char *name;
		size_t size;
		uint32_t number;
	} tries[] = {{"maint.0", 5, 0},    {"SYSTEM.12", 6, 12},
		     {"a.b.7", 3, 7},      {"x.9999999", 1, 9999999},
		     {"x.10000000", 0, 0}, {"x.20231115", 0, 0},
		     {"x.inf", 0, 0},      {"x.01", 0, 0},
		     {"x.", 0, 0},         {".1", 0, 0},
		     {"x", 0, 0},          {"", 0, 0},
		     {"x.1y", 0, 0},       {"x.-1", 0, 0}};

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		uint32_t number = 0;
		int64_t date;

		cr_expect_eq(maui_sr_once_parse(tries[i].name, &number), tries[i].size, "%s",
			     tries[i].name);
		cr_expect_eq(number, tries[i].number, "%s", tries[i].name);
		if (tries[i].size)
			cr_expect_eq(maui_sr_instance_parse(tries[i].name, &date), 0, "%s",
				     tries[i].name);
	}
}

Test(sr_window, once)
{
	const struct maui_sr sr = {.name = "maint.0",
				   .usable = true,
				   .period = MAUI_SR_ONCE,
				   .depth = 1,
				   .start = NOON,
				   .end = MAUI_SR_FOREVER + 5};
	struct maui_sr_window window;
	char text[MAUI_SR_INSTANCE_SIZE];

	cr_expect_eq(maui_sr_window(&sr, 0, NOON - 10, &window), MAUI_SR_WANTED);
	cr_expect(window.date == 0 && window.start == NOON && window.from == NOON);
	cr_expect_eq(window.end, MAUI_SR_FOREVER);
	cr_expect_eq(maui_sr_window(&sr, 0, NOON + 10, &window), MAUI_SR_WANTED);
	cr_expect(window.start == NOON && window.from == NOON + 10);
	cr_expect_eq(maui_sr_window(&sr, 1, NOON, &window), MAUI_SR_NOT_NEEDED);
	cr_expect_eq(maui_sr_window(&sr, -1, NOON, &window), MAUI_SR_NOT_NEEDED);
	cr_expect_eq(maui_sr_index(&sr, 0, NOON), 0);
	cr_expect_eq(maui_sr_index(&sr, 20231115, NOON), INT64_MIN);
	cr_expect_str_eq(maui_sr_name_at(&sr, 0, text), "maint.0");
}
