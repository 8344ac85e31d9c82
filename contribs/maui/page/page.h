/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui page: shares, limits, jobs, reservations and the machine as pictures, on one page of HTML. A
 * view is made of what other commands print as JSON, and its numbers are theirs. Views write into a
 * buffer and know nothing of where it goes.
 */
#ifndef MAUI_PAGE_H
#define MAUI_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/html/html.h"
#include "contribs/maui/html/pieces.h"
#include "contribs/maui/queue/queue_sorted.h"

extern const struct command page_command;

/* The requests of the service. */
enum page_question {
	PAGE_STATUS,
	PAGE_SHARES,
	PAGE_LIMITS_USER, /* diagnose-credentials of each type */
	PAGE_LIMITS_GROUP,
	PAGE_LIMITS_ACCOUNT,
	PAGE_LIMITS_CLASS,
	PAGE_LIMITS_QOS,
	PAGE_RESERVATIONS, /* diagnose-reservations */
	PAGE_PRIORITY,     /* diagnose-priority of the page's jobs */
	PAGE_WHATIF,       /* if there is another maui.cfg */
	PAGE_QUESTIONS
};
#define PAGE_PROBLEM_SIZE 512

struct page_answer {
	struct json_object *answer; /* whole; NULL: there is none, and problem says why */
	char problem[PAGE_PROBLEM_SIZE];
};

/* A waiting job. Members belong to the page. */
struct page_job {
	struct json_object *record; /* of the queue */
	struct json_object *terms;  /* its row of diagnose-priority; NULL: there is none */
	struct json_object *why;    /* a maui.why/1; NULL: not asked */
	size_t rank; /* by priority, from 1, among those seen in its partitions; 0: it is held */
};
#define PAGE_JOBS 30

/* Of a page that maui serve keeps up to date; its files are beside it. */
struct page_live {
	int every;          /* seconds */
	const char *search; /* rows of tables without this text are left out; "": all are shown */
};

struct page {
	const struct page_live *live; /* NULL: a snapshot in one file */
	const char *what_if;          /* another maui.cfg; NULL: none */
	const char *replay;           /* the file of a replay's report; NULL: none */
	struct json_object *report;   /* a maui.replay/1; NULL: report_problem says why not */
	char report_problem[PAGE_PROBLEM_SIZE];
	int64_t report_time; /* when it was written */
	bool anybody;        /* of all users' jobs: --public or --all */
	bool all;            /* --all: for an administrator, who is asker */
	char asker[256];
	char user[256], group[256]; /* whose page it is; "" if it is anybody's */
	int64_t uid;                /* the user's; -1: this host does not know him */
	int64_t now;                /* epoch seconds */
	struct json_object
		*queue; /* maui.queue/1; NULL: there is none, and queue_problem says why */
	char queue_problem[PAGE_PROBLEM_SIZE];
	struct queue_sorted sorted; /* its jobs */
	struct page_answer answers[PAGE_QUESTIONS];
	struct page_job
		jobs[PAGE_JOBS]; /* the reader's, or anybody's, the highest priority first */
	size_t job_count;
	struct page_job found[PAGE_JOBS]; /* the same, if something is searched for */
	size_t found_count;
	size_t waiting, running, matching; /* all jobs of the same; waiting ones that are found */
};

/* Whose page it is, and what is on it. */
struct page_wanted {
	const char *user;    /* whose jobs and shares it is about; NULL: the caller's */
	const char *what_if; /* the path of another maui.cfg; NULL: none */
	const char *replay;  /* the path of a maui.replay/1; NULL: none */
	bool anybody;        /* for nobody in particular */
	bool all;            /* all users' jobs, as far as the caller may see them */
};

/*
 * Asks Slurm and the engine, as the user that this process runs as: what PrivateData hides from him
 * is not on his page. What cannot be had has its reason in the page. The caller clears it.
 */
void page_load(const struct cli *cli, const struct page_wanted *wanted, struct page *ret_page);
void page_clear(struct page *page);

/* The data of an answer; NULL: there is none. */
struct json_object *page_data(const struct page *page, enum page_question question);

/*
 * Fills found, found_count and matching with what live searches for. The engine's answer
 * has only the jobs in jobs: it is not asked again.
 */
void page_jobs_find(struct page *page);

/* The name of the default partition; NULL: there is none. */
const char *page_default_partition(const struct page *page);

/* ---- views --------------------------------------------------------------------------------- */

struct page_view {
	const char *id; /* its anchor */
	const char *title;
	const char *command; /* what prints the same numbers */
	void (*write)(struct html *html, const struct page *page);
};

/* In the order of the page; ends with an id of NULL. */
extern const struct page_view page_views[];

void page_jobs(struct html *html, const struct page *page);
void page_queue(struct html *html, const struct page *page); /* --all */
void page_shares(struct html *html, const struct page *page);
void page_limits(struct html *html, const struct page *page);
void page_reservations(struct html *html, const struct page *page);
void page_machine(struct html *html, const struct page *page);
void page_whatif(struct html *html, const struct page *page);
void page_replay(struct html *html, const struct page *page); /* a part of whatif: a report */
void page_nodes(struct html *html, const struct page *page);  /* a part of machine: those found */
void page_gres(struct html *html, const struct page *page);   /* another: GPUs, if there are any */

/* The whole document. */
void page_write(struct html *html, const struct page *page);

/* A file beside a live page; NULL: there is none of this name. */
const struct html_file *page_file(const char *name);

/* ---- pieces of views: page_pieces.c --------------------------------------------------------- */

/* <p> that a view cannot be shown, and why. */
void page_missing(struct html *html, const struct page_answer *answer);

/* The last row of a table of so many columns: how many more there are, with these words. */
void page_rest(struct html *html, int columns, size_t rest, const char *words);

/* What is searched for; "" if nothing is. And whether a text has it, in any case of letters. */
const char *page_search(const struct page *page);
bool page_finds(const struct page *page, const char *text);
bool page_finds_job(const struct page *page, struct json_object *job);

#endif
