/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GRES that a job asks for in its comment, x=GRES:gpu:2 (D-GRES-16): they become those of --gres,
 * and license:NAME of --licenses. Slurm judges them as it judges those.
 */
#ifndef MAUI_JOB_SUBMIT_ASKED_GRES_H
#define MAUI_JOB_SUBMIT_ASKED_GRES_H

#include "plugins/compat/compat.h"

/* comment: the one that the job is to get. SLURM_SUCCESS, or the error with which to refuse it;
 * ret_error, where there is one, is then told why. */
int asked_gres_translate(job_desc_msg_t *job, const char *comment, char **ret_error);

/* Whether two comments ask for the same. */
bool asked_gres_same(const char *one, const char *other);

#endif
