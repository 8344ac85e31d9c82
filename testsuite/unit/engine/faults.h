/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failing calls: the n-th call of the engine to one of these functions fails with an errno that the
 * test names, and has no effect. Only calls below a directory of the test are counted, and those on
 * what was opened there; of the name service, by a program that has faults_names.c, all.
 */
#ifndef MAUI_UNIT_ENGINE_FAULTS_H
#define MAUI_UNIT_ENGINE_FAULTS_H

#include <stdbool.h>

enum faults_call {
	FAULTS_OPEN,
	FAULTS_READ,
	FAULTS_FSTAT,
	FAULTS_WRITE,
	FAULTS_FSYNC,
	FAULTS_RENAME,
	FAULTS_UNLINK,
	FAULTS_CLOSE,
	FAULTS_USER,  /* getpwnam_r() */
	FAULTS_GROUP, /* getgrnam_r() */
	FAULTS_CALLS
};

const char *faults_name(enum faults_call call);

/* From now on the n-th call fails, n from 1. */
void faults_begin(enum faults_call call, unsigned int n, int code);

/* All that follow it fail, too, until faults_end(): after faults_begin(). */
void faults_go_on(void);

/* None fails any more. Returns whether one did. */
int faults_end(void);

/* All calls that open or read a file whose path ends like this fail; NULL: none does. */
void faults_path(const char *end, int code);

/* How often this was called since the program began. */
unsigned int faults_count(enum faults_call call);

/* A call of that kind on this is made: whether it fails, and errno is set. NULL: it is not known. */
bool faults_fails(enum faults_call call, const char *what);

/* What failed: "open maui/jobs"; "": nothing has. */
const char *faults_where(void);

#endif
