/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The attributes of standing reservations: a line for each, from which the enumerator (keys.h), the
 * entry in the key table and the verdict are made. The line of PRIORITY is in the key table, as
 * credentials have it, too.
 *
 * KEY(NAME, SECTIONS, KIND, SUMMARY, ...): what follows are members of struct maui_key_info.
 * WITHOUT_EFFECT(NAME, KIND, WHY, ...): accepted without effect, and harmless.
 */
#ifndef MAUI_CONFIG_RESERVATION_KEYS_H
#define MAUI_CONFIG_RESERVATION_KEYS_H

/* clang-format off */
#define MAUI_SR_KEYS(KEY, WITHOUT_EFFECT)                                                         \
	KEY(ACCESS, IN_SRCFG, KEYWORD,                                                            \
	    "whether resources of other reservations may be taken, too",                          \
	    .default_text = "DEDICATED", .keywords = KEYWORDS("DEDICATED", "SHARED")),            \
	KEY(ACCOUNTLIST, IN_SRCFG, ACL, "jobs of these accounts may use the reservation",         \
	    .cumulative = true),                                                                  \
	KEY(CLASSLIST, IN_SRCFG, ACL, "jobs of these classes may use the reservation",            \
	    .cumulative = true),                                                                  \
	KEY(GROUPLIST, IN_SRCFG, ACL, "jobs of these groups may use the reservation",             \
	    .cumulative = true),                                                                  \
	KEY(QOSLIST, IN_SRCFG, ACL, "jobs of these QOS may use the reservation",                  \
	    .cumulative = true),                                                                  \
	KEY(USERLIST, IN_SRCFG, ACL, "jobs of these users may use the reservation",               \
	    .cumulative = true),                                                                  \
	KEY(JOBATTRLIST, IN_SRCFG, ACL,                                                           \
	    "jobs with these attributes: PREEMPTEE, by QFLAGS or x=FLAGS:PREEMPTEE may use the "  \
	    "reservation",                                                                        \
	    .cumulative = true),                                                                  \
	KEY(CHARGEACCOUNT, IN_SRCFG, STRING, "account that idle reserved cycles are charged to"), \
	KEY(DAYS, IN_PERIODS, DAYS, "days on which the reservation or period exists",             \
	    .default_text = "ALL"),                                                               \
	KEY(DEPTH, IN_SRCFG, INTEGER, "number of periods that are reserved ahead",                \
	    .default_text = "2", RANGE(1, 64)),                                                   \
	KEY(STARTTIME, IN_PERIODS, DURATION, "start after the beginning of the day or week",      \
	    .default_text = "0", RANGE(0, FOREVER)),                                              \
	KEY(ENDTIME, IN_PERIODS, DURATION,                                                        \
	    "end after the beginning of the day or week, 0 the period's end",                     \
	    .default_text = "0", RANGE(0, FOREVER)),                                              \
	KEY(WSTARTTIME, IN_SRCFG, DURATION, "start after the beginning of the week (Sunday)",     \
	    .default_text = "0", RANGE(0, FOREVER)),                                              \
	KEY(WENDTIME, IN_SRCFG, DURATION, "end after the beginning of the week (Sunday)",         \
	    .default_text = "0", RANGE(0, FOREVER)),                                              \
	KEY(UNTIL, IN_SRCFG, DATE,                                                                \
	    "date with which the reservation ends, that day included"),                           \
	KEY(FLAGS, IN_SRCFG, FLAGS, "special behaviour", .keywords = RESERVATION_FLAGS),          \
	KEY(HOSTLIST, IN_SRCFG, HOSTLIST,                                                         \
	    "nodes to take: names, ranges, or regular expressions"),                              \
	KEY(EXCLUDEHOSTLIST, IN_SRCFG, HOSTLIST,                                                  \
	    "nodes that are never taken, in the forms of HOSTLIST"),                              \
	WITHOUT_EFFECT(IDLETIME, DURATION, "the original never implemented it either",            \
	    RANGE(0, FOREVER)),                                                                   \
	KEY(NODEFEATURES, IN_SRCFG, LIST, "features that every node must have",                   \
	    .delimiters = ",:|[]"),                                                               \
	KEY(OWNER, IN_SRCFG, OWNER, "the credential that owns the reservation"),                  \
	KEY(PARTITION, IN_NODECFG | IN_SRCFG, STRING,                                             \
	    "partition that the reservation or node is in; ALL any"),                             \
	KEY(PERIOD, IN_PERIODS, KEYWORD, "how often the reservation or period recurs",            \
	    .default_text = "DAY", .keywords = KEYWORDS("DAY", "WEEK", "INFINITY")),              \
	KEY(PROCLIMIT, IN_SRCFG, COUNT_ACL,                                                       \
	    "jobs of up to so many processors may use the reservation", .cumulative = true),      \
	KEY(TASKLIMIT, IN_SRCFG, COUNT_ACL,                                                       \
	    "jobs of up to so many tasks may use the reservation", .cumulative = true),           \
	KEY(RESOURCES, IN_SRCFG, RESOURCES, "what makes up one task",                             \
	    .default_text = "PROCS=-1"),                                                          \
	KEY(TASKCOUNT, IN_SRCFG, INTEGER, "number of tasks to reserve, 0 all",                    \
	    .default_text = "0", RANGE(0, HUGE_NUMBER)),                                          \
	KEY(TIMELIMIT, IN_SRCFG, TIME_ACL,                                                        \
	    "jobs that overlap the reservation up to so long may use the reservation",            \
	    .cumulative = true),                                                                  \
	KEY(MAXTIME, IN_SRCFG, TIME_ACL, "takes the place of a TIMELIMIT before it"),             \
	KEY(TIMELOGIC, IN_SRCFG, KEYWORD, "AND is the older form of TIMELIMIT's '*'",             \
	    .default_text = "OR", .keywords = KEYWORDS("OR", "AND")),                             \
	KEY(TPN, IN_SRCFG, INTEGER, "tasks that every node must at least take",                   \
	    .default_text = "0", RANGE(0, HUGE_NUMBER)),                                          \
	KEY(TRIGGER, IN_SRCFG, TRIGGER,                                                           \
	    "what to do when the reservation is made, starts, or ends"),                          \
	WITHOUT_EFFECT(STIDLETIME, STRING, "the original keeps its own statistics there"),        \
	WITHOUT_EFFECT(STTOTALTIME, STRING, "the original keeps its own statistics there"),       \
	WITHOUT_EFFECT(NAME, STRING, "the name in brackets is the name")
/* clang-format on */

#endif
