/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints class lists, priority terms and soft and hard limits from the JSON of
 * nodes and partitions, in Maui's notation.
 */
#include "contribs/maui/lib/node_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/lib/output.h"

#define MAX_AMOUNT (INT64_C(1) << 40)

void print_padded(const char *text, int width)
{
	char buffer[512];

	printf("%*s", width, clean_copy(text, buffer, sizeof(buffer)));
}

/* Appends to the buffer; what does not fit is cut. */
static void node_text_append(char *buffer, size_t size, const char *text)
{
	size_t length = strlen(buffer);

	snprintf(buffer + length, size - length, "%s", text);
}

static const char *text_at(struct json_object *array, size_t index)
{
	struct json_object *value = json_object_array_get_idx(array, index);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

const char *bracketed(struct json_object *array, char *buffer, size_t size)
{
	*buffer = '\0';
	for (size_t i = 0; i < array_size(array); i++) {
		node_text_append(buffer, size, "[");
		node_text_append(buffer, size, text_at(array, i));
		node_text_append(buffer, size, "]");
	}
	if (!*buffer)
		node_text_append(buffer, size, "[NONE]");
	clean_text(buffer);
	return buffer;
}

const char *class_text(struct json_object *node, char separator, char *buffer, size_t size)
{
	struct json_object *classes = member_array(node, "classes");
	char procs[64];

	snprintf(procs, sizeof(procs), "%c%" PRId64 ":%" PRId64 "]", separator,
		 amount_of(node, "available", "procs"), amount_of(node, "configured", "procs"));
	*buffer = '\0';
	for (size_t i = 0; i < array_size(classes); i++) {
		node_text_append(buffer, size, "[");
		node_text_append(buffer, size, text_at(classes, i));
		node_text_append(buffer, size, procs);
	}
	if (!*buffer)
		node_text_append(buffer, size, "[NONE]");
	clean_text(buffer);
	return buffer;
}

static void print_signed(double number, const char *gap)
{
	printf("%s%s %.10g", gap, number < 0 ? "-" : "+", number < 0 ? -number : number);
}

void print_terms(struct json_object *object)
{
	struct json_object *terms = member_array(object, "terms");
	double constant = member_number(object, "constant");
	const char *gap = "";

	for (size_t i = 0; i < array_size(terms); i++) {
		struct json_object *term = json_object_array_get_idx(terms, i);

		print_signed(member_number(term, "coefficient"), gap);
		putchar('*');
		print_clean(member_text(term, "component"));
		/* + 0: no "-0" */
		printf("(%.10g)=%.10g", member_number(term, "factor"),
		       member_number(term, "product") + 0);
		gap = " ";
	}
	if (constant != 0 || !array_size(terms))
		print_signed(constant, gap);
}

void print_limits(struct json_object *limits)
{
	const char *gap = "";

	for (size_t i = 0; i < array_size(limits); i++) {
		struct json_object *limit = json_object_array_get_idx(limits, i);
		double soft = member_number(limit, "soft"), hard = member_number(limit, "hard");

		fputs(gap, stdout);
		print_clean(member_text(limit, "name"));
		if (soft != hard)
			printf("=%.10g,%.10g", soft, hard);
		else
			printf("=%.10g", hard);
		gap = " ";
	}
	if (!array_size(limits))
		fputs("[NONE]", stdout);
}

int64_t amount_of(struct json_object *node, const char *which, const char *resource)
{
	int64_t amount = member_integer(member_object(node, which), resource);

	return amount < 0 ? 0 : amount > MAX_AMOUNT ? MAX_AMOUNT : amount;
}
