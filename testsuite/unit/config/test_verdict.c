/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdicts on keys and values. */
#include "config_test.h"

#include "common/config/verdict.h"
#include "common/config/verdict_private.h"

Test(verdict, every_key_has_one_in_every_section)
{
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		for (int section = 0; section < MAUI_SECTIONS; section++) {
			struct maui_verdict verdict = maui_key_verdict(info, section);

			if (!(info->sections & MAUI_IN(section)))
				continue;
			cr_expect(verdict.kind == MAUI_HONOURED || *verdict.text,
				  "%s in %s: no reason", info->name, maui_section_name(section));
			cr_expect(verdict.kind != MAUI_HONOURED || !*verdict.text, "%s",
				  info->name);
		}
	}
}

/* The table and the key table agree on which keys have an effect. */
Test(verdict, the_table_has_the_keys_that_have_an_effect_and_no_others)
{
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);
		bool acts = info->area != MAUI_AREA_SLURM && !info->missing;

		cr_expect_eq(maui_verdict_table[key].text != NULL, acts, "%s", info->name);
	}
}

static struct maui_verdict verdict_of(const char *line, enum maui_section section,
				      enum maui_key key)
{
	struct maui_config *config;
	struct maui_error error;
	const struct maui_object *object;
	const struct maui_value *value;
	struct maui_verdict verdict;

	cr_assert_eq(maui_config_parse("t", line, strlen(line), NULL, &config, &error), 0, "%s",
		     error.text);
	object = maui_config_object(config, section, "x");
	value = section == MAUI_PARAMETERS ? maui_config_get(config, key, NULL)
					   : maui_object_get(object, key);
	cr_assert(value && maui_value_given(value), "%s", line);
	verdict = maui_value_verdict(value, section);
	maui_config_unref(config);
	return verdict;
}

Test(verdict, values_have_their_own)
{
	static const struct {
		const char *line;
		enum maui_section section;
		enum maui_key key;
		enum maui_verdict_kind kind;
	} cases[] = {
		{"FSPOLICY DEDICATEDPS", MAUI_PARAMETERS, MAUI_KEY_FSPOLICY, MAUI_HONOURED},
		{"FSPOLICY UTILIZEDPS%", MAUI_PARAMETERS, MAUI_KEY_FSPOLICY, MAUI_APPROXIMATED},
		{"STATDIR /var/stats", MAUI_PARAMETERS, MAUI_KEY_STATDIR, MAUI_HONOURED},
		{"STATDIR stats", MAUI_PARAMETERS, MAUI_KEY_STATDIR, MAUI_APPROXIMATED},
		{"RESCTLPOLICY ADMINONLY", MAUI_PARAMETERS, MAUI_KEY_RESCTLPOLICY, MAUI_HONOURED},
		{"RESCTLPOLICY any", MAUI_PARAMETERS, MAUI_KEY_RESCTLPOLICY, MAUI_APPROXIMATED},
		{"QOSCFG[x] QFLAGS=IGNALL", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_HONOURED},
		{"QOSCFG[x] QFLAGS=IGNALL,NOBF", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_APPROXIMATED},
		{"QOSCFG[x] QFLAGS=NOBF,NTR", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_IGNORED},
		{"QOSCFG[x] QFLAGS=PREEMPTEE", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_IGNORED},
		{"QOSCFG[x] QFLAGS=PREEMPTOR", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_IGNORED},
		{"QOSCFG[x] QFLAGS=IGNALL,PREEMPTOR", MAUI_QOSCFG, MAUI_ATTR_QFLAGS,
		 MAUI_APPROXIMATED},
		{"CLASSCFG[x] JOBFLAGS=PREEMPTEE", MAUI_CLASSCFG, MAUI_ATTR_JOBFLAGS, MAUI_IGNORED},
		{"SRCFG[x] FLAGS=BYNAME", MAUI_SRCFG, MAUI_ATTR_FLAGS, MAUI_HONOURED},
		{"SRCFG[x] FLAGS=BYNAME,META", MAUI_SRCFG, MAUI_ATTR_FLAGS, MAUI_APPROXIMATED},
		{"SRCFG[x] PRIORITY=1", MAUI_SRCFG, MAUI_ATTR_PRIORITY, MAUI_IGNORED},
		{"USERCFG[x] PRIORITY=1", MAUI_USERCFG, MAUI_ATTR_PRIORITY, MAUI_HONOURED},
		{"NODECFG[x] PARTITION=a", MAUI_NODECFG, MAUI_ATTR_PARTITION, MAUI_IGNORED},
		{"SRCFG[x] PARTITION=a", MAUI_SRCFG, MAUI_ATTR_PARTITION, MAUI_HONOURED},
		{"BACKFILLPOLICY FIRSTFIT", MAUI_PARAMETERS, MAUI_KEY_BACKFILLPOLICY, MAUI_IGNORED},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_eq(verdict_of(cases[i].line, cases[i].section, cases[i].key).kind,
			     cases[i].kind, "%s", cases[i].line);
}

/* What is lost by a line, whatever its verdict. */
Test(verdict, losses)
{
	static const struct {
		const char *line;
		enum maui_section section;
		enum maui_key key;
		enum maui_loss loss;
	} cases[] = {
		{"CREDWEIGHT 1", MAUI_PARAMETERS, MAUI_KEY_CREDWEIGHT, MAUI_LOSS_NONE},
		{"USAGEWEIGHT 1", MAUI_PARAMETERS, MAUI_KEY_USAGEWEIGHT, MAUI_LOSS_DIFFERENT},
		{"SPVIOLATIONWEIGHT 1", MAUI_PARAMETERS, MAUI_KEY_SPVIOLATIONWEIGHT,
		 MAUI_LOSS_POLICY},
		{"SWAPCAP 1", MAUI_PARAMETERS, MAUI_KEY_SWAPCAP, MAUI_LOSS_HARMLESS},
		{"UJOBWEIGHT 1", MAUI_PARAMETERS, MAUI_KEY_UJOBWEIGHT, MAUI_LOSS_HARMLESS},
		{"LOGLEVEL 3", MAUI_PARAMETERS, MAUI_KEY_LOGLEVEL, MAUI_LOSS_HARMLESS},
		{"SERVERMODE NORMAL", MAUI_PARAMETERS, MAUI_KEY_SERVERMODE, MAUI_LOSS_HARMLESS},
		{"SERVERMODE TEST", MAUI_PARAMETERS, MAUI_KEY_SERVERMODE, MAUI_LOSS_POLICY},
		{"PREEMPTPOLICY REQUEUE", MAUI_PARAMETERS, MAUI_KEY_PREEMPTPOLICY,
		 MAUI_LOSS_POLICY},
		{"RESDEPTH 4", MAUI_PARAMETERS, MAUI_KEY_RESDEPTH, MAUI_LOSS_HARMLESS},
		{"SIMSTARTTIME 1", MAUI_PARAMETERS, MAUI_KEY_SIM, MAUI_LOSS_HARMLESS},
		{"FSPOLICY UTILIZEDPS", MAUI_PARAMETERS, MAUI_KEY_FSPOLICY, MAUI_LOSS_DIFFERENT},
		{"QOSCFG[x] QFLAGS=IGNALL", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_LOSS_NONE},
		{"QOSCFG[x] QFLAGS=IGNALL,NOBF", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_LOSS_POLICY},
		{"SRCFG[x] FLAGS=BYNAME,ADVRES", MAUI_SRCFG, MAUI_ATTR_FLAGS, MAUI_LOSS_HARMLESS},
		{"SRCFG[x] FLAGS=ADVRES,META", MAUI_SRCFG, MAUI_ATTR_FLAGS, MAUI_LOSS_POLICY},
		{"SRCFG[x] PRIORITY=1", MAUI_SRCFG, MAUI_ATTR_PRIORITY, MAUI_LOSS_POLICY},
		{"SRCFG[x] IDLETIME=1:00:00", MAUI_SRCFG, MAUI_ATTR_IDLETIME, MAUI_LOSS_HARMLESS},
		{"NODECFG[x] ACCESS=SHARED", MAUI_NODECFG, MAUI_ATTR_NODEACCESS,
		 MAUI_LOSS_HARMLESS},
		{"NODECFG[x] PARTITION=a", MAUI_NODECFG, MAUI_ATTR_PARTITION, MAUI_LOSS_POLICY},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_eq(verdict_of(cases[i].line, cases[i].section, cases[i].key).loss,
			     cases[i].loss, "%s", cases[i].line);
}

/* A key that acts loses nothing or differs; only one without effect can be harmless. */
Test(verdict, only_keys_without_effect_are_harmless)
{
	for (unsigned int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info((enum maui_key)key);

		for (unsigned int section = 0; section < MAUI_SECTIONS; section++) {
			struct maui_verdict verdict;

			if (!(info->sections & MAUI_IN(section)))
				continue;
			verdict = maui_key_verdict(info, (enum maui_section)section);
			cr_expect_eq(verdict.loss == MAUI_LOSS_NONE, verdict.kind == MAUI_HONOURED,
				     "%s", info->name);
			cr_expect_eq(verdict.loss == MAUI_LOSS_DIFFERENT,
				     verdict.kind == MAUI_APPROXIMATED, "%s", info->name);
			cr_expect(!info->harmless || verdict.kind == MAUI_IGNORED, "%s",
				  info->name);
		}
	}
}

/* What an administrator is told to paste. */
Test(verdict, remedies)
{
	static const struct {
		const char *line;
		enum maui_section section;
		enum maui_key key;
		const char *remedies[3];
	} cases[] = {
		{"RESERVATIONDEPTH 4",
		 MAUI_PARAMETERS,
		 MAUI_KEY_RESERVATIONDEPTH,
		 {"SchedulerParameters=bf_job_part_count_reserve="}},
		{"PREEMPTPOLICY REQUEUE",
		 MAUI_PARAMETERS,
		 MAUI_KEY_PREEMPTPOLICY,
		 {"PreemptMode=REQUEUE"}},
		{"QOSCFG[x] QFLAGS=NTR", MAUI_QOSCFG, MAUI_ATTR_QFLAGS, {"PriorityTier=2"}},
		{"QOSCFG[x] QFLAGS=RUNNOW",
		 MAUI_QOSCFG,
		 MAUI_ATTR_QFLAGS,
		 {"PreemptType=preempt/partition_prio", "PreemptMode=REQUEUE", "PriorityTier=2"}},
		{"QOSCFG[x] QFLAGS=PREEMPTOR",
		 MAUI_QOSCFG,
		 MAUI_ATTR_QFLAGS,
		 {"PreemptType=preempt/qos", "PreemptMode=REQUEUE",
		  "sacctmgr modify qos where name=THIS set preempt=THAT"}},
		{"QOSCFG[x] QFLAGS=PREEMPTEE",
		 MAUI_QOSCFG,
		 MAUI_ATTR_QFLAGS,
		 {"nobody is preempted for it", "JOBATTRLIST",
		  "sacctmgr modify qos where name=THAT set preempt=THIS"}},
		{"CLASSCFG[x] JOBFLAGS=PREEMPTOR",
		 MAUI_CLASSCFG,
		 MAUI_ATTR_JOBFLAGS,
		 {"PreemptType=preempt/partition_prio", "PriorityTier="}},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *line = cases[i].line;
		struct maui_config *config;
		const struct maui_value *value;
		const char *text;
		bool acts;

		cr_assert_eq(maui_config_parse("t", line, strlen(line), NULL, &config, NULL), 0);
		value = cases[i].section == MAUI_PARAMETERS
				? maui_config_get(config, cases[i].key, NULL)
				: maui_object_get(maui_config_object(config, cases[i].section, "x"),
						  cases[i].key);
		cr_assert_not_null(value, "%s", line);
		text = maui_value_verdict(value, cases[i].section).text;
		if (cases[i].key == MAUI_ATTR_QFLAGS)
			text = maui_value_remark(value, 0, &acts);
		for (size_t k = 0; k < COUNT(cases[i].remedies) && cases[i].remedies[k]; k++)
			cr_expect(strstr(text, cases[i].remedies[k]), "%s: %s", line, text);
		maui_config_unref(config);
	}
}
