/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of page_load(). */
#ifndef MAUI_PAGE_PRIVATE_H
#define MAUI_PAGE_PRIVATE_H

#include "contribs/maui/page/page.h"
#include "contribs/maui/service/engine_request.h"

/* Fills sorted, jobs, job_count, waiting and running from the queue. */
void page_jobs_choose(struct page *page);

/* For diagnose-priority: these jobs. */
struct json_object *page_priority_arguments(const struct page *page);

/* Fills terms and why of the jobs, these within some seconds. engine: NULL if it cannot be asked. */
void page_jobs_explain(struct page *page, const struct engine *engine, int seconds);

#endif
