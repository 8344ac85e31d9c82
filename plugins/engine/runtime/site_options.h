/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's settings in slurm.conf, copied so that using them needs no lock of Slurm. */
#ifndef MAUI_ENGINE_SITE_OPTIONS_H
#define MAUI_ENGINE_SITE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How long a program that a trigger has started may run, seconds. */
#define SITE_TRIGGER_TIMEOUT     300u
#define SITE_TRIGGER_TIMEOUT_MAX 86400u

/* Where the service listens if slurm.conf does not say. */
#define SITE_ADDRESS "127.0.0.1"

/* Under any other PriorityType the engine can only be a shadow. */
#define SITE_OUR_PRIORITY "priority/maui"

struct site {
	char *config_path; /* maui.cfg: PriorityParameters=maui_cfg=PATH, or beside slurm.conf */
	char *state_directory; /* StateSaveLocation/maui */
	char *munge_socket;    /* AuthInfo=socket=PATH; NULL: munge's own default */
	char *socket;          /* PriorityParameters=maui_socket=PATH; NULL: address and port */
	char *address;         /* PriorityParameters=maui_address=ADDR; NULL: SITE_ADDRESS */
	uint16_t port;         /* PriorityParameters=maui_port=N; 0: SERVERPORT applies */
	unsigned int trigger_timeout; /* PriorityParameters=maui_trigger_timeout=N, seconds */
	bool shadow;                  /* PriorityParameters=maui_mode=shadow, and it can be */
	bool unknown_is_error;        /* PriorityParameters=maui_unknown=error */
	char *slurm_conf_path;        /* NULL: not known */
	uid_t slurm_uid;
	uint32_t prio_reserve;     /* bf_min_prio_reserve to the main scheduler; 0: none */
	int64_t backfill_interval; /* bf_interval, seconds; -1: no backfill */
};

/* Reads slurm.conf's values; any of slurmctld's locks may be held. */
void site_read(struct site *ret_site);
void site_clear(struct site *site);

#endif
