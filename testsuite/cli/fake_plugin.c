/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plugin says of itself and no more: FAKE_NAME, and FAKE_VERSION unless it says none. */
#include <stdint.h>

#include <slurm/slurm.h>

#define EXPORTED __attribute__((visibility("default")))

extern const char plugin_name[], plugin_type[];
extern const uint32_t plugin_version;

EXPORTED const char plugin_name[] = FAKE_NAME, plugin_type[] = "fake/fake";
#ifdef FAKE_VERSION
EXPORTED const uint32_t plugin_version = FAKE_VERSION;
#endif
