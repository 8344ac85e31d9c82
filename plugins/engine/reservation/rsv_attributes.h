/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What JOBATTRLIST asks for: the attributes of jobs under the policy in force. Guarded by the
 * engine's mutex. */
#ifndef MAUI_ENGINE_RSV_ATTRIBUTES_H
#define MAUI_ENGINE_RSV_ATTRIBUTES_H

#include "common/policy/policy.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

/* Bits of maui_acl_attribute(). comment: the job's; may be NULL. qos is interned. */
ENGINE_LOCKED uint32_t rsv_attributes_of(const char *comment, uint32_t qos);

extern const struct module rsv_attributes_module;

#endif
