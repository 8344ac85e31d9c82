/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the threads of some processes sleep, as the kernel says. Linux alone, as root. What cannot
 * be read ends the program with a message.
 */
#ifndef MAUI_BENCH_QUIET_H
#define MAUI_BENCH_QUIET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* From now on this process is looked at, too. Of the caller's own, all threads but the first. */
void quiet_watch(pid_t pid);

/*
 * False: a thread runs, is about to, or waits for a disk. Otherwise *ret_used is the CPU time that
 * the others' processes have used, in nanoseconds: it is the same the next time if none has run.
 */
bool quiet_look(int64_t *ret_used);

#endif
