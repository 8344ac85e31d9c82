/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies the ELF header, section headers and program headers out of a file's
 * bytes, after a check of offset and size against the file's end.
 */
#include "contribs/maui/doctor/elf_file.h"

#include <errno.h>
#include <string.h>

#define NATIVE_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)

int elf_open(const char *content, size_t size, struct elf_file *ret_elf)
{
	*ret_elf = (struct elf_file){.content = content, .size = size};
	if (!elf_copy(ret_elf, 0, &ret_elf->header, sizeof(ret_elf->header)) ||
	    memcmp(ret_elf->header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    ret_elf->header.e_ident[EI_CLASS] != NATIVE_CLASS)
		return -EINVAL;
	return 0;
}

bool elf_copy(const struct elf_file *elf, uint64_t offset, void *target, size_t size)
{
	if (offset > elf->size || size > elf->size - offset)
		return false;
	memcpy(target, elf->content + offset, size);
	return true;
}

bool elf_section(const struct elf_file *elf, uint64_t index, ElfW(Shdr) * ret_section)
{
	return index < elf->header.e_shnum && elf->header.e_shentsize == sizeof(*ret_section) &&
	       elf_copy(elf, elf->header.e_shoff + index * sizeof(*ret_section), ret_section,
			sizeof(*ret_section));
}

bool elf_segment(const struct elf_file *elf, uint64_t index, ElfW(Phdr) * ret_segment)
{
	return index < elf->header.e_phnum && elf->header.e_phentsize == sizeof(*ret_segment) &&
	       elf_copy(elf, elf->header.e_phoff + index * sizeof(*ret_segment), ret_segment,
			sizeof(*ret_segment));
}
