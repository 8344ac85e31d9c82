/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Out of memory at every allocation: the linker redirects the core's allocations to here. */
#include "config_test.h"

#include <errno.h>

#include "common/config/objects.h"
#include "testsuite/unit/short_allocator.h"

static int read_included(void *context, const char *path, const char *including, char **ret_text,
			 size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	char *text = __wrap_malloc(1);

	if (!text)
		return -ENOMEM;
	*text = '\0';
	*ret_text = text;
	*ret_size = 0;
	*ret_trusted = false;
	return 0;
}

/* Some of everything, and much of what grows. */
static char *make_text(void)
{
	static const char lines[] = "FSWEIGHT[a] 1\nADMIN1 a b c d e f\nSRCFG[x] "
				    "USERLIST=a,b,c,d,e TIMELIMIT<=1:00:00* "
				    "TRIGGER=start;cancel\nSRCFG[x] USERLIST=f "
				    "RESOURCES=PROCS:1;MEM:2 DAYS=Mon,Tue FLAGS=BYNAME\n"
				    "MAXJOBPERUSERCOUNT 3\nSRMAXTIME[a] 5\nQOSPRIORITY 3\nBOGUS "
				    "1\nUSERCFG[a] MAXJOB[USER:b]=3 X=1 MAXGRES[gpu,USER:b]=3\n"
				    "NODECFG[n] MAXGRES[gpu]=1\nPEGRES[gpu] 1\nGRESWEIGHT[tape] 2\n"
				    "FSPOLICY DEDICATEDGRES[gpu:a]\n"
				    "#INCLUDE a\n#INCLUDE b\nUSERCFG[b] QLIST=a b \\\n c\n";
	char *text = __real_malloc(400000);
	size_t used = sprintf(text, "%s", lines);

	for (int i = 0; i < 3000; i++)
		used += sprintf(text + used, "USERCFG[user%d] PRIORITY=%d QLIST=a,b,c FSTARGET=x\n",
				i, i);
	return text;
}

Test(memory, a_shortage_anywhere_is_an_error_without_effect)
{
	struct maui_reader reader = {.read = read_included, .record = true};
	struct maui_error error;
	char *text = make_text();
	size_t total;
	struct maui_config untouched, *config;

	shortage_begin(0, false);
	cr_assert_eq(maui_config_parse("m", text, strlen(text), &reader, &config, &error), 0);
	total = shortage_end();
	cr_expect_gt(total, 20);
	maui_config_unref(config);
	for (size_t at = 1; at <= 2 * total; at++) {
		int rc;

		config = &untouched;
		error.text[0] = '\0';
		shortage_begin(at > total ? at - total : at, at > total);
		rc = maui_config_parse("m", text, strlen(text), &reader, &config, &error);
		shortage_end();
		cr_expect_eq(rc, -ENOMEM, "allocation %zu of %zu: %d", at, total, rc);
		cr_expect_eq(config, &untouched);
		cr_expect(strstr(error.text, "no memory"), "%s", error.text);
	}
	free(text);
}
