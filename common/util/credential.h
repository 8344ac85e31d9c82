/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The five kinds of credential that all of Maui's policies are written in terms of. In Slurm: the
 * job's uid, its gid, its account, its QOS and its partition.
 */
#ifndef MAUI_UTIL_CREDENTIAL_H
#define MAUI_UTIL_CREDENTIAL_H

enum maui_credential {
	MAUI_USER,
	MAUI_GROUP,
	MAUI_ACCOUNT,
	MAUI_QOS,
	MAUI_CLASS,
	MAUI_CREDENTIALS /* how many there are */
};

/* An interned credential: a small number, the same for the life of the process. 0 is "the job has
 * none". */
#define MAUI_NO_CREDENTIAL 0u

/* "user", "group", "account", "qos", "class" */
const char *maui_credential_name(enum maui_credential type);

/* As in the brackets of a limit, MAXJOB[USER]: "USER", "GROUP", "ACCOUNT", "QOS", "CLASS" */
const char *maui_credential_dimension(enum maui_credential type);

#endif
