/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The range of every number that enters the priority arithmetic. Each is clamped once, on entry:
 * after that no product of a component's weight, a subcomponent's weight and a factor comes near
 * the range of a double, and neither infinities nor NaN can arise, whatever a configuration or a
 * job record says.
 */
#ifndef MAUI_UTIL_BOUNDS_H
#define MAUI_UTIL_BOUNDS_H

#define MAUI_BOUND 1e18

/* A number of either sign; NaN is 0. Comparisons and selections only: no branch in machine code. */
static inline double maui_bounded(double value)
{
	value = value == value ? value : 0;
	value = value < MAUI_BOUND ? value : MAUI_BOUND;
	return value > -MAUI_BOUND ? value : -MAUI_BOUND;
}

/* An amount, which cannot be negative; NaN and negative numbers are 0. */
static inline double maui_amount(double value)
{
	value = value > 0 ? value : 0;
	return value < MAUI_BOUND ? value : MAUI_BOUND;
}

#endif
