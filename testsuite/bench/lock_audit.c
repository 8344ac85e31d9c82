/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches the two threads that recalculate priorities in slurmctld, "decay" of priority/multifactor
 * and "maui" of ours, and writes a line for every recalculation. Loaded by LD_AUDIT: the dynamic
 * linker asks an audit library about every binding between two objects, so the plugins' calls of
 * lock_slurmctld() and unlock_slurmctld() come here first although slurmctld itself defines them
 * (which defeats LD_PRELOAD). Nothing of Slurm or of ours is changed.
 *
 * A recalculation is what the thread does from one pthread_cond_timedwait() to the next, if it took
 * a lock of slurmctld in between. priority/multifactor cannot be told to wait for less than a
 * minute; here it waits MAUI_BENCH_INTERVAL seconds, as ours does by RMPOLLINTERVAL.
 *
 * A line in the file MAUI_BENCH_RECORD, times in nanoseconds:
 *   THREAD TID CPU WALL WRITE_HOLDS WRITE_CPU WRITE_WALL WRITE_LONGEST READ_CPU READ_WALL WAITED
 * CPU and WALL are those of the whole recalculation; WRITE_ and READ_ while the job lock was held
 * for writing and for reading (LONGEST: the CPU time of the longest single hold); WAITED is the
 * wall time until locks were granted.
 */
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "src/slurmctld/locks.h"

#define EXPORT __attribute__((visibility("default")))

typedef void (*lock_function)(slurmctld_lock_t levels);
typedef int (*timedwait_function)(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *deadline);

static lock_function real_lock, real_unlock;
static timedwait_function real_timedwait;

/* One recalculation. */
struct record {
	int64_t cpu, wall; /* clocks at its begin */
	unsigned int locks, write_holds;
	int64_t write_cpu, write_wall, write_longest, read_cpu, read_wall, waited;
};

static __thread struct {
	bool known;       /* whether the thread was looked at */
	const char *name; /* NULL: not one of ours */
	struct record record;
	int64_t held_cpu, held_wall; /* clocks when the lock was granted */
} self;

static int64_t clock_of(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* These threads name themselves before they take a lock or wait. */
static bool is_watched(void)
{
	static const char *const names[] = {"decay", "maui"};
	char name[16] = "";

	if (self.known)
		return self.name;
	self.known = true;
	prctl(PR_GET_NAME, name);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			self.name = names[i];
	return self.name;
}

static void watched_lock(slurmctld_lock_t levels)
{
	int64_t asked;

	if (!is_watched()) {
		real_lock(levels);
		return;
	}
	asked = clock_of(CLOCK_MONOTONIC);
	real_lock(levels);
	self.record.locks++;
	self.held_wall = clock_of(CLOCK_MONOTONIC);
	self.held_cpu = clock_of(CLOCK_THREAD_CPUTIME_ID);
	self.record.waited += self.held_wall - asked;
}

static void watched_unlock(slurmctld_lock_t levels)
{
	struct record *record = &self.record;
	int64_t cpu, wall;

	if (!is_watched()) {
		real_unlock(levels);
		return;
	}
	cpu = clock_of(CLOCK_THREAD_CPUTIME_ID) - self.held_cpu;
	wall = clock_of(CLOCK_MONOTONIC) - self.held_wall;
	real_unlock(levels);
	if (levels.job == WRITE_LOCK) {
		record->write_holds++;
		record->write_cpu += cpu;
		record->write_wall += wall;
		if (cpu > record->write_longest)
			record->write_longest = cpu;
	} else if (levels.job == READ_LOCK) {
		record->read_cpu += cpu;
		record->read_wall += wall;
	}
}

static void begin_record(void)
{
	self.record = (struct record){.cpu = clock_of(CLOCK_THREAD_CPUTIME_ID),
				      .wall = clock_of(CLOCK_MONOTONIC)};
}

static void write_record(void)
{
	const struct record *record = &self.record;
	int64_t cpu = clock_of(CLOCK_THREAD_CPUTIME_ID) - record->cpu;
	int64_t wall = clock_of(CLOCK_MONOTONIC) - record->wall;
	const char *path = getenv("MAUI_BENCH_RECORD");
	int file;

	/* Without cpu the record is that of the thread's start, which is more than a recalculation. */
	if (!record->locks || !record->cpu || !path)
		return;
	file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (file < 0)
		return;
	dprintf(file, "%s %d %lld %lld %u %lld %lld %lld %lld %lld %lld\n", self.name, gettid(),
		(long long)cpu, (long long)wall, record->write_holds, (long long)record->write_cpu,
		(long long)record->write_wall, (long long)record->write_longest,
		(long long)record->read_cpu, (long long)record->read_wall,
		(long long)record->waited);
	close(file);
}

static int watched_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			     const struct timespec *deadline)
{
	const char *interval = getenv("MAUI_BENCH_INTERVAL");
	struct timespec sooner;
	int rc;

	if (!is_watched())
		return real_timedwait(cond, mutex, deadline);
	write_record();
	if (interval && !strcmp(self.name, "decay")) {
		clock_gettime(CLOCK_REALTIME, &sooner);
		sooner.tv_sec += strtol(interval, NULL, 10);
		deadline = &sooner;
	}
	rc = real_timedwait(cond, mutex, deadline);
	begin_record();
	return rc;
}

/* The dynamic linker's questions; see rtld-audit(7). */
EXPORT unsigned int la_version(unsigned int version);
EXPORT unsigned int la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie);
EXPORT uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *from, uintptr_t *to,
			      unsigned int *flags, const char *name);

EXPORT unsigned int la_version(unsigned int version)
{
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/* Calls come from the plugins; the functions are slurmctld's and the C library's. */
EXPORT unsigned int la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie)
{
	(void)namespace;
	(void)cookie;
	if (strstr(map->l_name, "priority_") || strstr(map->l_name, "libslurm_maui"))
		return LA_FLG_BINDFROM;
	if (!*map->l_name || strstr(map->l_name, "libc.so"))
		return LA_FLG_BINDTO;
	return 0;
}

/* The linker speaks of addresses as numbers. */
static void *address_of(const Elf64_Sym *symbol)
{
	void *address;

	memcpy(&address, &symbol->st_value, sizeof(address));
	return address;
}

EXPORT uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *from, uintptr_t *to,
			      unsigned int *flags, const char *name)
{
	(void)index;
	(void)from;
	(void)to;
	(void)flags;
	if (!strcmp(name, "lock_slurmctld")) {
		real_lock = (lock_function)address_of(symbol);
		return (uintptr_t)watched_lock;
	}
	if (!strcmp(name, "unlock_slurmctld")) {
		real_unlock = (lock_function)address_of(symbol);
		return (uintptr_t)watched_unlock;
	}
	if (!strcmp(name, "pthread_cond_timedwait")) {
		real_timedwait = (timedwait_function)address_of(symbol);
		return (uintptr_t)watched_timedwait;
	}
	return symbol->st_value;
}
