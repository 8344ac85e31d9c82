/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints Kendall's tau-b with the pairs that it comes from. */
#include "contribs/maui/lib/alike_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/report/json.h"

const char *grouped(int64_t number, char text[GROUPED_SIZE])
{
	char digits[GROUPED_SIZE];
	size_t size, at = 0;

	snprintf(digits, sizeof(digits), "%" PRIu64,
		 number < 0 ? -(uint64_t)number : (uint64_t)number);
	size = strlen(digits);
	if (number < 0)
		text[at++] = '-';
	for (size_t i = 0; i < size; i++) {
		text[at++] = digits[i];
		if (i + 1 < size && (size - i - 1) % 3 == 0)
			text[at++] = ',';
	}
	text[at] = '\0';
	return text;
}

static void print_undefined(const struct maui_kendall *kendall, const char *first,
			    const char *second)
{
	if (!kendall->pairs)
		printf("Kendall's tau-b: not defined, since there are no two jobs to compare\n");
	else
		printf("Kendall's tau-b: not defined, since all priorities of %s are equal\n",
		       kendall->tied_first == kendall->pairs ? first : second);
}

void print_alike(const struct maui_kendall *kendall, const char *first, const char *second)
{
	uint64_t one_side = kendall->tied_first + kendall->tied_second - 2 * kendall->tied_both;
	char some[GROUPED_SIZE], all[GROUPED_SIZE];

	if (!kendall->defined)
		print_undefined(kendall, first, second);
	else
		printf("Kendall's tau-b: %.4f (1: the same order, -1: the reverse)\n",
		       kendall->tau);
	if (!kendall->pairs)
		return;
	printf("In another order: %s of %s pairs of jobs, %.2f%%\n",
	       grouped((int64_t)kendall->other, some), grouped((int64_t)kendall->pairs, all),
	       (double)kendall->other / (double)kendall->pairs * 100);
	if (one_side)
		printf("Equal on one side alone: %s of them, %.2f%%\n",
		       grouped((int64_t)one_side, some),
		       (double)one_side / (double)kendall->pairs * 100);
}

struct json_object *alike_object(const struct maui_kendall *kendall, size_t jobs)
{
	struct json_object *object = json_make_object();

	json_set_number(object, "jobs", (int64_t)jobs);
	json_set_number(object, "pairs", (int64_t)kendall->pairs);
	json_set_number(object, "other_order", (int64_t)kendall->other);
	json_set_number(object, "equal_first", (int64_t)kendall->tied_first);
	json_set_number(object, "equal_second", (int64_t)kendall->tied_second);
	json_set(object, "tau_b", kendall->defined ? json_make_real(kendall->tau) : NULL);
	return object;
}
