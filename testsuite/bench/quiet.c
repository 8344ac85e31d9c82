/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hundred slurmd are looked at twice for each step of a clock, so that what does not change is
 * kept: a process has other threads than before only if one of them has run.
 */
#include "testsuite/bench/quiet.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "testsuite/clock/clock.h"

#define MAX_PROCESSES 512
#define MAX_THREADS   1024

struct thread {
	pid_t id;
	int call; /* its file that says in which system call it sleeps */
};

struct process {
	pid_t pid;
	clockid_t clock;
	int64_t used; /* when its threads were listed; -1: list them again */
	struct thread threads[MAX_THREADS];
	int thread_count;
};

static struct process processes[MAX_PROCESSES];
static int process_count;
static pid_t own_pid;

/* A file is open for each thread. */
static void allow_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		err(1, "getrlimit");
	files.rlim_cur = files.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &files))
		err(1, "setrlimit");
}

void quiet_watch(pid_t pid)
{
	struct process *process = &processes[process_count];
	int rc;

	if (!process_count) {
		allow_files();
		own_pid = getpid();
	}
	if (process_count == MAX_PROCESSES)
		errx(1, "more than %d processes", MAX_PROCESSES);
	process->pid = pid;
	process->used = -1;
	rc = clock_getcpuclockid(pid, &process->clock);
	if (rc)
		errx(1, "process %d: %s", (int)pid, strerror(rc));
	process_count++;
}

/* The kernel says in this file in which system call a thread sleeps, or that it does not sleep. */
static bool sleeps(const struct process *process, const struct thread *thread)
{
	static const long patient[] = {SYS_futex, SYS_accept, SYS_accept4}; /* never a disk */
	char path[64], text[256], *state;
	ssize_t size = pread(thread->call, text, sizeof(text) - 1, 0);
	long call;
	int file;

	if (size <= 0 || *text == 'r')
		return false;
	text[size] = '\0';
	call = strtol(text, NULL, 10);
	for (size_t i = 0; i < sizeof(patient) / sizeof(*patient); i++)
		if (call == patient[i])
			return true;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)process->pid, (int)thread->id);
	file = open(path, O_RDONLY | O_CLOEXEC);
	size = file < 0 ? -1 : read(file, text, sizeof(text) - 1);
	if (file >= 0)
		close(file);
	if (size <= 0)
		return false;
	text[size] = '\0';
	state = strrchr(text, ')');
	return state && state[2] == 'S';
}

static void forget_threads(struct process *process)
{
	while (process->thread_count)
		close(process->threads[--process->thread_count].call);
}

static void list_threads(struct process *process)
{
	char path[64];
	struct dirent *entry;
	DIR *tasks;

	forget_threads(process);
	snprintf(path, sizeof(path), "/proc/%d/task", (int)process->pid);
	tasks = opendir(path);
	if (!tasks)
		errx(1, "process %d has ended", (int)process->pid);
	while ((entry = readdir(tasks))) {
		struct thread thread = {.id = atoi(entry->d_name)};

		if (!thread.id || thread.id == own_pid)
			continue;
		if (process->thread_count == MAX_THREADS)
			errx(1, "process %d has too many threads", (int)process->pid);
		snprintf(path, sizeof(path), "%d/syscall", (int)thread.id);
		thread.call = openat(dirfd(tasks), path, O_RDONLY | O_CLOEXEC);
		if (thread.call >= 0)
			process->threads[process->thread_count++] = thread;
		else if (errno != ENOENT)
			err(1, "%s of process %d", path, (int)process->pid);
	}
	closedir(tasks);
}

/* Its threads sleep; their list is then kept. */
static bool is_quiet(struct process *process, int64_t used)
{
	if (used != process->used)
		list_threads(process);
	process->used = -1;
	for (int i = 0; i < process->thread_count; i++)
		if (!sleeps(process, &process->threads[i]))
			return false;
	process->used = used;
	return true;
}

bool quiet_look(int64_t *ret_used)
{
	*ret_used = 0;
	for (int i = 0; i < process_count; i++) {
		struct process *process = &processes[i];
		struct timespec used;

		if (clock_gettime(process->clock, &used))
			errx(1, "process %d has ended", (int)process->pid);
		if (!is_quiet(process, nanoseconds_of(&used)))
			return false;
		if (process->pid != own_pid) /* which runs, to look */
			*ret_used += nanoseconds_of(&used);
	}
	return true;
}
