/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches the two threads that recalculate priorities in slurmctld, "decay" of priority/multifactor
 * and "maui" of ours, and its schedulers, "sched_agent" (the main one) and "bckfl", and writes a
 * line for every recalculation and every pass. Loaded by LD_AUDIT: the dynamic
 * linker asks an audit library about every binding between two objects, so the plugins' calls of
 * lock_slurmctld() and unlock_slurmctld() come here first although slurmctld itself defines them
 * (which defeats LD_PRELOAD). Nothing of Slurm or of ours is changed.
 *
 * A recalculation is what the thread does from one wait for a condition to the next, if it took a
 * lock of slurmctld in between. priority/multifactor cannot be told to wait for less than a minute;
 * here it waits MAUI_BENCH_INTERVAL seconds, as ours does by RMPOLLINTERVAL. A pass is the same.
 * That of the main scheduler takes its locks inside of slurmctld, where no linker is asked: it is
 * told by its call of slurm_diff_tv_str() at the end.
 *
 * With MAUI_BENCH_COLD=BYTES the thread walks so much memory before every second recalculation, so
 * that no cache of its core has anything of slurmctld. The walk is not part of the recalculation.
 *
 * A line in the file MAUI_BENCH_RECORD, times in nanoseconds:
 *   THREAD TID CPU WALL WRITE_HOLDS WRITE_CPU WRITE_WALL WRITE_LONGEST READ_CPU READ_WALL WAITED
 *   WRITE_LONGEST_WALL MUTEX_HOLDS MUTEX_LONGEST MUTEX_LONGEST_WALL WALKED
 * CPU and WALL are those of the whole recalculation; WRITE_ and READ_ while the job lock was held
 * for writing and for reading (LONGEST: the CPU time of the longest single hold); WAITED is the
 * wall time until locks were granted. MUTEX_ is the mutex with which the thread waits: the
 * engine's. WALKED is the CPU time of the walk before it; 0: the caches were left alone.
 */
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "src/slurmctld/locks.h"

#define YIELD_MS   750
#define CACHE_LINE 64

#define EXPORT __attribute__((visibility("default")))

typedef void (*lock_function)(slurmctld_lock_t levels);
typedef int (*timedwait_function)(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *deadline);

typedef int (*clockwait_function)(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
				  const struct timespec *deadline);
typedef int (*wait_function)(pthread_cond_t *cond, pthread_mutex_t *mutex);
typedef int (*mutex_function)(pthread_mutex_t *mutex);
typedef void (*timer_function)(struct timeval *begun, struct timeval *ended, char *text, int size,
			       const char *from, long limit, long *ret_took);

static lock_function real_lock, real_unlock;
static timedwait_function real_timedwait;
static clockwait_function real_clockwait;
static wait_function real_wait;
static mutex_function real_mutex_lock, real_mutex_unlock;
static timer_function real_timer;

/* One recalculation. */
struct record {
	int64_t cpu, wall; /* clocks at its begin */
	unsigned int locks, write_holds;
	int64_t write_cpu, write_wall, write_longest, read_cpu, read_wall, waited;
	int64_t write_longest_wall, mutex_longest, mutex_longest_wall;
	unsigned int mutex_holds;
	int64_t walked;
};

static __thread struct {
	const char *name; /* NULL: not known to be one of ours */
	struct record record;
	int64_t held_cpu, held_wall; /* clocks when the lock was granted */
	pthread_mutex_t *mutex;      /* with which it waits */
	int64_t mutex_cpu, mutex_wall;
	unsigned int recalculations; /* that took a lock */
} self;

static int64_t clock_of(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* These threads have their names before they take a lock or wait; from 26.05 on those of slurmctld
 * may have had others before. */
static bool is_watched(void)
{
	static const char *const names[] = {"decay", "maui", "sched_agent", "bckfl"};
	char name[16] = "";

	if (self.name)
		return true;
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
		if (wall > record->write_longest_wall)
			record->write_longest_wall = wall;
	} else if (levels.job == READ_LOCK) {
		record->read_cpu += cpu;
		record->read_wall += wall;
	}
}

static int watched_mutex_lock(pthread_mutex_t *mutex)
{
	int rc = real_mutex_lock(mutex);

	if (is_watched() && mutex == self.mutex) {
		self.mutex_wall = clock_of(CLOCK_MONOTONIC);
		self.mutex_cpu = clock_of(CLOCK_THREAD_CPUTIME_ID);
	}
	return rc;
}

static int watched_mutex_unlock(pthread_mutex_t *mutex)
{
	if (is_watched() && mutex == self.mutex) {
		struct record *record = &self.record;
		int64_t cpu = clock_of(CLOCK_THREAD_CPUTIME_ID) - self.mutex_cpu;
		int64_t wall = clock_of(CLOCK_MONOTONIC) - self.mutex_wall;

		record->mutex_holds++;
		if (cpu > record->mutex_longest)
			record->mutex_longest = cpu;
		if (wall > record->mutex_longest_wall)
			record->mutex_longest_wall = wall;
	}
	return real_mutex_unlock(mutex);
}

/* slurmctld's END_TIMER2() at the end of a pass, up to 25.05: of schedule(), later _schedule(). */
static void watched_timer(struct timeval *begun, struct timeval *ended, char *text, int size,
			  const char *from, long limit, long *ret_took)
{
	if (from && is_watched() && strstr(from, "schedule"))
		self.record.locks++;
	real_timer(begun, ended, text, size, from, limit, ret_took);
}

/* Written once, so that each page is one of its own; then read alone, so that nothing is left to
 * be written back in the recalculation. */
static const volatile char *memory_to_walk(size_t size)
{
	static char *memory;

	if (memory)
		return memory;
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		abort();
	memset(memory, 1, size);
	return memory;
}

/* Returns the CPU time that it took. */
static int64_t walk(size_t size)
{
	const volatile char *memory = memory_to_walk(size);
	int64_t begun = clock_of(CLOCK_THREAD_CPUTIME_ID);

	for (size_t i = 0; i < size; i += CACHE_LINE)
		(void)memory[i];
	return clock_of(CLOCK_THREAD_CPUTIME_ID) - begun;
}

/* The schedulers' passes are not measured cold. */
static int64_t empty_caches(void)
{
	const char *size = getenv("MAUI_BENCH_COLD");

	if (!size || self.recalculations % 2 == 0 ||
	    (strcmp(self.name, "decay") && strcmp(self.name, "maui")))
		return 0;
	return walk(strtoul(size, NULL, 10));
}

static void begin_record(void)
{
	int64_t walked = empty_caches();

	self.record = (struct record){.cpu = clock_of(CLOCK_THREAD_CPUTIME_ID),
				      .wall = clock_of(CLOCK_MONOTONIC),
				      .walked = walked};
	self.mutex_cpu = self.record.cpu;
	self.mutex_wall = self.record.wall;
}

static void write_record(void)
{
	const struct record *record = &self.record;
	int64_t cpu = clock_of(CLOCK_THREAD_CPUTIME_ID) - record->cpu;
	int64_t wall = clock_of(CLOCK_MONOTONIC) - record->wall;
	const char *path = getenv("MAUI_BENCH_RECORD");
	int file;

	/* Without cpu the record is that of the thread's start, which is more than a
	 * recalculation. */
	if (!record->locks || !record->cpu || !path)
		return;
	self.recalculations++;
	file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (file < 0)
		return;
	dprintf(file, "%s %d %lld %lld %u %lld %lld %lld %lld %lld %lld %lld %u %lld %lld %lld\n",
		self.name, gettid(), (long long)cpu, (long long)wall, record->write_holds,
		(long long)record->write_cpu, (long long)record->write_wall,
		(long long)record->write_longest, (long long)record->read_cpu,
		(long long)record->read_wall, (long long)record->waited,
		(long long)record->write_longest_wall, record->mutex_holds,
		(long long)record->mutex_longest, (long long)record->mutex_longest_wall,
		(long long)record->walked);
	close(file);
}

/* Backfill waits half a second in the middle of a pass (bf_yield_sleep), and more between two. */
static bool is_in_pass(const struct timespec *deadline)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return !strcmp(self.name, "bckfl") &&
	       (deadline->tv_sec - now.tv_sec) * INT64_C(1000) +
			       (deadline->tv_nsec - now.tv_nsec) / 1000000 <
		       YIELD_MS;
}

static int watched_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			     const struct timespec *deadline)
{
	const char *interval = getenv("MAUI_BENCH_INTERVAL");
	struct timespec sooner;
	int rc;

	if (!is_watched() || is_in_pass(deadline))
		return real_timedwait(cond, mutex, deadline);
	write_record();
	self.mutex = mutex;
	if (interval && !strcmp(self.name, "decay")) {
		clock_gettime(CLOCK_REALTIME, &sooner);
		sooner.tv_sec += strtol(interval, NULL, 10);
		deadline = &sooner;
	}
	rc = real_timedwait(cond, mutex, deadline);
	begin_record();
	return rc;
}

/* The engine's. */
static int watched_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
			     const struct timespec *deadline)
{
	int rc;

	if (!is_watched())
		return real_clockwait(cond, mutex, clock, deadline);
	write_record();
	self.mutex = mutex;
	rc = real_clockwait(cond, mutex, clock, deadline);
	begin_record();
	return rc;
}

static int watched_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	int rc;

	if (!is_watched())
		return real_wait(cond, mutex);
	write_record();
	self.mutex = mutex;
	rc = real_wait(cond, mutex);
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

/* What is remembered of an object. */
enum { OTHER, ENGINE };

/* Calls come from the plugins and slurmctld; the functions are slurmctld's and the libraries'. */
EXPORT unsigned int la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie)
{
	(void)namespace;
	*cookie = strstr(map->l_name, "libslurm_maui") ? ENGINE : OTHER;
	if (*cookie == ENGINE || strstr(map->l_name, "priority_") ||
	    strstr(map->l_name, "sched_backfill"))
		return LA_FLG_BINDFROM;
	if (!*map->l_name)
		return LA_FLG_BINDFROM | LA_FLG_BINDTO;
	if (strstr(map->l_name, "libc.so") || strstr(map->l_name, "libslurmfull"))
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
	if (!strcmp(name, "pthread_cond_clockwait")) {
		real_clockwait = (clockwait_function)address_of(symbol);
		return (uintptr_t)watched_clockwait;
	}
	if (!strcmp(name, "pthread_cond_wait")) {
		real_wait = (wait_function)address_of(symbol);
		return (uintptr_t)watched_wait;
	}
	if (!strcmp(name, "slurm_diff_tv_str")) {
		real_timer = (timer_function)address_of(symbol);
		return (uintptr_t)watched_timer;
	}
	if (*from == ENGINE && !strcmp(name, "pthread_mutex_lock")) {
		real_mutex_lock = (mutex_function)address_of(symbol);
		return (uintptr_t)watched_mutex_lock;
	}
	if (*from == ENGINE && !strcmp(name, "pthread_mutex_unlock")) {
		real_mutex_unlock = (mutex_function)address_of(symbol);
		return (uintptr_t)watched_mutex_unlock;
	}
	return symbol->st_value;
}
