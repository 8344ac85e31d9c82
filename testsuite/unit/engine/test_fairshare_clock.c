/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wall clock that is set, before, during and after a job, and what the controller does meanwhile:
 * the job is charged for the seconds that it ran.
 */
#include "testsuite/unit/engine/drive.h"

#include <criterion/parameterized.h>
#include <dirent.h>

#define CFG "FSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 4\nFSDECAY 1\n"

static double usage(void)
{
	struct json_object *used = drive_at(drive_ask("diagnose-fairshare", NULL), "/usage");

	cr_assert(used);
	return json_object_get_double(used);
}

/* ---- a kill: the files are those of before ---- */

struct kept {
	char name[300];
	char *text;
};

static size_t keep_files(struct kept *kept, size_t room)
{
	DIR *files = opendir(drive_path("maui/stats"));
	struct dirent *entry;
	size_t count = 0;

	while (files && count < room && (entry = readdir(files))) {
		if (strncmp(entry->d_name, "FS.", 3) != 0)
			continue;
		snprintf(kept[count].name, sizeof(kept->name), "maui/stats/%s", entry->d_name);
		kept[count].text = drive_file(kept[count].name);
		count++;
	}
	if (files)
		closedir(files);
	return count;
}

static void stop_killed(void)
{
	struct kept kept[32];
	size_t count = keep_files(kept, 32);

	drive_stop();
	for (size_t i = 0; i < count; i++) {
		drive_write_file(kept[i].name, kept[i].text);
		free(kept[i].text);
	}
}

/* ---- what happens, in words ---- */

static job_record_t *job;

static void start_job(void)
{
	job = SUBMIT(.user = "bin", .minutes = 60 * 24 * 30);
	cr_assert(controller_try(job, true));
}

static void end_job(void)
{
	controller_end(job, JOB_COMPLETE);
}

static void requeue(void)
{
	controller_requeue(job);
}

static void suspend(void)
{
	controller_suspend(job, true);
}

static void resume(void)
{
	controller_suspend(job, false);
}

static void restart(void)
{
	drive_stop();
	drive_start();
}

static void kill_and_start(void)
{
	stop_killed();
	drive_start();
}

static void reconfigure(void)
{
	drive_reconfigure(CFG);
}

static const struct {
	const char *word;
	void (*happens)(void);
} words[] = {
	{"run", start_job},     {"end", end_job},          {"requeue", requeue},
	{"suspend", suspend},   {"resume", resume},        {"turn", drive_turn},
	{"restart", restart},   {"stop", drive_stop},      {"kill", stop_killed},
	{"start", drive_start}, {"again", kill_and_start}, {"reconfigure", reconfigure},
};

/* "10": seconds pass, with an iteration; "~10": without one; "+10", "-10": the clock is set. */
static void happens(const char *word)
{
	long number = strtol(word + (*word == '~'), NULL, 10);

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(word, words[i].word) != 0)
			continue;
		words[i].happens();
		return;
	}
	cr_assert(number, "'%s' is nothing that happens", word);
	if (*word == '+' || *word == '-')
		drive_step(number);
	else if (*word == '~')
		drive_clock(time(NULL) + number);
	else
		drive_pass(number);
}

static void happen(const char *events)
{
	char text[300], *rest = text, *word;

	snprintf(text, sizeof(text), "%s", events);
	while ((word = strsep(&rest, " ")))
		if (*word)
			happens(word);
}

struct clock_case {
	char events[100];
	double used; /* seconds of the job, afterwards */
};

static void check(const struct clock_case *given)
{
	double used;

	drive_begin(FOUR_NODES, CFG);
	happen(given->events);
	used = usage();
	cr_expect(fabs(used - given->used) < 1e-3, "%s: %g, and not %g", given->events, used,
		  given->used);
}

/* Each case has an engine of its own. */
#define CASES(test, table)                                                                         \
	ParameterizedTestParameters(fairshare_clock, test)                                         \
	{                                                                                          \
		return cr_make_param_array(struct clock_case, table,                               \
					   sizeof(table) / sizeof(*(table)));                      \
	}                                                                                          \
	ParameterizedTest(struct clock_case *given, fairshare_clock, test, .init = drive_init,     \
			  .fini = drive_fini)                                                      \
	{                                                                                          \
		check(given);                                                                      \
	}

static struct clock_case live[] = {
	/* forward */
	{"run 60 +7200 60 end turn", 120},
	{"run 60 ~20 +7200 ~20 end turn", 100},
	{"run 60 ~20 end +7200 turn 60", 80},
	{"run 60 ~20 suspend +7200 60 60", 80},
	{"run 60 ~20 +7200 suspend 60 60", 80},
	{"run 60 suspend 60 +7200 60 resume 60", 120},
	{"run 60 ~20 suspend +7200 resume ~20 turn 60", 160},
	{"run +7200 60 end turn", 60},
	{"run ~30 +7200 ~20 end turn", 50},
	{"+7200 run 60 end turn 60", 60},
	{"+7200 run ~60 end turn 60", 60},
	{"run 60 end turn +7200 60 60", 60},
	{"run 60 ~20 requeue +7200 60", 80},
	{"run 60 ~20 +7200 ~20 requeue 60", 100},
	{"run 60 +5 60 end turn", 120},
	{"run 60 ~20 +5 ~20 end turn", 100},
	{"run 60 ~20 end +5 turn 60", 80},
	/* back */
	{"run 60 -7200 60 end turn", 120},
	{"run 60 -7200 60 60 60 end turn", 240},
	{"run 60 ~20 -7200 ~20 end turn", 100},
	{"run 60 ~20 end -7200 turn 60", 80},
	{"run 60 ~20 suspend -7200 60 60", 80},
	{"run 60 ~20 -7200 suspend 60 60", 80},
	{"run 60 suspend 60 -7200 60 resume 60", 120},
	{"run 60 suspend 60 -7200 60 resume 60 suspend 60 resume 60", 180},
	{"run ~30 -7200 ~20 end turn", 50},
	{"run ~30 -7200 20 60 end turn", 110},
	{"-7200 run 60 end turn 60", 60},
	{"run 60 end turn -7200 60 60", 60},
	{"run 60 ~20 requeue -7200 60", 80},
	{"run 60 -5 60 end turn", 120},
	{"run 60 -5 1 1 1 1 1 end turn", 65},
	{"run 60 ~20 end -5 turn 60", 80},
	/* ahead, and right again */
	{"run 60 +7200 60 -7200 60 end turn", 180},
	{"run 60 +7200 ~20 end -7200 turn 60", 80},
	{"run 60 +7200 60 end turn -7200 60 60", 120},
	{"run 60 +7200 60 end turn 20 20 -7200 20 20 60", 120},
	{"run 60 end turn 20 20 -60 20 20 60", 60},
	{"+7200 run 60 -7200 60 end turn", 120},
	{"+7200 run ~20 end -7200 turn 60", 20},
	{"+7200 60 run 60 suspend 60 -7200 60 resume 60 end turn", 120},
	/* behind, and right again */
	{"run 60 -7200 60 +7200 60 end turn", 180},
	{"-7200 run 60 end turn +7200 60", 60},
	{"-7200 60 run 60 +7200 60 end turn", 120},
	{"run 60 reconfigure +7200 reconfigure 60 -7200 reconfigure 60 end reconfigure", 180},
};

CASES(a_step_neither_adds_nor_takes, live)

static struct clock_case restarted[] = {
	/* no step at all */
	{"run 60 stop ~30 start 60 end turn", 150},
	{"run 60 turn kill ~30 start 60 end turn", 150},
	/* the one that was reported: it ends while the clock is ahead */
	{"run 60 +7200 60 end turn -7200 60 restart 60 restart again 60", 120},
	{"run 60 +7200 60 end 60 restart -7200 60 restart 60 again 60", 120},
	{"+7200 60 run 60 end 60 -7200 60 restart 60 again 60", 60},
	{"run 60 +7200 60 end -7200 turn again 60 again 60", 120},
	{"run 60 +7200 60 end turn stop -7200 start 60 restart 60", 120},
	{"run 60 +7200 60 end turn -7200 60 60 restart 7000 restart 300 restart 60", 120},
	/* it is set while slurmctld is down */
	{"run 60 stop ~30 +7200 ~30 start 60 end turn", 180},
	{"run 60 stop ~30 -7200 ~30 start 60 end turn", 180},
	{"run 60 stop ~30 +7200 ~30 start 60 restart 60 end turn 60", 240},
	{"run 60 stop ~30 -7200 ~30 start 60 restart 60 end turn 60", 240},
	{"run 60 suspend 60 stop +7200 ~60 start 60 resume 60 end turn", 120},
	{"run 60 suspend 60 stop -7200 ~60 start 60 resume 60 end turn", 120},
	{"run 60 end 60 stop +7200 start 60", 60},
	{"run 60 end 60 stop -7200 start 60 restart 60", 60},
	{"run 60 stop +5 ~30 start 60 end turn", 150},
	{"run 60 stop -5 ~30 start 60 end turn", 150},
	/* killed, with files of before */
	{"run 60 60 60 kill +7200 ~60 start 60 end turn", 300},
	{"run 60 60 60 kill -7200 ~60 start 60 end turn", 300},
	{"run 60 ~30 end kill +7200 start 60", 90},
	{"run 60 ~30 end kill -7200 start 60", 90},
	{"run 60 +7200 ~30 end again 60", 90},
	{"run 60 -7200 60 again 60 restart 60 end turn 60", 240},
	{"run 60 +7200 60 again 60 restart 60 end turn 60", 240},
	{"+7200 run 60 -7200 60 restart 60 again 60 end 60", 240},
};

CASES(a_new_process_knows_of_steps, restarted)

static struct clock_case over_windows[] = {
	/* ahead by days: the windows go there and come back */
	{"run 60 +86400 60 end turn -86400 60", 60},
	{"run 60 +86400 60 end turn -86400 60 86400", 120},
	{"run 60 +172800 60 -172800 60 end turn", 120},
	{"run 60 +172800 60 -172800 60 end turn restart 172800", 180},
	{"run 60 +172800 60 -172800 60 end turn 172800 restart", 180},
	{"run 60 +864000 60 -864000 60 end turn", 120}, /* beyond FSDEPTH */
	{"run 60 stop +864000 start 60 stop -864000 start 60 end turn", 120},
	{"run 60 end turn +864000 60 -864000 60", 60},
	/* behind at boot, and set right */
	{"run 60 end turn stop -864000 start 60 +864000 60 60", 60},
	{"run 60 end turn stop -864000 start 60 +864000 60 restart 60 again", 60},
	{"run 60 stop -864000 start 60 +864000 60 end turn 60", 120},
	/* over a window's end, by minutes */
	{"43190 run 5 -600 5 end turn 60 900", 10},
	{"43200 60 run 60 -600 60 end turn 600", 120},
	{"43200 60 run 60 -600 60 restart end turn 600 restart", 120},
};

CASES(windows_go_with_the_clock_and_come_back, over_windows)
