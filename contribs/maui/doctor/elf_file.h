/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ELF file in memory, which nobody vouches for: each part is read only if it is all there. */
#ifndef MAUI_ELF_FILE_H
#define MAUI_ELF_FILE_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file {
	const char *content; /* the caller's; size bytes */
	size_t size;
	ElfW(Ehdr) header;
};

/* 0; -EINVAL: it is no ELF file with this machine's word size. */
int elf_open(const char *content, size_t size, struct elf_file *ret_elf);

/* Part of the file, at any alignment. False: it is not all in the file. */
bool elf_copy(const struct elf_file *elf, uint64_t offset, void *target, size_t size);

/* Sections and segments, from 0. False: there is none of that index, or it is not in the file. */
bool elf_section(const struct elf_file *elf, uint64_t index, ElfW(Shdr) * ret_section);
bool elf_segment(const struct elf_file *elf, uint64_t index, ElfW(Phdr) * ret_segment);

#endif
