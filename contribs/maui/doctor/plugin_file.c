/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds plugin_name, plugin_type and plugin_version in the dynamic symbol
 * table, and their contents in the PT_LOAD segments.
 */
#include "contribs/maui/doctor/plugin_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/files/file.h"
#include "contribs/maui/doctor/elf_file.h"

#define MAX_FILE ((size_t)64 << 20) /* with debugging symbols */

/* The place in the file from which an address in memory is loaded. */
static bool find_in_file(const struct elf_file *object, uint64_t address, uint64_t *ret_offset)
{
	ElfW(Phdr) segment;

	for (unsigned int i = 0; elf_segment(object, i, &segment); i++) {
		if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
		    address - segment.p_vaddr < segment.p_filesz) {
			*ret_offset = segment.p_offset + (address - segment.p_vaddr);
			return true;
		}
	}
	return false;
}

static bool has_name(const struct elf_file *object, const ElfW(Shdr) * names, uint64_t at,
		     const char *name)
{
	size_t size = strlen(name) + 1;
	char text[32];

	return at < names->sh_size && size <= sizeof(text) &&
	       elf_copy(object, names->sh_offset + at, text, size) && !memcmp(text, name, size);
}

static void take_text(const struct elf_file *object, const ElfW(Sym) * symbol, char *target,
		      size_t size)
{
	size_t length = symbol->st_size < size ? symbol->st_size : size - 1;
	uint64_t offset;

	if (!find_in_file(object, symbol->st_value, &offset) ||
	    !elf_copy(object, offset, target, length))
		length = 0;
	target[length] = '\0';
}

static void take_symbol(const struct elf_file *object, const ElfW(Shdr) * names,
			const ElfW(Sym) * symbol, struct plugin_file *plugin)
{
	uint64_t offset;

	if (has_name(object, names, symbol->st_name, "plugin_name"))
		take_text(object, symbol, plugin->name, sizeof(plugin->name));
	else if (has_name(object, names, symbol->st_name, "plugin_type"))
		take_text(object, symbol, plugin->type, sizeof(plugin->type));
	else if ((has_name(object, names, symbol->st_name, "plugin_version") ||
		  has_name(object, names, symbol->st_name, "maui_engine_slurm_version")) &&
		 find_in_file(object, symbol->st_value, &offset) &&
		 !elf_copy(object, offset, &plugin->version, sizeof(plugin->version)))
		plugin->version = 0;
}

static bool take_symbols(const struct elf_file *object, const ElfW(Shdr) * symbols,
			 struct plugin_file *plugin)
{
	ElfW(Shdr) names;
	ElfW(Sym) symbol;

	if (!elf_section(object, symbols->sh_link, &names))
		return false;
	for (uint64_t at = 0; at + sizeof(symbol) <= symbols->sh_size; at += sizeof(symbol)) {
		if (!elf_copy(object, symbols->sh_offset + at, &symbol, sizeof(symbol)))
			return false;
		if (symbol.st_shndx != SHN_UNDEF)
			take_symbol(object, &names, &symbol, plugin);
	}
	return true;
}

int plugin_file_parse(const char *content, size_t size, struct plugin_file *ret_plugin)
{
	struct elf_file object;
	ElfW(Shdr) symbols;

	memset(ret_plugin, 0, sizeof(*ret_plugin));
	if (elf_open(content, size, &object) || object.header.e_type != ET_DYN)
		return -EINVAL;
	for (uint64_t i = 0; elf_section(&object, i, &symbols); i++)
		if (symbols.sh_type == SHT_DYNSYM)
			return take_symbols(&object, &symbols, ret_plugin) ? 0 : -EINVAL;
	return -EINVAL;
}

int plugin_file_read(const char *path, struct plugin_file *ret_plugin, struct maui_error *error)
{
	char *content = NULL;
	size_t size = 0;
	int rc = maui_file_read(path, MAX_FILE, NULL, &content, &size, NULL, error);

	if (!rc && plugin_file_parse(content, size, ret_plugin))
		rc = maui_error_set(error, EINVAL, "%s is not a shared object for this machine",
				    path);
	free(content);
	return rc;
}

bool plugin_file_is_ours(const struct plugin_file *plugin)
{
	return strstr(plugin->name, "Maui") != NULL;
}

const char *plugin_version_text(uint32_t version, char buffer[PLUGIN_VERSION_SIZE])
{
	snprintf(buffer, PLUGIN_VERSION_SIZE, "%u.%02u.%u", version >> 16 & 0xff,
		 version >> 8 & 0xff, version & 0xff);
	return buffer;
}

bool plugin_version_loads(uint32_t version, uint32_t slurm)
{
	return version == slurm;
}
