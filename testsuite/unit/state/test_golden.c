/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every state file byte for byte: what earlier programs wrote is read, and written the same. Each
 * text has every kind of line, and the least and greatest numbers.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/admin_rsv.h"
#include "common/state/idle_charges.h"
#include "common/state/jobs.h"
#include "common/state/known_names.h"
#include "common/state/node_usage.h"
#include "common/state/reclaims.h"
#include "common/state/rsv_names.h"
#include "common/state/triggers.h"

/* Read and written again; NULL: it was not read. */
#define AGAIN(name, prefix, type)                                                                  \
	static char *name##_again(const char *text, size_t size, size_t *ret_size,                 \
				  struct maui_error *why)                                          \
	{                                                                                          \
		type state = {0};                                                                  \
		char *again = NULL;                                                                \
                                                                                                   \
		if (!prefix##_parse(text, size, &state, why))                                      \
			prefix##_format(&state, &again, ret_size);                                 \
		prefix##_clear(&state);                                                            \
		return again;                                                                      \
	}

AGAIN(idle, maui_idle_charges, struct maui_idle_charges)
AGAIN(jobs, maui_jobstate, struct maui_jobstate)
AGAIN(reclaims, maui_reclaims, struct maui_reclaims)
AGAIN(reservations, maui_rsv_names, struct maui_rsv_names)
AGAIN(setres, maui_admin_rsvs, struct maui_admin_rsvs)
AGAIN(triggers, maui_fired, struct maui_fired)

static char *names_again(const char *text, size_t size, size_t *ret_size, struct maui_error *why)
{
	struct maui_known_names *known = NULL;
	char *again = NULL;

	if (!maui_known_names_parse(text, size, &known, why))
		maui_known_names_format(&known, &again, ret_size);
	maui_known_names_free(known);
	return again;
}

static char *nodes_again(const char *text, size_t size, size_t *ret_size, struct maui_error *why)
{
	struct maui_node_usage *usage = NULL;
	char *again = NULL;

	if (!maui_node_usage_parse(text, size, &usage, why))
		maui_node_usage_format(&usage, &again, ret_size);
	maui_node_usage_free(usage);
	return again;
}

static const struct {
	const char *name;
	char *(*again)(const char *text, size_t size, size_t *ret_size, struct maui_error *why);
	const char *text;
} files[] = {
	{"setres", setres_again,
	 "slurm-maui setres 1\n"
	 "setres 0 1795329044 1795332644 1795311044 0 4 SYSTEM.0 TASKCOUNT=2\n"
	 "setres 3 0 2139999999 253402300799 4294967295 4294967295 maint.1 USERLIST=alice:bob- "
	 "HOSTLIST=n[1-2]\n"
	 "end 3 aae962c7a8ab3a80\n"},
	{"idle", idle_again,
	 "slurm-maui idle 1\n"
	 "idle account 1700000000 1700000060 480000 jupiter\n"
	 "idle user 0 1 1 1005\n"
	 "idle class 5 253402300799 100000000000000000 a name with blanks\n"
	 "end 4 c50e7ce950a4b8e4\n"},
	{"jobs", jobs_again,
	 "slurm-maui jobs 2\n"
	 "counted 1700000100\n"
	 "start 8 1700000100\n"
	 "start 4294967295 253402300799\n"
	 "qos 9 1700000090 4294967295\n"
	 "job 7 1700000000 1700000050 3\n"
	 "job 4294967295 0 253402300799 4294967295\n"
	 "end 7 411ead85921a7137\n"},
	{"names", names_again,
	 "slurm-maui names 1\n"
	 "user 1005 robert\n"
	 "uid 1005 bob\n"
	 "group 4294967294 admins\n"
	 "gid 100 domain users\n"
	 "end 5 99a6a7da6792f45e\n"},
	{"nodes", nodes_again,
	 "slurm-maui nodes 1\n"
	 "node n1 86400 64800\n"
	 "node n2 253402300799 0\n"
	 "end 3 f6c00a2853d33dfe\n"},
	{"reclaims", reclaims_again,
	 "slurm-maui reclaims 1\n"
	 "reclaim account 17 1700000000 1700000160 0 n[1-3] jupiter\n"
	 "reclaim user 4294967295 0 253402300799 1 a,b[01-20] a name with blanks\n"
	 "end 3 7007c8fe7a740869\n"},
	{"reservations", reservations_again,
	 "slurm-maui reservations 1\n"
	 "reservation 0 night.20261120\n"
	 "reservation 1 night.20261121\n"
	 "reservation 2 once.inf\n"
	 "reservation 7 two.inf\n"
	 "end 5 0162004c4d28da09\n"},
	{"triggers", triggers_again,
	 "slurm-maui triggers 1\n"
	 "trigger 2 1795132800 1795204800 1795237200 night.20261120\n"
	 "trigger 15 0 253402300799 253402300799 night.20261121\n"
	 "end 3 287e69b4b629f176\n"},
};

Test(golden, every_file_is_written_as_it_was_read)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct maui_error why = {""};
		size_t size = strlen(files[i].text), again_size = 0;
		char *again = files[i].again(files[i].text, size, &again_size, &why);

		cr_assert_not_null(again, "%s: %s", files[i].name, why.text);
		cr_expect(again_size == size && !memcmp(again, files[i].text, size), "%s: %.*s",
			  files[i].name, (int)again_size, again);
		free(again);
	}
}
