/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/priority/pe.h"

#include "common/util/bounds.h"

/*
 * One resource as processors. Multiplied before divided, so that a share equal to a whole number of
 * processors is exactly that, as MAXPE counts whole ones. Comparisons are false for NaN, so that
 * such a resource counts as 0.
 */
static double equivalents(double request, double total, double procs)
{
	double count;

	if (!(request > 0) || !(total > 0))
		return 0;
	count = maui_amount(request) * procs / maui_amount(total);
	return count < MAUI_BOUND ? count : MAUI_BOUND;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

double maui_pe(const struct maui_resources *request, const struct maui_resources *machine)
{
	double procs, pe;

	if (!request || !machine || !(machine->procs > 0))
		return 0;
	procs = maui_amount(machine->procs);
	pe = maui_amount(request->procs);
	pe = larger(pe, equivalents(request->memory, machine->memory, procs));
	pe = larger(pe, equivalents(request->disk, machine->disk, procs));
	return larger(pe, equivalents(request->swap, machine->swap, procs));
}
