/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "common/util/credential.h"
#include "common/util/error.h"

Test(error, returns_the_negative_code_and_keeps_the_text)
{
	struct maui_error error;

	cr_expect_eq(maui_error_set(&error, EINVAL, "%s is %d", "it", 7), -EINVAL);
	cr_expect_str_eq(error.text, "it is 7");
	cr_expect_eq(maui_error_set(&error, ENOMEM, "short"), -ENOMEM);
	cr_expect_str_eq(error.text, "short", "the new text takes the place of the old one");
}

Test(error, may_go_nowhere)
{
	cr_expect_eq(maui_error_set(NULL, ERANGE, "%s", "unheard"), -ERANGE);
}

Test(error, cuts_a_text_that_is_too_long_and_ends_it)
{
	struct maui_error error;
	char text[2 * sizeof(error.text)];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	cr_expect_eq(maui_error_set(&error, E2BIG, "%s", text), -E2BIG);
	cr_expect_eq(strlen(error.text), sizeof(error.text) - 1);
	cr_expect_eq(strncmp(error.text, text, sizeof(error.text) - 1), 0);
}

Test(credential, has_a_name_for_every_type_and_a_word_for_anything_else)
{
	cr_expect_str_eq(maui_credential_name(MAUI_USER), "user");
	cr_expect_str_eq(maui_credential_name(MAUI_GROUP), "group");
	cr_expect_str_eq(maui_credential_name(MAUI_ACCOUNT), "account");
	cr_expect_str_eq(maui_credential_name(MAUI_QOS), "qos");
	cr_expect_str_eq(maui_credential_name(MAUI_CLASS), "class");
	cr_expect_str_eq(maui_credential_name(MAUI_CREDENTIALS), "credential");
	cr_expect_str_eq(maui_credential_name((enum maui_credential) - 1), "credential");
}
