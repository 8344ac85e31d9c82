/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Components and subcomponents as data: names, the labels of diagnose -p, and the keys of weights
 * and caps.
 */
#include <assert.h>

#include "common/policy/priority/priority.h"

/* Credentials index both groups of five. */
static_assert(MAUI_CRED_USER + (int)MAUI_GROUP == (int)MAUI_CRED_GROUP, "order of credentials");
static_assert(MAUI_CRED_USER + (int)MAUI_ACCOUNT == (int)MAUI_CRED_ACCOUNT, "order of credentials");
static_assert(MAUI_CRED_USER + (int)MAUI_QOS == (int)MAUI_CRED_QOS, "order of credentials");
static_assert(MAUI_CRED_USER + (int)MAUI_CLASS == (int)MAUI_CRED_CLASS, "order of credentials");
static_assert(MAUI_FS_USER + (int)MAUI_GROUP == (int)MAUI_FS_GROUP, "order of credentials");
static_assert(MAUI_FS_USER + (int)MAUI_ACCOUNT == (int)MAUI_FS_ACCOUNT, "order of credentials");
static_assert(MAUI_FS_USER + (int)MAUI_QOS == (int)MAUI_FS_QOS, "order of credentials");
static_assert(MAUI_FS_USER + (int)MAUI_CLASS == (int)MAUI_FS_CLASS, "order of credentials");

/* clang-format off */
#define COMPONENT(id, label, first, last)                                                         \
	[MAUI_##id] = {#id, label, MAUI_KEY_##id##WEIGHT, MAUI_KEY_##id##CAP, MAUI_##id##_##first, \
		       MAUI_##id##_##last}
const struct maui_component_info maui_components[MAUI_COMPONENTS] = {
	COMPONENT(CRED, "Cred", USER, CLASS),
	COMPONENT(FS, "FS", USER, TREE),
	COMPONENT(SERV, "Serv", QUEUETIME, BYPASS),
	COMPONENT(TARG, "Targ", QUEUETIME, XFACTOR),
	COMPONENT(RES, "Res", NODE, GRES),
	COMPONENT(USAGE, "Usage", CONSUMED, PERCENT),
};

#define SUB(component, id, key, label)                                                             \
	[MAUI_##component##_##id] = {#key, label, MAUI_##component, MAUI_KEY_##key##WEIGHT,        \
				     MAUI_KEY_##key##CAP}
/* USAGE's subcomponents have the manual's names; their parameters begin with USAGE. */
#define USAGE_SUB(id, label)                                                                       \
	[MAUI_USAGE_##id] = {#id, label, MAUI_USAGE, MAUI_KEY_USAGE##id##WEIGHT,                   \
			     MAUI_KEY_USAGE##id##CAP}
const struct maui_subcomponent_info maui_subcomponents[MAUI_SUBCOMPONENTS] = {
	SUB(CRED, USER, USER, "User"),
	SUB(CRED, GROUP, GROUP, "Group"),
	SUB(CRED, ACCOUNT, ACCOUNT, "Accnt"),
	SUB(CRED, QOS, QOS, "QOS"),
	SUB(CRED, CLASS, CLASS, "Class"),
	SUB(FS, USER, FSUSER, "User"),
	SUB(FS, GROUP, FSGROUP, "Group"),
	SUB(FS, ACCOUNT, FSACCOUNT, "Accnt"),
	SUB(FS, QOS, FSQOS, "QOS"),
	SUB(FS, CLASS, FSCLASS, "Class"),
	SUB(FS, TREE, FSTREE, "Tree"),
	SUB(SERV, QUEUETIME, QUEUETIME, "QTime"),
	SUB(SERV, XFACTOR, XFACTOR, "XFctr"),
	SUB(SERV, SPVIOLATION, SPVIOLATION, "SPVio"),
	SUB(SERV, BYPASS, BYPASS, "Bypas"),
	SUB(TARG, QUEUETIME, TARGETQUEUETIME, "QTime"),
	SUB(TARG, XFACTOR, TARGETXFACTOR, "XFctr"),
	SUB(RES, NODE, NODE, "Node"),
	SUB(RES, PROC, PROC, "Proc"),
	SUB(RES, MEM, MEM, "Mem"),
	SUB(RES, SWAP, SWAP, "Swap"),
	SUB(RES, DISK, DISK, "Disk"),
	SUB(RES, PS, PS, "PS"),
	SUB(RES, PE, PE, "PE"),
	SUB(RES, WALLTIME, WALLTIME, "WTime"),
	SUB(RES, GRES, GRES, "GRES"),
	USAGE_SUB(CONSUMED, "Cons"),
	USAGE_SUB(REMAINING, "Rem"),
	USAGE_SUB(EXECUTIONTIME, "ETime"),
	USAGE_SUB(PERCENT, "Perc"),
};
/* clang-format on */
