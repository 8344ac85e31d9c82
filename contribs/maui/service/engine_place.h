/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the engine is. */
#ifndef MAUI_ENGINE_PLACE_H
#define MAUI_ENGINE_PLACE_H

#include <limits.h>
#include <stdbool.h>

/* Where the engine listens if slurm.conf does not say. */
#define ENGINE_ADDRESS "127.0.0.1"

/* Where the engine is, and how to recognize it. */
struct engine {
	char host[256]; /* a path: of a socket, and there is no port */
	char port[8];
	char place[272];             /* both, for messages */
	char munge_socket[PATH_MAX]; /* "" munge's default */
	unsigned int slurm_uid;
	bool knows_slurm_uid;
	int timeout; /* seconds */
	bool notes;  /* say what every reader should know: that a maui.cfg was refused */
};

#endif
