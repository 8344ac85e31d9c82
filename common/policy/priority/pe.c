/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scales memory, disk, swap and GRES of a request to processors and takes the
 * maximum. Lists the GRES that PEGRES selects.
 */
#include "common/policy/priority/pe.h"

#include <stdio.h>

#include "common/util/bounds.h"

/*
 * One resource as processors. Multiplied before divided, so that a share equal to a whole number of
 * processors is exactly that, as MAXPE counts whole ones. Comparisons are false for NaN, so that
 * such a resource counts as 0.
 */
static double pe_equivalents(double request, double total, double procs)
{
	double count;

	if (!(request > 0) || !(total > 0))
		return 0;
	count = maui_amount(request) * procs / maui_amount(total);
	return count < MAUI_BOUND ? count : MAUI_BOUND;
}

static double pe_larger(double a, double b)
{
	return a > b ? a : b;
}

static double largest_gres(const struct maui_gres_amounts *request,
			   const struct maui_gres_amounts *machine, double procs)
{
	double pe = 0;

	if (!request || !machine)
		return 0;
	for (uint32_t left = request->mask & machine->mask; left; left &= left - 1) {
		int i = __builtin_ctz(left);

		pe = pe_larger(pe, pe_equivalents((double)request->amount[i],
						  (double)machine->amount[i], procs));
	}
	return pe;
}

double maui_pe(const struct maui_resources *request, const struct maui_resources *machine)
{
	double procs, pe;

	if (!request || !machine || !(machine->procs > 0))
		return 0;
	procs = maui_amount(machine->procs);
	pe = maui_amount(request->procs);
	pe = pe_larger(pe, pe_equivalents(request->memory, machine->memory, procs));
	pe = pe_larger(pe, pe_equivalents(request->disk, machine->disk, procs));
	pe = pe_larger(pe, pe_equivalents(request->swap, machine->swap, procs));
	return pe_larger(pe, largest_gres(request->gres, machine->gres, procs));
}

void maui_pe_names(const struct maui_config *config, struct maui_pe_names *ret_names)
{
	const struct maui_value *const *values;
	size_t count = maui_config_parameters(config, &values);

	*ret_names = (struct maui_pe_names){0};
	for (size_t i = 0; i < count; i++) {
		unsigned int at = ret_names->gres.count;

		if (values[i]->key->key != MAUI_KEY_PEGRES || !values[i]->gres ||
		    !values[i]->boolean)
			continue;
		ret_names->number[at] = values[i]->gres - 1;
		snprintf(ret_names->gres.name[at], MAUI_GRES_NAME_SIZE, "%s", values[i]->gres_name);
		ret_names->gres.count++;
	}
}
