/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first lines of the state files in StateSaveLocation/maui: format and version, as this program
 * writes them (contribs/doc/state-files.md). A version that changes is listed in contribs/doc/NEWS.md.
 */
#ifndef MAUI_STATE_FIRST_LINES_H
#define MAUI_STATE_FIRST_LINES_H

#define MAUI_FIRST_LINE_DISABLED     "slurm-maui disabled 1\n"
#define MAUI_FIRST_LINE_IDLE         "slurm-maui idle 1\n"
#define MAUI_FIRST_LINE_JOBS         "slurm-maui jobs 1\n"
#define MAUI_FIRST_LINE_NAMES        "slurm-maui names 1\n"
#define MAUI_FIRST_LINE_NODES        "slurm-maui nodes 1\n"
#define MAUI_FIRST_LINE_RECLAIMS     "slurm-maui reclaims 1\n"
#define MAUI_FIRST_LINE_RESERVATIONS "slurm-maui reservations 1\n"
#define MAUI_FIRST_LINE_SETRES       "slurm-maui setres 1\n"
#define MAUI_FIRST_LINE_TRIGGERS     "slurm-maui triggers 1\n"

/* That of the file of this name; NULL: it is none of these. */
const char *maui_first_line(const char *name);

#endif
