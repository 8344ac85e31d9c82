/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as TRIGGER: rejected with a place and a reason, or all its parts within their limits.
 */
#include <errno.h>
#include <string.h>

#include "common/policy/reservation/sr_trigger.h"
#include "testsuite/fuzz/require.h"

static void check_words(const char *at)
{
	const char *end = at + strlen(at), *word;
	size_t words = 0, size;

	while ((word = maui_sr_trigger_word(&at, &size))) {
		REQUIRE(size && word + size == at && at <= end);
		words++;
	}
	REQUIRE(words && words <= MAUI_SR_TRIGGER_MAX_WORDS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct maui_sr_trigger trigger;
	struct maui_error error = {""};
	char *text = malloc(size + 1);
	size_t at = SIZE_MAX;

	REQUIRE(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (maui_sr_trigger_parse(text, &trigger, &at, &error)) {
		REQUIRE(at <= strlen(text) && *error.text);
	} else {
		REQUIRE(trigger.event > MAUI_SR_ON_NOTHING && trigger.event < MAUI_SR_EVENTS);
		REQUIRE(trigger.offset >= 0 && trigger.offset <= MAUI_SR_TRIGGER_MAX_OFFSET);
		REQUIRE(trigger.threshold >= 0 && trigger.threshold <= 1);
		REQUIRE(!*trigger.data == (trigger.action == MAUI_SR_DO_CANCEL));
		if (trigger.action == MAUI_SR_DO_EXEC)
			check_words(trigger.data);
	}
	free(text);
	return 0;
}
