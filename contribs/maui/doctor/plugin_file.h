/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a plugin file says about itself, read without loading it: nothing in the file runs, and one
 * that was built for another Slurm can be read, too.
 */
#ifndef MAUI_PLUGIN_FILE_H
#define MAUI_PLUGIN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

struct plugin_file {
	char name[128];   /* plugin_name; "" none */
	char type[64];    /* plugin_type; "" none */
	uint32_t version; /* plugin_version: of the Slurm it was built for; 0 none */
};

/* 0; -ENOENT: there is no such file; -EINVAL: it is not a shared object for this machine; other
 * negative errnos. */
int plugin_file_read(const char *path, struct plugin_file *ret_plugin, struct maui_error *error);

/* The same for the file's content, which is not trusted. 0 or -EINVAL. */
int plugin_file_parse(const char *content, size_t size, struct plugin_file *ret_plugin);

/* Whether it is one of ours: their names contain Maui. */
bool plugin_file_is_ours(const struct plugin_file *plugin);

/* "22.05.8" */
#define PLUGIN_VERSION_SIZE 16
const char *plugin_version_text(uint32_t version, char buffer[PLUGIN_VERSION_SIZE]);

/* Slurm loads no plugin that was built for another release, not even for another micro release of
 * its own. */
bool plugin_version_loads(uint32_t version, uint32_t slurm);

#endif
