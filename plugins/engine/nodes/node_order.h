/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which a job gets nodes: NODEALLOCATIONPOLICY, chapter 5.2, on
 * Slurm's records. A lock of its own guards all of it, because the schedulers
 * ask while the engine's mutex may be held for a whole pass of an iteration. Of
 * our locks, only that of slurm/qos_started.c is taken under it.
 */
#ifndef MAUI_ENGINE_NODE_ORDER_H
#define MAUI_ENGINE_NODE_ORDER_H

#include "common/policy/nodes/nodealloc.h"
#include "common/policy/policy.h"
#include "common/policy/reservation/sr_settings.h"
#include "plugins/engine/api/select.h"
#include "plugins/engine/runtime/module.h"

/* Another policy is in force. Any lock may be held. */
void node_order_policy(struct maui_policy *policy);

/* Slurm's nodes may have changed: the select plugin says so, for the first time when it starts. Any
 * lock may be held. */
void node_order_nodes_changed(void);

/* The same in shadow mode, where the engine hears nothing from a select plugin and acts as if there
 * were one: what jobs hold (node_use.h) is forgotten, too. Job read lock. */
void node_order_look_again(void);

/* Whether there is a select plugin that asks for the order. */
bool select_is_loaded(void);

/* USAGE of the nodes in percent, by index; takes over the array. Node read lock. */
void node_order_usage(double *percent, uint32_t count);

/* A job has got what it holds, or is about to lose it. Job write lock. */
void node_order_begins(const job_record_t *job);
void node_order_ends(const job_record_t *job);

/* As maui_engine_select's permit(), limits_gres(), may_hold_on(), orders() and
 * rank(). affinity: of each node for the job, by index, or NULL. */
void node_order_permit(const job_record_t *job, bitstr_t *nodes);
bool node_order_limits_gres(const job_record_t *job);
bool node_order_may_hold(const job_record_t *job, bitstr_t *nodes, bitstr_t *candidates);
bool node_order_orders(const job_record_t *job);
bool node_order_rank(const job_record_t *job, const uint8_t *affinity, bitstr_t *candidates,
		     bool immediate, uint32_t *ret_rank);

/* D-RSV-15: in which order a reservation being placed takes nodes, like node_order_rank(); with
 * FIRSTAVAILABLE that of the list. False: there is no policy yet. Job and node read lock. */
bool node_order_for_reservation(const struct maui_sr *sr, bitstr_t *candidates, bool immediate,
				uint32_t *ret_rank);
enum maui_nodealloc_policy node_order_policy_of(const struct maui_sr *sr);

/* One node of an explained order. */
struct node_explained {
	const char *name; /* Slurm's: valid while its node lock is held */
	uint32_t rank;
	struct maui_node_candidate
		candidate;            /* settings: valid as long as the explanation; no gres */
	struct maui_node_terms terms; /* of PRIORITYF, whatever the policy is */
};

struct node_explanation {
	enum maui_nodealloc_policy asked,
		served;               /* they differ where CPULOAD or LOCAL could not serve */
	bool by_job;                  /* the job's comment names the policy */
	struct node_explained *nodes; /* by rank, then by the list */
	uint32_t count;
	struct maui_policy *policy;
};

/*
 * The order in which a job would get these nodes if it started now, with all that it is based on;
 * job NULL: what holds for the nodes without one, in the order of the list. False if
 * there is no policy yet. Job and node read lock.
 */
bool node_order_explain(const job_record_t *job, const uint8_t *affinity, bitstr_t *candidates,
			struct node_explanation *ret_explanation);
void node_explanation_clear(struct node_explanation *explanation);

extern const struct module node_order_module;

#endif
