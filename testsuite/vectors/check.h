/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparing fields of vectors with what the core says, and keeping count.
 *
 * A field passes when both agree. Where a decision departs from the original, a field may be
 * replaced: the area computes both readings by independent arithmetic, and the field passes if the
 * vector is the original's reading, the core's answer is the documented one, and the two differ. So
 * no rule can hide a third value, or act where there is nothing to depart from. A field without a
 * counterpart in the core is left out, also by a rule.
 */
#ifndef MAUI_VECTORS_CHECK_H
#define MAUI_VECTORS_CHECK_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each departure from the original; the table in check.c gives the decision behind it. */
enum rule {
	RULE_COMPONENT_DEFAULTS,
	RULE_XFMINWCLIMIT_DEFAULT,
	RULE_XFACTOR,
	RULE_FUTURE_SUBMISSION,
	RULE_TARGET_QUEUETIME,
	RULE_TARGET_PAST,
	RULE_CLASS_DEFAULT,
	RULE_FLOOR,
	RULE_MINUS_ONE,
	RULE_QTTARGET_TIME,
	RULE_PERCENT,
	RULE_EXECUTIONTIME,
	RULE_USAGE_CAPS,
	RULE_TWO_FIELDS,
	RULE_CASE,
	RULE_MAXWC_TIME,
	RULE_FS_DIALECT,
	RULE_FS_EMPTY_WINDOWS,
	RULE_FS_CAP_REQUEST,
	RULE_FS_CAP_DEFAULT,
	RULE_FS_CAP_REACHED,
	RULE_QUOTES,
	RULE_FORMULA_SUM,
	RULE_FORMULA_TRAILING,
	RULE_FORMULA_CONSTANT,
	RULE_RESAFFINITY,
	RULE_USAGE_PERCENT,
	RULE_PROCSPEED,
	RULE_FIRSTAVAILABLE,
	RULE_CPULOAD_TIERS,
	RULE_MINRESOURCE,
	RULE_MEMORY_CLASSES,
	RULE_MAXBALANCE,
	RULE_LIMIT_SOFT,
	RULE_LIMIT_MEM,
	RULE_IDLE_DEFAULT,
	RULE_IDLE_SOFT,
	RULE_USAGE_COMPLETE,
	RULE_PAIR_NAME,
	RULE_RESORT,
	RULE_ACL_NOT,
	RULE_ACL_LIMIT,
	RULE_ACL_OPERATOR,
	RULE_BLANKS,
	RULE_RSV_BASE_NAME,
	RULE_SR_FLAGS,
	RULE_SR_ACCESS,
	RULE_SR_LEGACY,
	RULE_SR_INFINITE,
	RULE_SR_WEEK,
	RULE_SR_CLOCK,
	RULE_SR_ROLL,
	RULE_SR_POLICY,
	RULE_SR_TRIM,
	RULE_SR_BEYOND,
	RULE_SR_CONFLICT,
	RULE_SR_TASKS,
	RULE_FORMULA_REFUSED, /* from here on they leave out */
	RULE_UPROC,
	RULE_ATTR,
	RULE_FS_TOTAL_NAME,
	RULE_FS_TABLE,
	RULE_ACL_RES,
	RULE_ACL_MAXTIME,
	RULE_SR_NAMES,
	RULES
};
/* A set of them. */
typedef unsigned __int128 rule_mask;
_Static_assert(RULES < 128, "a set has room for 128 rules");
#define RULE_BIT(rule) ((rule_mask)1 << (rule))
#define ALL_RULES      (RULE_BIT(RULES) - 1)

struct check {
	const char *file;
	size_t line;
	char id[80]; /* of the case */
	bool case_failed;
	size_t passed, failed;               /* cases */
	size_t compared, replaced, left_out; /* fields */
	size_t by_rule[RULES];
	size_t other;          /* cases of areas not compared yet */
	char other_areas[256]; /* their names */
};

/* A mismatch: one line on standard output, and the case has failed. */
void check_fail(struct check *check, const char *field, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void check_number(struct check *check, const char *field, double expected, double ours);
void check_text(struct check *check, const char *field, const char *expected, const char *ours);

/* A field with two readings. */
struct readings {
	double original, documented;
	rule_mask rules; /* those that make them differ */
	double scale;    /* for a sum: its largest term, which its last digits depend on; else 0 */
};
void check_readings(struct check *check, const char *field, double expected, double ours,
		    const struct readings *readings);

/*
 * The core has no such field. original is what the original's own formula gives for it, which is
 * compared instead.
 */
void check_left_out(struct check *check, const char *field, double expected, double original,
		    enum rule rule);

/* The same for a text. */
void check_text_left_out(struct check *check, const char *field, const char *expected,
			 const char *original, enum rule rule);
/* A text with two readings: passes if the vector's is the original's. */
void check_text_readings(struct check *check, const char *field, const char *expected,
			 const char *original, const char *documented, enum rule rule);

/* A text with two readings, by the same rule that check_readings() applies to numbers. */
struct text_readings {
	const char *original, *documented;
	rule_mask rules;
};
void check_text_rules(struct check *check, const char *field, const char *expected,
		      const char *ours, const struct text_readings *readings);

/* A member of the case that the area does not know: always a failure. */
void check_unknown(struct check *check, const char *field);
/* The same for all members of an object that are not in the NULL-terminated list. */
void check_members(struct check *check, struct json_object *object, const char *const known[]);

/*
 * Whether two numbers are equal except for the last digits, of themselves or of the terms they are
 * sums of.
 */
bool check_same(double a, double b, double scale);

/* Print the table of counts to standard output. */
void check_summary(const struct check *check);

/* Members of objects; the fallback if there is none. */
double member_number(struct json_object *object, const char *name, double fallback);
const char *member_text(struct json_object *object, const char *name);
struct json_object *member(struct json_object *object, const char *name);

/* One area: compare the fields of a case. */
void check_priority(struct check *check, struct json_object *object);
void check_node_alloc(struct check *check, struct json_object *object);
void check_node_priority(struct check *check, struct json_object *object);
void check_priorityf_parse(struct check *check, struct json_object *object);
void check_run_priority(struct check *check, struct json_object *object);
void check_cred_parse(struct check *check, struct json_object *object);
void check_fstarget_parse(struct check *check, struct json_object *object);
void check_time_parse(struct check *check, struct json_object *object);
void check_time_format(struct check *check, struct json_object *object);
void check_documented(struct check *check, struct json_object *object);
void check_fairshare_load(struct check *check, struct json_object *object);
void check_fairshare_roll(struct check *check, struct json_object *object);
void check_fairshare_cap(struct check *check, struct json_object *object);
void check_throttling(struct check *check, struct json_object *object);
void check_acl_raw(struct check *check, struct json_object *object);
void check_rsv_access(struct check *check, struct json_object *object);
void check_srcfg_parse(struct check *check, struct json_object *object);
void check_sr_windows(struct check *check, struct json_object *object);
void check_sr_instances(struct check *check, struct json_object *object);
/* An entry of documented_examples; false if its area is not one of these. */
bool check_fairshare_documented(struct check *check, const char *area, struct json_object *object);
bool check_throttling_documented(struct check *check, const char *area, struct json_object *object);
bool check_reservation_documented(struct check *check, const char *area,
				  struct json_object *object);

#endif
