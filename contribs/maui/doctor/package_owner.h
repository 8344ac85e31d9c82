/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which package has installed a file: by the host's package database, dpkg's or rpm's. */
#ifndef MAUI_PACKAGE_OWNER_H
#define MAUI_PACKAGE_OWNER_H

enum package_answer {
	PACKAGE_NONE,   /* no package has it, or there is no database */
	PACKAGE_DEBIAN, /* apt removes it */
	PACKAGE_RPM,    /* dnf removes it */
	PACKAGE_SILENT, /* a database did not answer in time, or not in words that are understood */
};

#define PACKAGE_NAME_SIZE 256

/* path: absolute. ret_name: the package, or of PACKAGE_SILENT the command that was asked; else "".
 * Waits 15 seconds for each database, at most. */
enum package_answer package_owner(const char *path, char ret_name[PACKAGE_NAME_SIZE]);

#endif
