/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the note NT_GNU_BUILD_ID in the PT_NOTE segments of an ELF file and
 * writes its bytes as hexadecimal digits.
 */
#include "contribs/maui/doctor/build_id.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/files/file.h"
#include "contribs/maui/doctor/elf_file.h"

#define MAX_FILE ((size_t)256 << 20) /* with debugging information */

static const char gnu[] = "GNU";

static uint64_t build_id_align(uint64_t size, uint64_t to)
{
	return (size + to - 1) / to * to;
}

static bool take_id(const struct elf_file *elf, uint64_t offset, size_t size,
		    char ret_id[BUILD_ID_SIZE])
{
	unsigned char bytes[BUILD_ID_BYTES];

	if (!size || size > sizeof(bytes) || !elf_copy(elf, offset, bytes, size))
		return false;
	for (size_t i = 0; i < size; i++)
		snprintf(ret_id + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

/* Notes, one behind the other: a header, a name and a description, each filled up. */
static bool look_at_notes(const struct elf_file *elf, const ElfW(Phdr) * notes,
			  char ret_id[BUILD_ID_SIZE])
{
	uint64_t filled = notes->p_align == 8 ? 8 : 4, at = 0;
	ElfW(Nhdr) note;
	char name[sizeof(gnu)];

	while (at < notes->p_filesz && elf_copy(elf, notes->p_offset + at, &note, sizeof(note))) {
		uint64_t after_header = notes->p_offset + at + sizeof(note);
		uint64_t name_size = build_id_align(note.n_namesz, 4);

		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(gnu) &&
		    elf_copy(elf, after_header, name, sizeof(name)) &&
		    !memcmp(name, gnu, sizeof(gnu)))
			return take_id(elf, after_header + name_size, note.n_descsz, ret_id);
		at += build_id_align(sizeof(note) + name_size + note.n_descsz, filled);
	}
	return false;
}

int build_id_parse(const char *content, size_t size, char ret_id[BUILD_ID_SIZE])
{
	struct elf_file elf;
	ElfW(Phdr) segment;

	*ret_id = '\0';
	if (elf_open(content, size, &elf))
		return -EINVAL;
	for (uint64_t i = 0; elf_segment(&elf, i, &segment); i++)
		if (segment.p_type == PT_NOTE && look_at_notes(&elf, &segment, ret_id))
			return 0;
	return -ENODATA;
}

int build_id_read(const char *path, char ret_id[BUILD_ID_SIZE], struct maui_error *error)
{
	char *content = NULL;
	size_t size = 0;
	int rc;

	*ret_id = '\0';
	rc = maui_file_read(path, MAX_FILE, NULL, &content, &size, NULL, error);
	if (rc)
		return rc;
	rc = build_id_parse(content, size, ret_id);
	if (rc == -ENODATA)
		maui_error_set(error, ENODATA, "%s has no build id", path);
	else if (rc)
		maui_error_set(error, EINVAL, "%s is not a program for this machine", path);
	free(content);
	return rc;
}
