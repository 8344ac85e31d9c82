/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keywords and flags that are read but not supported as the key's other values are. */
#include <string.h>

#include "common/config/verdict.h"
#include "common/util/text.h"

struct word {
	const char *word, *text;
	enum maui_loss loss; /* DIFFERENT: it has some effect */
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* JOBATTRLIST of an SRCFG may still name the flag. */
#define NO_PREEMPTION                                                                              \
	"nobody is preempted for it, and JOBATTRLIST alone looks at it; in Slurm: "                \
	"PreemptType=preempt/qos and PreemptMode=REQUEUE in slurm.conf, and sacctmgr modify qos "

/*
 * DEAD: it has no effect at all. IDLE: it needs none, as things are so without it. ACTS: it has one,
 * but not the original's.
 */
#define DEAD(WORD, TEXT)                                                                           \
	{                                                                                          \
#WORD, #WORD ": " TEXT, MAUI_LOSS_POLICY                                           \
	}
#define IDLE(WORD, TEXT)                                                                           \
	{                                                                                          \
#WORD, #WORD ": " TEXT, MAUI_LOSS_HARMLESS                                         \
	}
#define ACTS(WORD, TEXT)                                                                           \
	{                                                                                          \
#WORD, #WORD ": " TEXT, MAUI_LOSS_DIFFERENT                                        \
	}

static const struct word qos_flags[] = {
	DEAD(IGNSRMAXTIME, "write TIMELIMIT of the SRCFG without '*'"),
	DEAD(PREEMPTOR, NO_PREEMPTION "where name=THIS set preempt=THAT"),
	DEAD(PREEMPTEE, NO_PREEMPTION "where name=THAT set preempt=THIS"),
	DEAD(DEDICATED, "in Slurm: sbatch --exclusive; here: NODEACCESSPOLICY"),
	DEAD(RESERVEALWAYS,
	     "in Slurm: sched/backfill plans every job that it tests (bf_max_job_test)"),
	DEAD(USERESERVED, "write QOSLIST of the SRCFG"),
	DEAD(NOBF, "in Slurm no job is kept from backfill"),
	DEAD(NORESERVATION, "in Slurm: Flags=NoReserve of the QOS"),
	DEAD(RESTARTPREEMPT, "in Slurm: PreemptMode=REQUEUE"),
	DEAD(NTR, "write a high PRIORITY of the QOSCFG; in slurm.conf: PartitionName=... "
		  "PriorityTier=2"),
	DEAD(RUNNOW, "in slurm.conf: PreemptType=preempt/partition_prio, PreemptMode=REQUEUE and "
		     "PartitionName=... PriorityTier=2"),
	DEAD(PREEMPTSPV, "in Slurm nobody is preempted for a soft limit"),
	DEAD(IGNHOSTLIST, "in Slurm sbatch --nodelist always holds"),
};

static const struct word reservation_flags[] = {
	IDLE(STANDINGRES, "every SRCFG is one"),
	DEAD(META, "in Slurm: federations"),
	DEAD(PREEMPTEE,
	     "reservations are not preempted; OWNERPREEMPT lets owners take back their nodes"),
	DEAD(TIMEFLEX, "in Slurm: scontrol create reservation Flags=TIME_FLOAT"),
	IDLE(ADVRES, "every reservation of Slurm is one"),
	IDLE(BESTEFFORT, "a reservation takes what it can get anyway"),
};

static const struct word fairshare_policies[] = {
	ACTS(UTILIZEDPS, "what was measured of a job's steps counts, and what it held besides "
			 "them: Slurm does not report what a batch script used"),
};

static const struct word control_policies[] = {
	ACTS(ANY, "users make reservations within bounds: maui(1), setres"),
};

static const struct word *words_of(enum maui_key key, size_t *ret_count)
{
	switch (key) {
	case MAUI_ATTR_QFLAGS:
		*ret_count = COUNT(qos_flags);
		return qos_flags;
	case MAUI_ATTR_FLAGS:
		*ret_count = COUNT(reservation_flags);
		return reservation_flags;
	case MAUI_KEY_FSPOLICY:
		*ret_count = COUNT(fairshare_policies);
		return fairshare_policies;
	case MAUI_KEY_RESCTLPOLICY:
		*ret_count = COUNT(control_policies);
		return control_policies;
	default:
		*ret_count = 0;
		return NULL;
	}
}

static const struct word *verdict_value_find(enum maui_key key, const char *word)
{
	size_t count = 0;
	const struct word *words = words_of(key, &count);

	for (size_t i = 0; words && i < count; i++)
		if (maui_equals(word, strlen(word), words[i].word))
			return &words[i];
	return NULL;
}

const char *maui_value_remark(const struct maui_value *value, size_t index, bool *ret_acts)
{
	const struct word *word = NULL;

	if (value->key->kind == MAUI_KIND_FLAGS && index < value->list_size)
		word = verdict_value_find(value->key->key, value->list[index]);
	*ret_acts = !word || word->loss == MAUI_LOSS_DIFFERENT;
	return word ? word->text : NULL;
}

/* A flag without effect among others that have one makes the whole approximate. */
static struct maui_verdict of_flags(const struct maui_value *value)
{
	struct maui_verdict verdict = {MAUI_HONOURED, MAUI_LOSS_NONE, ""};
	size_t dead = 0;

	for (size_t i = 0; i < value->list_size; i++) {
		const struct word *word = verdict_value_find(value->key->key, value->list[i]);

		if (!word)
			continue;
		dead += word->loss != MAUI_LOSS_DIFFERENT;
		verdict.kind = MAUI_APPROXIMATED;
		if (word->loss > verdict.loss)
			verdict.loss = word->loss;
	}
	if (dead && dead == value->list_size)
		verdict.kind = MAUI_IGNORED;
	return verdict;
}

static struct maui_verdict of_keyword(const struct maui_value *value)
{
	const struct word *word =
		verdict_value_find(value->key->key, value->key->keywords[value->integer]);

	if (!word)
		return (struct maui_verdict){MAUI_HONOURED, MAUI_LOSS_NONE, ""};
	return (struct maui_verdict){MAUI_APPROXIMATED, MAUI_LOSS_DIFFERENT, word->text};
}

struct maui_verdict maui_value_verdict(const struct maui_value *value, enum maui_section section)
{
	struct maui_verdict verdict = maui_key_verdict(value->key, section);

	if (value->key->key == MAUI_KEY_SERVERMODE &&
	    maui_equals(value->text, strlen(value->text), "NORMAL"))
		verdict.loss = MAUI_LOSS_HARMLESS;
	if (verdict.kind != MAUI_HONOURED)
		return verdict;
	if (value->key->key == MAUI_KEY_STATDIR && *value->text != '/')
		return (struct maui_verdict){MAUI_APPROXIMATED, MAUI_LOSS_DIFFERENT,
					     "a relative name is taken in StateSaveLocation/maui"};
	if (value->key->kind == MAUI_KIND_FLAGS)
		return of_flags(value);
	if (value->key->kind == MAUI_KIND_KEYWORD || value->key->kind == MAUI_KIND_FSPOLICY)
		return of_keyword(value);
	return verdict;
}
