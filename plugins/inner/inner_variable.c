/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds a variable's slot in the plugin's DT_RELA relocations and overwrites
 * it, after mprotect() where RELRO made it read-only.
 */
#include "plugins/inner/inner_variable.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if __ELF_NATIVE_CLASS == 64
#define SYMBOL_OF(info) ELF64_R_SYM(info)
#else
#define SYMBOL_OF(info) ELF32_R_SYM(info)
#endif

/* A loaded file, as the dynamic linker sees it. */
struct object {
	const struct link_map *map;
	char *base;             /* where it is */
	ElfW(Addr) relro;       /* from base: what becomes read-only after relocation */
	ElfW(Xword) relro_size; /* 0: nothing */
	const ElfW(Rela) * slots;
	size_t slot_count;
	const ElfW(Sym) * symbols;
	const char *names;
};

/* Callback of dl_iterate_phdr(). */
static int find_segments(struct dl_phdr_info *info, size_t size, void *context)
{
	struct object *object = context;

	(void)size;
	if (info->dlpi_addr != object->map->l_addr)
		return 0;
	for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_DYNAMIC) {
			object->base = (char *)object->map->l_ld - segment->p_vaddr;
		} else if (segment->p_type == PT_GNU_RELRO) {
			object->relro = segment->p_vaddr;
			object->relro_size = segment->p_memsz;
		}
	}
	return 1;
}

/* Some machines leave these addresses as they are in the file. */
static const void *inner_variable_at(const struct object *object, ElfW(Addr) address)
{
	ElfW(Addr) load = object->map->l_addr;

	return object->base + (address >= load ? address - load : address);
}

/* False if it is not built as expected. */
static bool read_object(struct object *object)
{
	(void)dl_iterate_phdr(find_segments, object);
	if (!object->base)
		return false;
	for (const ElfW(Dyn) *entry = object->map->l_ld; entry->d_tag != DT_NULL; entry++) {
		switch (entry->d_tag) {
		case DT_RELA:
			object->slots = inner_variable_at(object, entry->d_un.d_ptr);
			break;
		case DT_RELASZ:
			object->slot_count = entry->d_un.d_val / sizeof(*object->slots);
			break;
		case DT_SYMTAB:
			object->symbols = inner_variable_at(object, entry->d_un.d_ptr);
			break;
		case DT_STRTAB:
			object->names = inner_variable_at(object, entry->d_un.d_ptr);
			break;
		default:
			break;
		}
	}
	return object->slots && object->symbols && object->names;
}

static bool write_slot(const struct object *object, ElfW(Addr) offset, void *value)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void **slot = (void *)(object->base + offset);
	char *start = (char *)slot - (uintptr_t)slot % page;
	bool read_only = offset >= object->relro && offset - object->relro < object->relro_size;

	if (read_only && mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
		return false;
	*slot = value;
	if (read_only)
		(void)mprotect(start, page, PROT_READ);
	return true;
}

bool inner_variable_bind(void *file, const char *name, void *variable, void *replacement)
{
	struct object object = {0};
	size_t bound = 0;

	if (dlinfo(file, RTLD_DI_LINKMAP, &object.map) != 0 || !read_object(&object))
		return false;
	for (size_t i = 0; i < object.slot_count; i++) {
		const ElfW(Rela) *slot = &object.slots[i];
		const ElfW(Sym) *symbol = &object.symbols[SYMBOL_OF(slot->r_info)];
		void **address = (void *)(object.base + slot->r_offset);

		if (strcmp(object.names + symbol->st_name, name) != 0 || *address != variable)
			continue;
		if (!write_slot(&object, slot->r_offset, replacement))
			return false;
		bound++;
	}
	return bound;
}
