/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui doctor: the engine's own directory. */
#include "contribs/maui/doctor/doctor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/state/files.h"
#include "common/util/files/file_version.h"

#define CHECK    "state directory"
#define LEAST_MB 16u

static bool ends_in(const char *text, const char *end)
{
	size_t size = strlen(text), tail = strlen(end);

	return size > tail && !strcmp(text + size - tail, end);
}

void doctor_kept(struct doctor *doctor, const char *path, const char *why)
{
	char remedy[PATH_MAX + 512];

	snprintf(remedy, sizeof(remedy),
		 "install that Slurm-Maui again; or, to begin anew, rm %s while slurmctld is down",
		 path);
	doctor_add(doctor, DOCTOR_WARN, CHECK, remedy, "%s is not read, nor written: %s", path,
		   why);
}

/* Of a later version than this program's? */
static void look_at_version(struct doctor *doctor, const char *directory, const char *name)
{
	const struct maui_state_file *file = maui_state_file_find(name);
	char path[PATH_MAX + 256], head[MAUI_FILE_VERSION_HEAD], known[MAUI_STATE_FIRST_LINE];
	struct maui_error why;
	ssize_t size;
	int fd;

	if (!file)
		return;
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	size = fd < 0 ? -1 : read(fd, head, sizeof(head));
	if (fd >= 0)
		close(fd);
	maui_state_first_line(file, known);
	if (size > 0 && maui_file_version_refuse(head, (size_t)size, known, strlen(known), &why))
		doctor_kept(doctor, path, why.text);
}

static void look_at_entry(struct doctor *doctor, const char *directory, const char *name)
{
	char remedy[PATH_MAX + 300];

	snprintf(remedy, sizeof(remedy), "look at it, then rm %s/%s", directory, name);
	if (ends_in(name, ".damaged"))
		doctor_add(doctor, DOCTOR_WARN, CHECK, remedy,
			   "%s/%s: a file that could not be read was set aside, and what it held "
			   "was lost",
			   directory, name);
	else if (!strcmp(name, "disabled"))
		doctor_add(doctor, DOCTOR_WARN, CHECK, "maui enable",
			   "%s/disabled: only priorities are Maui's, since somebody ran `maui "
			   "disable`",
			   directory);
	look_at_version(doctor, directory, name);
}

static void look_at_entries(struct doctor *doctor, const char *directory)
{
	DIR *entries = opendir(directory);

	if (!entries) {
		doctor_add(doctor, DOCTOR_UNSEEN, CHECK, "", "%s: %s", directory, strerror(errno));
		return;
	}
	for (const struct dirent *entry; (entry = readdir(entries));)
		look_at_entry(doctor, directory, entry->d_name);
	closedir(entries);
}

static void look_at_room(struct doctor *doctor, const char *directory)
{
	struct statvfs room;

	if (statvfs(directory, &room))
		return;
	if (room.f_flag & ST_RDONLY)
		doctor_add(doctor, DOCTOR_WRONG, CHECK, "mount it for writing",
			   "%s is on a read-only file system", directory);
	else if ((uint64_t)room.f_bavail * room.f_frsize < (uint64_t)LEAST_MB << 20)
		doctor_add(doctor, DOCTOR_WRONG, CHECK, "free space there",
			   "%s has less than %u MB left: what the engine counts would be lost",
			   directory, LEAST_MB);
}

static void look_at_owner(struct doctor *doctor, const char *directory, const struct stat *status)
{
	const unsigned int user = doctor->install.slurm_uid;
	char remedy[PATH_MAX + 64];
	bool owned = status->st_uid == user || user == 0;

	snprintf(remedy, sizeof(remedy), "chown -R %u %s && chmod 700 %s", user, directory,
		 directory);
	if (!owned || (user && (status->st_mode & 0700) != 0700))
		doctor_add(doctor, DOCTOR_WRONG, CHECK, remedy,
			   "%s belongs to uid %u with mode %o: SlurmUser (uid %u) cannot write it",
			   directory, (unsigned int)status->st_uid,
			   (unsigned int)status->st_mode & 07777, user);
	else if (status->st_mode & 022)
		doctor_add(doctor, DOCTOR_WARN, CHECK, remedy,
			   "%s has mode %o: others may write it", directory,
			   (unsigned int)status->st_mode & 07777);
	else
		doctor_add(doctor, DOCTOR_OK, CHECK, "", "%s", directory);
}

void doctor_state_directory(struct doctor *doctor)
{
	const char *directory = doctor->install.state_directory;
	struct stat status;

	if (stat(directory, &status) == 0) {
		look_at_owner(doctor, directory, &status);
		look_at_room(doctor, directory);
		look_at_entries(doctor, directory);
	} else if (errno == ENOENT) {
		doctor_add(doctor, DOCTOR_UNSEEN, CHECK, "",
			   "%s is not there: not on this host, or the engine has never run",
			   directory);
	} else {
		doctor_add(doctor, DOCTOR_UNSEEN, CHECK, "", "%s: %s", directory, strerror(errno));
	}
}
