/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a call of job_test asks for, as far as it decides how nodes may be shown to cons_tres.
 * CPUs and nodes are numbers, memory is in MB. All but request_has_slurms_order() need the job's
 * details and its partition. Job write lock.
 */
#ifndef MAUI_SELECT_REQUEST_H
#define MAUI_SELECT_REQUEST_H

#include "plugins/compat/select_api.h"
#include "plugins/select/idle.h"

/* slurm.conf was read. */
void request_configure(void);

/* Slurm chooses by something other than weights, or there is nothing to choose. */
bool request_has_slurms_order(const struct compat_job_test *test);

/* The job may run beside, or instead of, others on the same CPUs: which are idle says little. */
bool request_may_share(const job_record_t *job);

/*
 * Whether the first nodes that fit do as well as any: then a try that fails in one order fails in
 * every order, and no other is tried. True if a node is taken when it has enough for a task, and
 * nothing can run out but CPUs and nodes: one node, or a fixed number of them (cons_tres leaves out
 * the small ones and tries again), or as many as it takes.
 */
bool request_fits_in_any_order(const struct compat_job_test *test);

/* The minimum with which a node is of use. The memory is that of a task; 0 also for a job with GRES,
 * which may bring memory of their own. */
struct idle_least request_least(const job_record_t *job);

/*
 * Whether idle CPUs and memory decide if the job can start now: it shares no CPUs, preempts nobody,
 * waits for no license or switch, and leaves no CPUs of its nodes to the system.
 */
bool request_counts_alone(const struct compat_job_test *test);

/*
 * So many nodes of the least use may not be enough: a node has to have more than its share of the
 * tasks. Then what cons_tres takes first may leave too much for the others, and it depends on the
 * order and on what else it is shown how it goes on (S-SEL-16).
 */
bool request_may_be_uneven(const struct compat_job_test *test);

/* Whether a node with the least has all that the job needs of it. */
bool request_is_counted(const struct compat_job_test *test);

/* Whether it takes as many nodes as it asks for at least, the first that fit. */
bool request_takes_the_first(const struct compat_job_test *test);

/* A plan of uneven tasks on a number of nodes that is neither fixed nor bounded by the tasks alone:
 * in one order it may come later than in another. */
bool request_may_be_delayed(const struct compat_job_test *test);

/* cons_tres takes no more than there are tasks. */
uint32_t request_most_nodes(const struct compat_job_test *test);

/*
 * With fewer candidates the outcome may differ from that with all, and be as good, only if any
 * nodes that fit satisfy the job: not if it would like more of them, if it shares CPUs when none is
 * idle, or by topology.
 */
bool request_few_may_do(const struct compat_job_test *test);

/* Whether the outcome is the same without the nodes that are of no use by then: horizon.h. */
bool request_may_look_later(const struct compat_job_test *test);

#endif
