/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Creates, updates and deletes Slurm reservations, and picks their cores. One
 * that Slurm cannot change in place is deleted and created again.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/rsv_records.h"

#include <time.h>

#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/resvrec.h"

#include "src/common/job_resources.h"
#include "src/common/node_conf.h"
#include "src/slurmctld/state_save.h"

#define FLAGS (RESERVE_FLAG_IGN_JOBS | RESERVE_FLAG_OVERLAP | RESERVE_FLAG_NO_HOLD_JOBS)
#define USERS "root"

/* Slurm adds these itself, or ask_for_cores() does. */
#define FLAGS_OF_KIND (RESERVE_FLAG_SPEC_NODES | RESERVE_FLAG_STATIC)

/* What one of ours has or has not. */
#define FLAGS_OF_CHOICE RESERVE_FLAG_MAINT

/* What update_resv() needs to clear the flags that it can set. */
#define CLEARED_FLAGS                                                                              \
	(RESERVE_FLAG_NO_FLEX | RESERVE_FLAG_NO_MAGNETIC | RESERVE_FLAG_NO_HOURLY |                \
	 RESERVE_FLAG_NO_DAILY | RESERVE_FLAG_NO_WEEKLY | RESERVE_FLAG_NO_WEEKDAY |                \
	 RESERVE_FLAG_NO_WEEKEND | RESERVE_FLAG_NO_ANY_NODES | RESERVE_FLAG_NO_PURGE_COMP |        \
	 COMPAT_RESV_CLEARED)

/* What tells ours from others: Slurm keeps this number, but shows and uses it only with
 * PURGE_COMP. */
#define MARK UINT32_C(0x4d617569) /* "Maui" */

/* More than any job's warn_time, which has 16 bits: 1000 days, which nobody sets by chance. */
#define OPEN   UINT32_C(86400000)
#define CLOSED 0

/* ---- reservations ---- */

bool rsv_record_is_marked(const slurmctld_resv_t *reservation)
{
	return reservation->purge_comp_time == MARK;
}

bool rsv_record_is_intact(const slurmctld_resv_t *reservation)
{
	uint32_t delay = reservation->max_start_delay;

	return rsv_record_is_marked(reservation) &&
	       (reservation->flags & ~(FLAGS_OF_KIND | FLAGS_OF_CHOICE)) == FLAGS &&
	       (delay == OPEN || delay == CLOSED) && !xstrcmp(reservation->users, USERS) &&
	       !reservation->accounts && !reservation->groups && !reservation->licenses &&
	       !reservation->burst_buffer && !reservation->features &&
	       !compat_resv_narrows(reservation) && !compat_resv_names_gone_node(reservation) &&
	       (reservation->core_bitmap || !reservation->partition);
}

void rsv_record_open(struct slurm_writer *writer, slurmctld_resv_t *reservation, bool open)
{
	uint32_t delay = open ? OPEN : CLOSED;

	(void)writer;
	if (reservation->max_start_delay == delay)
		return;
	reservation->max_start_delay = delay;
	last_resv_update = time(NULL);
	schedule_resv_save();
}

/* ---- which cores ---- */

/* The one being made, under Slurm's locks. */
static const struct rsv_wanted *making;

static int note_job(job_record_t *job, void *used)
{
	if (jobrec_is_active(job))
		jobrec_add_cores(job, used);
	return 0;
}

static int note_reservation(slurmctld_resv_t *other, void *context)
{
	bitstr_t *used = context;

	if (other->core_bitmap && bit_size(other->core_bitmap) == bit_size(used) &&
	    other->start_time < making->end && other->end_time > making->start &&
	    xstrcmp(other->name, making->name) != 0)
		bit_or(used, other->core_bitmap);
	return 0;
}

static uint32_t take_cores(bitstr_t *cores, uint32_t node, uint32_t wanted, bitstr_t *but)
{
	uint32_t to = cr_get_coremap_offset(node + 1);

	for (uint32_t core = cr_get_coremap_offset(node); core < to && wanted; core++) {
		if (bit_test(cores, core) || (but && bit_test(but, core)))
			continue;
		bit_set(cores, core);
		wanted--;
	}
	return wanted;
}

/* Cores outside other reservations and where no job runs; if those are too few, where jobs run; if
 * still too few, on top of other reservations. */
static void pick_cores(bitstr_t *cores)
{
	bitstr_t *reserved = bit_alloc(bit_size(cores)), *used;

	resvrec_each(note_reservation, reserved);
	used = bit_copy(reserved);
	jobrec_each(note_job, used);
	for (int i = 0; i < node_record_count; i++) {
		uint32_t missing = bit_test(making->nodes, i) ? making->cores[i] : 0;

		missing = take_cores(cores, i, missing, used);
		missing = take_cores(cores, i, missing, reserved);
		take_cores(cores, i, missing, NULL);
	}
	FREE_NULL_BITMAP(used);
	FREE_NULL_BITMAP(reserved);
}

bool rsv_record_place(bitstr_t **ret_nodes, bitstr_t **ret_cores)
{
	if (!making)
		return false;
	*ret_nodes = bit_copy(making->nodes);
	*ret_cores = bit_alloc(cr_get_coremap_offset(node_record_count));
	pick_cores(*ret_cores);
	return true;
}

/* ---- Slurm's calls ---- */

static resv_desc_msg_t *rsv_records_description(const struct rsv_wanted *wanted)
{
	resv_desc_msg_t *text = xmalloc(sizeof(*text));

	slurm_init_resv_desc_msg(text);
	text->name = xstrdup(wanted->name);
	text->end_time = wanted->end;
	text->max_start_delay = wanted->open ? OPEN : CLOSED;
	return text;
}

/* Slurm is told only the number of cores, and asks the select plugin where they are. It needs a
 * partition for that. */
static void ask_for_cores(resv_desc_msg_t *text, const struct rsv_wanted *wanted)
{
	const part_record_t *any = list_peek(part_list);
	uint32_t cores = 0;

	for (int i = 0; i < node_record_count; i++)
		cores += bit_test(wanted->nodes, i) ? wanted->cores[i] : 0;
	compat_resv_counts(text, (uint32_t)bit_set_count(wanted->nodes), cores);
	text->flags |= RESERVE_FLAG_STATIC;
	text->partition = any ? xstrdup(any->name) : NULL;
}

/* Slurm's locks are held. */
static int rsv_records_create(struct slurm_writer *writer, const struct rsv_wanted *wanted)
{
	resv_desc_msg_t *text;
	int rc;

	(void)writer;
	if (wanted->table != noderec_table())
		return ESLURM_INVALID_NODE_NAME;
	text = rsv_records_description(wanted);
	text->start_time = wanted->start;
	text->flags = FLAGS | (wanted->maint ? RESERVE_FLAG_MAINT : 0);
	text->users = xstrdup(USERS);
	text->purge_comp_time = MARK;
	if (wanted->cores)
		ask_for_cores(text, wanted);
	else
		text->node_list = bitmap2node_name(wanted->nodes);
	making = wanted->cores ? wanted : NULL;
	rc = compat_create_resv(text);
	making = NULL;
	slurm_free_resv_desc_msg(text);
	return rc;
}

int rsv_record_create(const struct rsv_wanted *wanted)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = READ_LOCK, .node = WRITE_LOCK, .part = READ_LOCK};
	struct slurm_writer *writer = slurm_writer_begin(locks);
	int rc;

	if (!writer)
		return ESLURM_IN_STANDBY_MODE;
	rc = resvrec_find(wanted->name) ? ESLURM_RESERVATION_NAME_DUP
					: rsv_records_create(writer, wanted);
	slurm_writer_end(writer, locks);
	return rc;
}

static bool same_cores(const struct rsv_wanted *wanted, const slurmctld_resv_t *reservation)
{
	for (int i = 0; wanted->cores && i < node_record_count; i++)
		if (bit_test(wanted->nodes, i) &&
		    wanted->cores[i] != resvrec_cores_of(reservation, i))
			return false;
	return !wanted->cores == !reservation->core_bitmap;
}

/* Of an empty text Slurm takes that the attribute is to go. */
static char *nothing_instead_of(const char *text)
{
	return text ? xstrdup("") : NULL;
}

/* Who may use it and how, as in rsv_records_create(). */
static void put_back(resv_desc_msg_t *text, const struct rsv_wanted *wanted,
		     const slurmctld_resv_t *reservation)
{
	text->flags = FLAGS | CLEARED_FLAGS;
	text->flags |= wanted->maint ? RESERVE_FLAG_MAINT : RESERVE_FLAG_NO_MAINT;
	text->users = xstrdup(USERS);
	text->purge_comp_time = MARK;
	text->accounts = nothing_instead_of(reservation->accounts);
	text->groups = nothing_instead_of(reservation->groups);
	text->licenses = nothing_instead_of(reservation->licenses);
	text->burst_buffer = nothing_instead_of(reservation->burst_buffer);
	if (!reservation->core_bitmap)
		text->partition = nothing_instead_of(reservation->partition);
}

static bool is_as_wanted(const struct rsv_wanted *wanted, const slurmctld_resv_t *reservation)
{
	return rsv_record_is_intact(reservation) && resvrec_is_maint(reservation) == wanted->maint;
}

/* A reservation that has begun keeps its start. */
static int rsv_records_change(struct slurm_writer *writer, const struct rsv_wanted *wanted,
			      const slurmctld_resv_t *reservation)
{
	resv_desc_msg_t *text = rsv_records_description(wanted);
	time_t now = time(NULL);
	int rc;

	(void)writer;
	if (reservation->start_time > now && reservation->start_time != wanted->start)
		text->start_time = MAX(wanted->start, now);
	if (!reservation->node_bitmap || !bit_equal(reservation->node_bitmap, wanted->nodes) ||
	    (!reservation->core_bitmap && compat_resv_names_gone_node(reservation)))
		text->node_list = bitmap2node_name(wanted->nodes);
	if (!is_as_wanted(wanted, reservation))
		put_back(text, wanted, reservation);
	rc = compat_update_resv(text);
	slurm_free_resv_desc_msg(text);
	return rc;
}

static int delete (struct slurm_writer *writer, const char *name)
{
	reservation_name_msg_t message = {.name = (char *)name};

	(void)writer;
	return delete_resv(&message);
}

/* What Slurm does not change is made anew, before anybody can come between. */
static int rsv_records_replace(struct slurm_writer *writer, const struct rsv_wanted *wanted)
{
	int rc = delete (writer, wanted->name);

	return rc == SLURM_SUCCESS ? rsv_records_create(writer, wanted) : rc;
}

/* Slurm changes neither the cores of a reservation nor the start of one that has begun. */
static bool is_to_be_replaced(const struct rsv_wanted *wanted, const slurmctld_resv_t *reservation)
{
	time_t now = time(NULL);

	if (reservation->start_time <= now && wanted->start > now)
		return true;
	return (wanted->cores || reservation->core_bitmap) &&
	       (!reservation->node_bitmap || !bit_equal(reservation->node_bitmap, wanted->nodes) ||
		!same_cores(wanted, reservation));
}

static int rsv_records_update(struct slurm_writer *writer, const struct rsv_wanted *wanted,
			      slurmctld_resv_t *reservation)
{
	int rc;

	if (is_to_be_replaced(wanted, reservation))
		return rsv_records_replace(writer, wanted);
	rc = rsv_records_change(writer, wanted, reservation);
	return is_as_wanted(wanted, reservation) ? rc : rsv_records_replace(writer, wanted);
}

int rsv_record_update(const struct rsv_wanted *wanted)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = WRITE_LOCK, .node = WRITE_LOCK, .part = READ_LOCK};
	struct slurm_writer *writer = slurm_writer_begin(locks);
	slurmctld_resv_t *reservation;
	int rc = ESLURM_RESERVATION_INVALID;

	if (!writer)
		return ESLURM_IN_STANDBY_MODE;
	reservation = find_resv_name((char *)wanted->name);
	if (wanted->table != noderec_table())
		rc = ESLURM_INVALID_NODE_NAME;
	else if (reservation)
		rc = rsv_records_update(writer, wanted, reservation);
	slurm_writer_end(writer, locks);
	return rc;
}

int rsv_record_delete(const char *name)
{
	slurmctld_lock_t locks = {.job = WRITE_LOCK, .node = WRITE_LOCK};
	struct slurm_writer *writer = slurm_writer_begin(locks);
	int rc;

	if (!writer)
		return ESLURM_IN_STANDBY_MODE;
	rc = delete (writer, name);
	slurm_writer_end(writer, locks);
	return rc;
}
