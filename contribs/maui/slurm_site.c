/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only file that knows libslurm. */
#include "contribs/maui/slurm_site.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "contribs/maui/deadline.h"

/* Bits of accounting_storage_enforce; slurm.h does not name them. */
#define ENFORCE_ASSOCIATIONS 0x0001
#define ENFORCE_QOS          0x0008

/* Exported by libslurm, declared in none of its public headers: what slurm_init() has read. */
extern slurm_conf_t *slurm_conf_lock(void);
extern void slurm_conf_unlock(void);

/* The value of key= in a list such as "a=1,maui_cfg=/x": copied, "" if it is not there. */
static void find_parameter(const char *list, const char *key, char *ret_value, size_t size)
{
	size_t length = strlen(key);

	*ret_value = '\0';
	while (list && *list) {
		size_t item = strcspn(list, ",");

		if (item > length && !strncasecmp(list, key, length) && list[length] == '=') {
			snprintf(ret_value, size, "%.*s", (int)(item - length - 1),
				 list + length + 1);
			return;
		}
		list += item + (list[item] == ',');
	}
}

static void find_config(const slurm_conf_t *conf, struct slurm_site *site)
{
	const char *path = conf->slurm_conf ? conf->slurm_conf : "";
	const char *slash = strrchr(path, '/');

	find_parameter(conf->priority_params, "maui_cfg", site->maui_cfg, sizeof(site->maui_cfg));
	if (!*site->maui_cfg && slash)
		snprintf(site->maui_cfg, sizeof(site->maui_cfg), "%.*s/maui.cfg",
			 (int)(slash - path), path);
}

static void find_port(const slurm_conf_t *conf, struct slurm_site *site)
{
	char text[16];
	unsigned long port;

	find_parameter(conf->priority_params, "maui_port", text, sizeof(text));
	port = strtoul(text, NULL, 10);
	site->port = port <= 65535 ? (unsigned int)port : 0;
}

static void find_hidden_columns(const slurm_conf_t *conf, struct slurm_site *site)
{
	const struct {
		const char *name;
		uint32_t weight;
	} columns[] = {
		{"AGE", conf->priority_weight_age},        {"ASSOC", conf->priority_weight_assoc},
		{"FAIRSHARE", conf->priority_weight_fs},   {"JOBSIZE", conf->priority_weight_js},
		{"PARTITION", conf->priority_weight_part}, {"QOS", conf->priority_weight_qos},
	};
	size_t used = 0;

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (columns[i].weight)
			continue;
		used += snprintf(site->hidden_columns + used, sizeof(site->hidden_columns) - used,
				 "%s%s", used ? ", " : "", columns[i].name);
	}
}

static bool passes_blocked(const slurm_conf_t *conf)
{
	char text[16];

	find_parameter(conf->sched_params, "bf_min_prio_reserve", text, sizeof(text));
	return strtol(text, NULL, 10) > 0;
}

static enum maui_sr_preemption find_preemption(const slurm_conf_t *conf)
{
	unsigned int mode = conf->preempt_mode & ~(PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN);
	char inner[64];

	find_parameter(conf->priority_params, "maui_preempt", inner, sizeof(inner));
	return maui_sr_preemption(conf->preempt_type && !strcmp(conf->preempt_type, "preempt/maui"),
				  mode == PREEMPT_MODE_REQUEUE || mode == PREEMPT_MODE_CANCEL,
				  mode == PREEMPT_MODE_OFF, *inner);
}

static void describe(const slurm_conf_t *conf, struct slurm_site *site)
{
	find_config(conf, site);
	find_port(conf, site);
	find_hidden_columns(conf, site);
	find_parameter(conf->authinfo, "socket", site->munge_socket, sizeof(site->munge_socket));
	if (conf->state_save_location)
		snprintf(site->state_directory, sizeof(site->state_directory), "%s/maui",
			 conf->state_save_location);
	snprintf(site->priority_type, sizeof(site->priority_type), "%s",
		 conf->priority_type ? conf->priority_type : "");
	site->slurm_uid = conf->slurm_user_id;
	site->enforces_accounts = conf->accounting_storage_enforce & ENFORCE_ASSOCIATIONS;
	site->enforces_qos = conf->accounting_storage_enforce & ENFORCE_QOS;
	site->passes_blocked = passes_blocked(conf);
	site->measures_use = conf->job_acct_gather_type &&
			     strcmp(conf->job_acct_gather_type, "jobacct_gather/none") != 0;
	site->preemption = find_preemption(conf);
}

/* In the child: the facts to one pipe, what goes wrong to the other. Does not return. */
__attribute__((noreturn)) static void child(int facts, int complaints, bool ask)
{
	struct slurm_site site = {0};
	slurm_conf_t *conf = NULL;

	if (dup2(complaints, STDERR_FILENO) < 0)
		_exit(1);
	slurm_init(NULL);
	if (ask && slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS) {
		fprintf(stderr, "%s\n", slurm_strerror(slurm_get_errno()));
		_exit(1);
	}
	if (!ask)
		conf = slurm_conf_lock();
	describe(conf, &site);
	if (!ask)
		slurm_conf_unlock();
	_exit(write(facts, &site, sizeof(site)) == sizeof(site) ? 0 : 1);
}

/* Up to size bytes until the end or the deadline; returns how many. */
static size_t read_all(int fd, void *buffer, size_t size, const struct deadline *deadline)
{
	size_t used = 0;

	while (used < size) {
		struct pollfd wait = {.fd = fd, .events = POLLIN};
		ssize_t count;

		if (poll(&wait, 1, deadline_left(deadline)) <= 0)
			break;
		count = read(fd, (char *)buffer + used, size - used);
		if (count <= 0)
			break;
		used += (size_t)count;
	}
	return used;
}

/* The last line of libslurm's complaints, without its prefix; "" if there is none. */
static const char *last_line(char *text)
{
	char *line = text, *colon;

	for (char *next = strtok(text, "\n"); next; next = strtok(NULL, "\n"))
		line = next;
	colon = strstr(line, "fatal: ");
	return colon ? colon + strlen("fatal: ") : line;
}

static int explain(int complaints, struct maui_error *error)
{
	const struct deadline now = deadline_in(0);
	char text[4096] = "";
	const char *line;

	text[read_all(complaints, text, sizeof(text) - 1, &now)] = '\0';
	line = last_line(text);
	return maui_error_set(error, ENOENT, "cannot ask Slurm for its configuration%s%s",
			      *line ? ": " : "", line);
}

static int collect(pid_t pid, int facts, int complaints, int timeout, struct slurm_site *ret_site,
		   struct maui_error *error)
{
	const struct deadline deadline = deadline_in(timeout);
	struct slurm_site site;
	size_t size = read_all(facts, &site, sizeof(site), &deadline);
	bool late = size < sizeof(site) && deadline_left(&deadline) == 0;

	if (late)
		kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (late)
		return maui_error_set(error, ETIMEDOUT,
				      "Slurm did not tell its configuration within %d seconds",
				      timeout);
	if (size < sizeof(site))
		return explain(complaints, error);
	*ret_site = site;
	return 0;
}

/* SLURM_CONF names a file: libslurm would wait a minute for it to appear. */
static int check_environment(struct maui_error *error)
{
	const char *path = getenv("SLURM_CONF");

	if (!path || !*path || access(path, R_OK) == 0)
		return 0;
	return maui_error_set(error, ENOENT, "cannot read SLURM_CONF %s: %s", path,
			      strerror(errno));
}

static int load(bool ask, int timeout, struct slurm_site *ret_site, struct maui_error *error)
{
	int facts[2], complaints[2], result;
	pid_t pid;

	result = check_environment(error);
	if (result)
		return result;
	if (pipe(facts) < 0)
		return maui_error_set(error, errno, "cannot make a pipe: %s", strerror(errno));
	if (pipe(complaints) < 0) {
		close(facts[0]);
		close(facts[1]);
		return maui_error_set(error, EMFILE, "cannot make a pipe");
	}
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		child(facts[1], complaints[1], ask);
	close(facts[1]);
	close(complaints[1]);
	if (pid < 0)
		result = maui_error_set(error, errno, "cannot fork: %s", strerror(errno));
	else
		result = collect(pid, facts[0], complaints[0], timeout, ret_site, error);
	close(facts[0]);
	close(complaints[0]);
	return result;
}

int slurm_site_load(int timeout, struct slurm_site *ret_site, struct maui_error *error)
{
	return load(true, timeout, ret_site, error);
}

int slurm_site_read(int timeout, struct slurm_site *ret_site, struct maui_error *error)
{
	return load(false, timeout, ret_site, error);
}
