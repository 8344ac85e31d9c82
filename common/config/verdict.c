/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdicts on keys that have an effect. The table is complete: a test finds any key without an
 * entry.
 */
#include "common/config/verdict.h"

#include <string.h>

#include "common/config/verdict_private.h"

#define HONOURED                                                                                   \
	{                                                                                          \
		MAUI_HONOURED, ""                                                                  \
	}
#define NEARLY(HOW)                                                                                \
	{                                                                                          \
		MAUI_APPROXIMATED, HOW                                                             \
	}
#define NO_ENTRY                                                                                   \
	{                                                                                          \
		0                                                                                  \
	}
#define PARAMETER(NAME) [MAUI_KEY_##NAME] = HONOURED
#define COMPONENT(NAME, WEIGHT_ALIASES, CAP_ALIASES, DEFAULT, AREA, WHAT, VERDICT)                 \
	[MAUI_KEY_##NAME##WEIGHT] = VERDICT_##VERDICT, [MAUI_KEY_##NAME##CAP] = VERDICT_##VERDICT
#define VERDICT_HONOURED                              HONOURED
#define VERDICT_NEARLY(HOW)                           NEARLY(HOW)
#define VERDICT_IGNORED(WHY)                          NO_ENTRY
#define VERDICT_HARMLESS(WHY)                         NO_ENTRY
#define ATTRIBUTE(NAME)                               [MAUI_ATTR_##NAME] = HONOURED
#define LIMIT(METRIC, KIND, COUNTS, OF_NODES, PREFIX) ATTRIBUTE(PREFIX##METRIC)
#define LIMITS(PREFIX)                                MAUI_LIMIT_METRIC_KEYS(LIMIT, PREFIX)
#define GRES_LIMITS(PREFIX)                           MAUI_GRES_METRIC_KEYS(LIMIT, PREFIX)
#define SR_ATTRIBUTE(NAME, ...)                       ATTRIBUTE(NAME)
#define SR_WITHOUT_EFFECT(NAME, ...)                  [MAUI_ATTR_##NAME] = NO_ENTRY

#define BESIDE_SLURM                                                                               \
	"it counts for NODEALLOCATIONPOLICY; what a job may have of the node is what slurm.conf "  \
	"says"

const struct maui_verdict_entry maui_verdict_table[MAUI_KEYS] = {
	PARAMETER(SERVERPORT),
	PARAMETER(ADMIN1),
	PARAMETER(ADMIN2),
	PARAMETER(ADMIN3),
	[MAUI_KEY_RMPOLLINTERVAL] =
		NEARLY("it is the engine's interval; Slurm itself starts jobs when something "
		       "happens, and every sched_interval and bf_interval "
		       "(SchedulerParameters)"),

	MAUI_COMPONENT_KEYS(COMPONENT),
	MAUI_SUBCOMPONENT_KEYS(COMPONENT),
	PARAMETER(XFMINWCLIMIT),
	PARAMETER(REJECTNEGPRIOJOBS),
	PARAMETER(ENABLENEGJOBPRIORITY),
	PARAMETER(JOBPRIOACCRUALPOLICY),
	PARAMETER(PEGRES),

	PARAMETER(FSPOLICY),
	PARAMETER(FSINTERVAL),
	PARAMETER(FSDEPTH),
	PARAMETER(FSDECAY),
	PARAMETER(USEMACHINESPEEDFORFS),
	PARAMETER(STATDIR),
	PARAMETER(CHECKPOINTINTERVAL),

	PARAMETER(SYSTEMMAXPROCPERJOB),
	PARAMETER(SYSTEMMAXPROCSECONDPERJOB),
	PARAMETER(SYSTEMMAXJOBWALLTIME),

	PARAMETER(NODEALLOCATIONPOLICY),
	[MAUI_KEY_NODEALLOCATIONLOCAL] = HONOURED,
	PARAMETER(NODEACCESSPOLICY),

	PARAMETER(RESCTLPOLICY),

	ATTRIBUTE(PRIORITY),
	ATTRIBUTE(FSTARGET),
	ATTRIBUTE(QTWEIGHT),
	ATTRIBUTE(XFWEIGHT),
	ATTRIBUTE(QTTARGET),
	ATTRIBUTE(XFTARGET),
	ATTRIBUTE(CLASSWEIGHT),
	ATTRIBUTE(QFLAGS),
	[MAUI_ATTR_QLIST] = NEARLY("it takes from the QOS that Slurm allows and never adds to "
				   "them: sacctmgr says which those are"),
	[MAUI_ATTR_QDEF] = NEARLY("it is the QOS for these policies alone; where slurmdbd is used "
				  "every job has one in Slurm, and DefaultQOS of sacctmgr "
				  "decides"),
	LIMITS(MAX),
	LIMITS(MAXI),
	LIMITS(OMAX),
	LIMITS(OMAXI),
	ATTRIBUTE(OMAXJNODE),
	ATTRIBUTE(OMAXJPE),
	ATTRIBUTE(OMAXJPROC),
	ATTRIBUTE(OMAXJPS),
	ATTRIBUTE(OMAXJWC),
	ATTRIBUTE(OMAXJMEM),
	GRES_LIMITS(MAX),
	GRES_LIMITS(MAXI),
	GRES_LIMITS(OMAX),
	GRES_LIMITS(OMAXI),
	ATTRIBUTE(OMAXJGRES),
	ATTRIBUTE(MAXGRESPERJOB),
	ATTRIBUTE(MAXJOBPERUSER),
	ATTRIBUTE(MAXNODEPERUSER),
	ATTRIBUTE(MAXPROCPERUSER),
	ATTRIBUTE(MAXNODEPERJOB),
	ATTRIBUTE(MAXPROCPERJOB),
	ATTRIBUTE(MAX_WCLIMIT),

	ATTRIBUTE(PRIORITYF),
	ATTRIBUTE(SPEED),
	ATTRIBUTE(PROCSPEED),
	ATTRIBUTE(MAXPEPERJOB),
	ATTRIBUTE(MAXLOAD),
	[MAUI_ATTR_FEATURES] = NEARLY("it counts where maui.cfg asks for features; what sbatch "
				      "--constraint asks for is Feature= in slurm.conf"),
	ATTRIBUTE(FRAME),
	ATTRIBUTE(SLOT),
	ATTRIBUTE(SIZE),
	[MAUI_ATTR_CFGDISK] = NEARLY(BESIDE_SLURM),
	[MAUI_ATTR_CFGMEM] = NEARLY(BESIDE_SLURM),
	[MAUI_ATTR_CFGSWAP] = NEARLY(BESIDE_SLURM),
	ATTRIBUTE(LOADWEIGHT),
	ATTRIBUTE(CFGMEMWEIGHT),
	ATTRIBUTE(CFGPROCWEIGHT),
	ATTRIBUTE(AVLMEMWEIGHT),
	ATTRIBUTE(AVLPROCWEIGHT),
	ATTRIBUTE(PRIOWEIGHT),
	ATTRIBUTE(SPEEDWEIGHT),
	ATTRIBUTE(USAGEWEIGHT),

	MAUI_SR_KEYS(SR_ATTRIBUTE, SR_WITHOUT_EFFECT),
};

/* Keys whose verdict differs from one section to another. */
static const struct {
	enum maui_section section;
	enum maui_key key;
	const char *why;
} exceptions[] = {
	{MAUI_SRCFG, MAUI_ATTR_PRIORITY,
	 "it is shown, but nothing uses it: reservations of Slurm have no priority"},
	{MAUI_NODECFG, MAUI_ATTR_PARTITION, "in Slurm: PartitionName=... Nodes=..."},
	{MAUI_SYSCFG, MAUI_ATTR_PLIST,
	 "in Slurm: every job may go to every partition whose Allow... lets it in"},
};

static const char *const names[] = {
	[MAUI_HONOURED] = "honoured",
	[MAUI_APPROXIMATED] = "approximated",
	[MAUI_IGNORED] = "ignored",
};

const char *maui_verdict_name(enum maui_verdict_kind kind)
{
	return (unsigned int)kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "";
}

const char *maui_loss_name(enum maui_loss loss)
{
	static const char *const words[MAUI_LOSSES] = {"none", "harmless", "different", "policy"};

	return (unsigned int)loss < MAUI_LOSSES ? words[loss] : "";
}

/* Why a key has no effect in a section; NULL: it has one. */
static const char *why_ignored(const struct maui_key_info *key, enum maui_section section)
{
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(exceptions[0]); i++)
		if (exceptions[i].section == section && exceptions[i].key == key->key)
			return exceptions[i].why;
	if (maui_key_area(key, section) == MAUI_AREA_SLURM)
		return key->summary;
	if (key->missing)
		return key->missing;
	return maui_verdict_table[key->key].text ? NULL : "";
}

struct maui_verdict maui_key_verdict(const struct maui_key_info *key, enum maui_section section)
{
	const struct maui_verdict_entry *entry = &maui_verdict_table[key->key];
	const char *why = why_ignored(key, section);

	if (why)
		return (struct maui_verdict){
			MAUI_IGNORED, key->harmless ? MAUI_LOSS_HARMLESS : MAUI_LOSS_POLICY, why};
	return (struct maui_verdict){
		entry->kind, entry->kind == MAUI_HONOURED ? MAUI_LOSS_NONE : MAUI_LOSS_DIFFERENT,
		entry->text};
}
