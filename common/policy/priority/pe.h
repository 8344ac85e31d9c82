/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processor equivalents: the job's largest share of any resource of the machine, in processors.
 * Chapter 5.1.2.
 */
#ifndef MAUI_POLICY_PE_H
#define MAUI_POLICY_PE_H

/* Processors and MB; for a whole job, or for a machine. */
struct maui_resources {
	double procs, memory, swap, disk;
};

/*
 * Memory, swap and disk count only if the job asks for some and the machine has some; 0 without
 * processors.
 */
double maui_pe(const struct maui_resources *request, const struct maui_resources *machine);

#endif
