/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libFuzzer does to JSON texts, separated by 0xff: its own changes of bytes, and changes of
 * members and items.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "testsuite/fuzz/dice.h"

#define SEPARATOR 0xff
#define MAX_NODES 4096

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* A place in a value: an object's member or an array's item. */
struct place {
	struct json_object *holder;
	const char *name; /* of a member; NULL: it is an item */
	size_t index;
};

struct places {
	struct place list[MAX_NODES];
	size_t count;
};

static void find(struct json_object *value, struct places *places)
{
	if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, name, member)
		{
			if (places->count < MAX_NODES)
				places->list[places->count++] =
					(struct place){.holder = value, .name = name};
			find(member, places);
		}
	}
	for (size_t i = 0;
	     json_object_is_type(value, json_type_array) && i < json_object_array_length(value);
	     i++) {
		if (places->count < MAX_NODES)
			places->list[places->count++] = (struct place){.holder = value, .index = i};
		find(json_object_array_get_idx(value, i), places);
	}
}

static struct json_object *get(const struct place *place)
{
	return place->name ? json_object_object_get(place->holder, place->name)
			   : json_object_array_get_idx(place->holder, place->index);
}

static void put(const struct place *place, struct json_object *value)
{
	if (place->name)
		json_object_object_add(place->holder, place->name, value);
	else
		json_object_array_put_idx(place->holder, place->index, value);
}

static struct json_object *some_text(struct dice *dice)
{
	static const char *const texts[] = {
		"",      "n1",       "bob",  "batch", "PENDING", "RUNNING", "1",     "3_4",
		"n[1-",  "\t\n\x01", "ä",    "hi",    "None",    "3_[4-9]", "4-9:2", "x,y",
		"cpu=4", "DOWN",     "IDLE", "%s%n",  "a\\b",    "ALL",     "user",  "-1"};

	return json_object_new_string(texts[roll(dice, sizeof(texts) / sizeof(texts[0]))]);
}

static struct json_object *some_value(struct dice *dice)
{
	static const int64_t numbers[] = {0,         1,          -1,         2,         60,
					  3600,      1700000000, INT64_MAX,  INT64_MIN, UINT32_MAX,
					  INT32_MAX, INT32_MIN,  4294967294, 65534,     1000000};

	switch (roll(dice, 8)) {
	case 0:
		return NULL;
	case 1:
		return json_object_new_boolean((int)roll(dice, 2));
	case 2:
		return json_object_new_double(roll(dice, 2) ? 1e308 : -0.5);
	case 3:
		return json_object_new_object();
	case 4:
		return json_object_new_array();
	case 5:
		return some_text(dice);
	default:
		return json_object_new_int64(
			numbers[roll(dice, sizeof(numbers) / sizeof(numbers[0]))]);
	}
}

/* A copy of some other value, or something new. */
static struct json_object *some_copy(struct dice *dice, const struct places *places)
{
	struct json_object *copy = NULL;

	if (json_object_deep_copy(get(&places->list[roll(dice, places->count)]), &copy, NULL))
		copy = NULL;
	return copy;
}

static void change(struct dice *dice, const struct places *places)
{
	const struct place *place = &places->list[roll(dice, places->count)];
	struct json_object *value = roll(dice, 3) ? some_value(dice) : some_copy(dice, places);

	switch (roll(dice, 4)) {
	case 0: /* delete it */
		json_object_put(value);
		if (place->name)
			json_object_object_del(place->holder, place->name);
		else
			json_object_array_del_idx(place->holder, place->index, 1);
		return;
	case 1: /* duplicate it */
		if (!place->name) {
			json_object_array_add(place->holder, value);
			return;
		}
		break;
	default:
		break;
	}
	put(place, value);
}

/*
 * Changes the JSON text of size bytes; returns its new size, 0 if it is not JSON or there is no
 * room.
 */
static size_t change_text(struct dice *dice, char *text, size_t size, size_t room)
{
	static struct places places;
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *value = json_tokener_parse_ex(tokener, text, (int)size);
	const char *changed;
	size_t length;

	json_tokener_free(tokener);
	/* Each change may remove what contains the places. */
	for (size_t times = 1 + roll(dice, 3); value && times; times--) {
		places.count = 0;
		find(value, &places);
		if (places.count)
			change(dice, &places);
	}
	if (!value)
		return 0;
	changed = json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
	length = strlen(changed);
	if (length > room)
		length = 0;
	memcpy(text, changed, length);
	json_object_put(value);
	return length;
}

/* The beginning of some text: after the first byte or after a separator. */
static size_t some_text_of(struct dice *dice, const uint8_t *data, size_t size)
{
	size_t begin = 1 + roll(dice, size - 1);

	while (begin > 1 && data[begin - 1] != SEPARATOR)
		begin--;
	/* An answer begins with another line. */
	while (begin > 1 && begin < size && data[begin] != '{')
		begin++;
	return begin;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	struct dice dice = dice_of(seed);
	size_t begin, end, changed;
	char *text;

	if (size < 4 || !roll(&dice, 6))
		return LLVMFuzzerMutate(data, size, max_size);
	if (!roll(&dice, 8)) {
		data[0] = (uint8_t)roll(&dice, 256);
		return size;
	}
	begin = some_text_of(&dice, data, size);
	for (end = begin; end < size && data[end] != SEPARATOR;)
		end++;
	text = malloc(max_size);
	if (!text)
		return size;
	memcpy(text, data + begin, end - begin);
	changed = change_text(&dice, text, end - begin, max_size - size + (end - begin));
	if (changed) {
		memmove(data + begin + changed, data + end, size - end);
		memcpy(data + begin, text, changed);
		size += changed - (end - begin);
	}
	free(text);
	return changed ? size : LLVMFuzzerMutate(data, size, max_size);
}
