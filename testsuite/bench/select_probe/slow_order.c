/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Around order_plan(), linked with --wrap: always all nodes at once. How many of them have weights
 * of their own is as it was, since that is a bound of the order, and no shortcut to it.
 */
#include "plugins/select/order.h"

struct order_plan __real_order_plan(const struct order_class *classes, uint32_t count,
				    uint32_t candidates, struct order_demand demand);
struct order_plan __wrap_order_plan(const struct order_class *classes, uint32_t count,
				    uint32_t candidates, struct order_demand demand);

struct order_plan __wrap_order_plan(const struct order_class *classes, uint32_t count,
				    uint32_t candidates, struct order_demand demand)
{
	struct order_plan plan = __real_order_plan(classes, count, candidates, demand);

	plan.few = 0;
	return plan;
}
