/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of an array's tasks, read and written. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/slurm/task_list.h"

static const struct {
	const char *list;
	int64_t count;
	const char *written; /* its tasks, anew */
} lists[] = {
	{"", 0, ""},
	{"7", 1, "7"},
	{"1-3", 3, "1-3"},
	{"0-9:3", 4, "0-9:3"},
	{"1-5:2", 3, "1,3,5"},
	{"4-9,12-20:2%3", 11, "4-9,12-20:2"},
	{"1,2,4,6,8,10,11", 7, "1-2,4-10:2,11"},
	{"13-14,17,20-21", 5, "13-14,17,20-21"},
	{"3,x", 1, "3"},
	{"5-3", 0, ""},
	{"5-9:0", 0, ""},
	{"-3", 0, ""},
	{"4294967294", 0, ""},
	{"99999999999999999999999", 0, ""},
	{"1-3,...", 3, "1-3"},
};

static char *rewritten(const char *list)
{
	struct maui_task_range range;
	uint32_t tasks[64];
	size_t count = 0, size;
	char *text = NULL;
	FILE *file = open_memstream(&text, &size);

	while (maui_task_next(&list, &range))
		for (int64_t task = range.first; task <= range.last; task += range.step)
			tasks[count++] = (uint32_t)task;
	maui_task_list_write(tasks, count, file);
	fclose(file);
	return text;
}

Test(task_list, is_counted_and_written_again)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		char *text = rewritten(lists[i].list);

		cr_expect_eq(maui_task_list_count(lists[i].list, 100), lists[i].count, "%s",
			     lists[i].list);
		cr_expect_str_eq(text, lists[i].written, "%s", lists[i].list);
		free(text);
	}
	cr_expect_eq(maui_task_list_count("0-999999", 1000), 1000);
}

Test(task_list, has_its_tasks)
{
	for (int64_t task = -1; task < 30; task++)
		cr_expect_eq(maui_task_list_has("4-9,12-20:2%3", task),
			     (task >= 4 && task <= 9) ||
				     (task >= 12 && task <= 20 && task % 2 == 0),
			     "%d", (int)task);
}

Test(task_list, two_meet_where_both_have_a_task)
{
	static const char *const steps[] = {"3-40:7",  "1-50:5", "2-4",    "10-30:6",
					    "0-99:11", "41",     "38-60:2"};
	const size_t count = sizeof(steps) / sizeof(steps[0]);

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++) {
			bool meet = false;

			for (int64_t task = 0; task < 100; task++)
				meet |= maui_task_list_has(steps[i], task) &&
					maui_task_list_has(steps[k], task);
			cr_expect_eq(maui_task_lists_meet(steps[i], steps[k]), meet, "%s %s",
				     steps[i], steps[k]);
		}
}

/* No number is cut in two. */
Test(task_list, is_cut_behind_a_range)
{
	static const char list[] = "13-14,17,20-21,311-314";
	char text[sizeof(list)];

	cr_expect_str_eq(maui_task_list_cut(list, text, sizeof(text)), list);
	cr_expect_str_eq(maui_task_list_cut(list, text, sizeof(text) - 1), "13-14,17,20-21,...");
	cr_expect_str_eq(maui_task_list_cut(list, text, 13), "13-14,17,...");
	cr_expect_str_eq(maui_task_list_cut(list, text, 12), "13-14,...");
	cr_expect_str_eq(maui_task_list_cut(list, text, 5), "...");
}
