/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QLIST and QDEF of maui.cfg: which QOS a job may use, and which one it gets if it names none:
 * D-LIM-14.
 *
 * For each credential of the job (user, group, account, class) one list applies: its own QLIST, or
 * else that of its type's DEFAULT; and the whole system's (SYSCFG). A credential that the job lacks
 * has none, and a QOS has neither: the key table refuses both on QOSCFG. The job's QOS is allowed
 * if
 *   - no list applies;
 *   - lists with the mark ^ (ONLY) apply, and the first of them names it, in the order user, group,
 *     account, class, system: it decides alone, whatever the others say;
 *   - no list has ^, and one of those without a mark names it (they are combined, OR), and each of
 *     those with & (AND) names it. If all have &, no other list needs to name it.
 * Whatever the lists say, the job may use the QOS that QDEF gives it, and no QOS at all.
 *
 * Neither the manual nor the original says where the marks go: they may be before or after any item
 * (`hi,low&`, `^hi:low`, `hi,&`), and apply to the whole list; ^ is stronger than &. So a QOS whose
 * name begins or ends with a mark cannot be listed. A list of nothing but marks does not count.
 * DEFAULT in a list or in QDEF is the QOS of jobs without one: it ends the search for a QDEF.
 *
 * Immutable once compiled. Answers need no allocation, no string and no lock: each takes a look-up
 * by id per credential, and a binary search in each list that applies.
 */
#ifndef MAUI_POLICY_QOS_ACCESS_H
#define MAUI_POLICY_QOS_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/config/config.h"
#include "common/policy/limits/limits.h" /* struct maui_limit_names, MAUI_WHOLE_SYSTEM */
#include "common/util/credential.h"
#include "common/util/error.h"

struct maui_qos_access;

/*
 * NULL if maui.cfg has no QLIST or QDEF: every function takes that as "everything is allowed, no
 * default". Names that names->id() maps to 0 are ignored; a list that names no other QOS allows
 * none.
 */
struct maui_qos_access *maui_qos_access_compile(const struct maui_config *config,
						const struct maui_limit_names *names);
/* Accepts NULL, returns NULL. */
struct maui_qos_access *maui_qos_access_free(struct maui_qos_access *access);

/*
 * The QOS of a job that names none: the first QDEF of its user, of the user DEFAULT, of its group,
 * of the group DEFAULT, and so on for account and class, and of the system. 0 if there is none.
 */
uint32_t maui_qos_default(const struct maui_qos_access *access,
			  const uint32_t credential[MAUI_CREDENTIALS]);

struct maui_qos_verdict {
	bool refused;      /* false: the rest is 0 */
	bool fallback;     /* the list is that of the type's DEFAULT */
	unsigned int type; /* enum maui_credential, or MAUI_WHOLE_SYSTEM with id 1 */
	uint32_t id;
};

/*
 * Whether the job may use a QOS. credential[MAUI_QOS] is ignored: the question is about qos. If
 * not, the verdict names the first list, in the order above, that would have to name it but does
 * not. ret_verdict may be NULL. Returns whether it is allowed.
 */
bool maui_qos_allowed(const struct maui_qos_access *access,
		      const uint32_t credential[MAUI_CREDENTIALS], uint32_t qos,
		      struct maui_qos_verdict *ret_verdict);

#define MAUI_QOS_ACCESS_TEXT_SIZE 256

/*
 * `QOS hi is not in QLIST of user bob`, with ` (USERCFG[DEFAULT])` if the list is there; "" if the
 * QOS is not refused. The names of the QOS and of the verdict's credential are NULL if not known;
 * long ones are truncated. Returns text.
 */
const char *maui_qos_access_text(const struct maui_qos_verdict *verdict, const char *qos,
				 const char *holder, char text[MAUI_QOS_ACCESS_TEXT_SIZE]);

/* Whether a QLIST, as read, names a QOS, ignoring its marks; qos NULL: any at all. */
bool maui_qos_list_names(const struct maui_value *list, const char *qos);

#endif
