/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stays by a look at its own nodes stays by a look at all, too, and is the same. */
#include "common/policy/reservation/sr_stay.h"
#include "testsuite/unit/policy/reservation/reservation_fixture.h"

#define NODES 6u
#define HOLDS 8u
#define TRIES 5000

static const char *const names[NODES] = {"n0", "n1", "n2", "n3", "n4", "n5"};
static const char *const fast[] = {"fast"}, *const p[] = {"p"}, *const q[] = {"q"};

#define QUARTERS "RESOURCES=PROCS:1,MEM:1024 "

static const char *const lines[] = {
	"TASKCOUNT=2",
	"TASKCOUNT=2 FLAGS=SPACEFLEX",
	"TASKCOUNT=3 PARTITION=p",
	"TASKCOUNT=2 NODEFEATURES=fast",
	QUARTERS "TASKCOUNT=6",
	QUARTERS "TASKCOUNT=6 TPN=3",
	QUARTERS "TASKCOUNT=6 FLAGS=FORCE",
	"HOSTLIST=n[0,5]",
	"HOSTLIST=n[0-3] PARTITION=p",
	QUARTERS "HOSTLIST=n[1-2]",
	"HOSTLIST=n[2-4] TASKCOUNT=2",
	"HOSTLIST=n[2-3] TASKCOUNT=2",
	"HOSTLIST=n[2-3] TASKCOUNT=4",
	"HOSTLIST=n[2-3] TASKCOUNT=4 FLAGS=SPACEFLEX",
	"HOSTLIST=n[2-4] TASKCOUNT=2 FLAGS=FORCE",
	"RESOURCES=PROCS:5 TASKCOUNT=1",
	"TASKCOUNT=2 EXCLUDEHOSTLIST=n[1,5]",
	"HOSTLIST=n[0-3] EXCLUDEHOSTLIST=n1",
	"HOSTLIST=n[2-3] TASKCOUNT=3 EXCLUDEHOSTLIST=n[0,3]",
};

/* One reservation among nodes and holds; everything else is drawn. */
struct scene {
	struct reservations reservations;
	const struct maui_sr *sr;
	bool listed[NODES], excluded[NODES];
	struct maui_sr_node nodes[NODES];
	struct maui_sr_hold holds[HOLDS];
	struct maui_sr_share former[NODES];
	struct maui_sr_request request;
};

static uint32_t draw(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % below;
}

static void open_scene(struct scene *scene, const char *attributes)
{
	struct maui_node_names *known = maui_node_names_new(names, NODES);
	char text[200];

	snprintf(text, sizeof(text), "SRCFG[x] %s", attributes);
	reservations_open(&scene->reservations, text);
	cr_assert_eq(maui_sr_list(scene->reservations.settings, &scene->sr), 1);
	memset(scene->listed, 0, sizeof(scene->listed));
	if (scene->sr->hosts)
		maui_sr_hosts_match(scene->sr->hosts, known, scene->listed, NULL);
	maui_sr_hosts_match(scene->sr->excluded, known, scene->excluded, NULL);
	maui_node_names_free(known);
}

static void draw_machine(struct scene *scene, uint32_t *seed)
{
	for (uint32_t i = 0; i < NODES; i++)
		scene->nodes[i] = (struct maui_sr_node){
			.up = draw(seed, 4),
			.procs = i < 4 ? 4 : 8,
			.memory = i < 4 ? 4096 : 8192,
			.features = fast,
			.feature_count = draw(seed, 2),
			.partitions = draw(seed, 4) ? p : q,
			.partition_count = 1,
		};
	for (uint32_t i = 0; i < HOLDS; i++)
		scene->holds[i] = (struct maui_sr_hold){
			.node = i * NODES / HOLDS,
			.job = draw(seed, 2),
			.sr = draw(seed, 2) ? 1 : 0,
			.start = draw(seed, 10),
			.end = 10 + draw(seed, 10),
			.procs = draw(seed, 5),
		};
}

static struct maui_sr_placement place(const struct scene *scene)
{
	struct maui_sr_placement placement;

	maui_sr_place(&scene->request, scene->nodes, NODES, scene->holds, HOLDS, &placement);
	return placement;
}

/* Either where a placement put it, or anywhere; sometimes with a little less. */
static void draw_former(struct scene *scene, uint32_t *seed)
{
	struct maui_sr_placement placed = place(scene);
	bool anywhere = !draw(seed, 3);
	size_t count = 0;

	for (uint32_t i = 0; i < (anywhere ? NODES : placed.count); i++) {
		struct maui_sr_share share = {.node = i, .tasks = draw(seed, 3)};

		if (!anywhere)
			share = placed.shares[i];
		if (!draw(seed, 10))
			share.tasks--;
		share.in_use = draw(seed, 2);
		if (share.tasks && share.tasks < 100)
			scene->former[count++] = share;
	}
	maui_sr_placement_clear(&placed);
	scene->request.former = scene->former;
	scene->request.former_count = count;
}

static bool same_shares(const struct maui_sr_placement *a, const struct maui_sr_placement *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = a->shares[i].node == b->shares[i].node &&
		       a->shares[i].tasks == b->shares[i].tasks &&
		       a->shares[i].procs == b->shares[i].procs;
	return same;
}

static bool same(const struct maui_sr_placement *stays, const struct maui_sr_placement *slow)
{
	return !slow->changed && same_shares(stays, slow) && stays->tasks == slow->tasks &&
	       stays->missing == slow->missing && stays->floating == slow->floating &&
	       stays->beyond == slow->beyond && stays->why[MAUI_SR_DOWN] == slow->why[MAUI_SR_DOWN];
}

/* Whether it stays. *ret_unchanged: whether all nodes say so, too. */
static bool compare(const struct scene *scene, const char *line, bool *ret_unchanged)
{
	struct maui_sr_placement stays = {.shares = NULL}, slow = place(scene);
	struct maui_sr_reach reach;
	bool stay;

	maui_sr_reach(&scene->request, scene->nodes, NODES, &reach);
	stay = maui_sr_stay(&scene->request, scene->nodes, NODES, &reach, &stays);
	cr_expect(!stay || same(&stays, &slow),
		  "%s: %u tasks on %zu nodes, %u down, and not "
		  "%u on %zu, %u down",
		  line, stays.tasks, stays.count, stays.why[MAUI_SR_DOWN], slow.tasks, slow.count,
		  slow.why[MAUI_SR_DOWN]);
	*ret_unchanged = !slow.changed && !slow.missing;
	maui_sr_placement_clear(&stays);
	maui_sr_placement_clear(&slow);
	return stay;
}

Test(sr_stay, what_stays_is_what_a_look_at_all_nodes_says)
{
	uint32_t seed = 1;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		unsigned int stayed = 0, unchanged = 0;
		struct scene scene;

		open_scene(&scene, lines[i]);
		for (int try = 0; try < TRIES; try++) {
			bool stays_slow;

			scene.request = (struct maui_sr_request){
				.sr = scene.sr,
				.listed = scene.sr->hosts ? scene.listed : NULL,
				.excluded = scene.sr->excluded ? scene.excluded : NULL,
				.from = 5,
				.end = 15};
			draw_machine(&scene, &seed);
			draw_former(&scene, &seed);
			stayed += compare(&scene, lines[i], &stays_slow);
			unchanged += stays_slow;
		}
		cr_expect_gt(stayed, 0, "%s: none stays", lines[i]);
		if (!(scene.sr->flags & MAUI_SR_SPACEFLEX)) /* which gives up most of what it has */
			cr_expect_geq(2 * stayed, unchanged, "%s: %u stay, and %u are unchanged",
				      lines[i], stayed, unchanged);
		reservations_close(&scene.reservations);
	}
}
