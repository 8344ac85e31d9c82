/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and times of slurm.conf as slurmctld takes them: a value that it corrects is no fault.
 * D-RPL-17. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/replay/slurm_conf/slurm_conf_private.h"
#include "common/replay/trace/trace.h"
#include "common/util/decimal.h"
#include "common/util/text.h"

static int64_t most_of(enum maui_conf_width width)
{
	return width == MAUI_CONF_64 ? INT64_MAX : (INT64_C(1) << width) - 1;
}

bool maui_conf_parse_number(const char *text, enum maui_conf_width width, int64_t *ret_number)
{
	int64_t most = most_of(width);
	const char *rest;
	int rc;

	if (!strcasecmp(text, "INFINITE") || !strcasecmp(text, "UNLIMITED")) {
		*ret_number = most;
		return true;
	}
	rc = maui_integer_parse(text, ret_number, &rest);
	if (rc == -ERANGE && width == MAUI_CONF_64 && *text != '-') {
		*ret_number = most;
		return true;
	}
	if (rc || *text == '-')
		return false;
	if (width != MAUI_CONF_16 && (*rest == 'k' || *rest == 'K')) {
		*ret_number = *ret_number > most / 1024 ? most : *ret_number * 1024;
		rest++;
	}
	return !*rest && *ret_number <= most;
}

bool maui_conf_parse_time(const char *text, int64_t *ret_seconds)
{
	/* by how many numbers there are: the seconds of the first, without days and with them */
	static const int64_t plain[] = {0, 60, 60, 3600}, after_days[] = {0, 3600, 3600, 3600};
	int64_t number, sum = 0, parts[3], days = 0;
	const char *dash = strchr(text, '-');
	int count = 0;
	bool more = true;

	for (const char *at = text; more; at++) {
		if (!maui_is_digit(*at))
			return false;
		for (number = 0; maui_is_digit(*at); at++)
			if ((number = number * 10 + (*at - '0')) > MAUI_REPLAY_MAX_LENGTH)
				return false;
		if (at == dash && !count) {
			days = number;
			continue;
		}
		if (count == 3)
			return false;
		parts[count++] = number;
		more = *at == ':';
		if (*at && !more)
			return false;
	}
	for (int i = 0; i < count; i++) {
		int64_t unit = (dash ? after_days : plain)[count];

		for (int k = 0; k < i; k++)
			unit /= 60;
		sum += parts[i] * unit;
	}
	*ret_seconds = days * 86400 + sum;
	return true;
}

bool maui_conf_number(struct maui_slurm_conf_reading *reading,
		      const struct maui_conf_setting *setting, enum maui_conf_width width,
		      int64_t otherwise, int64_t *ret_number)
{
	*ret_number = otherwise;
	if (!setting->text || maui_conf_parse_number(setting->text, width, ret_number))
		return true;
	maui_conf_complain(
		reading, &setting->place,
		width == MAUI_CONF_64
			? "a whole number is needed, UNLIMITED or INFINITE"
			: "a whole number from 0 to %lld is needed, UNLIMITED or INFINITE",
		(long long)most_of(width));
	*ret_number = otherwise;
	return false;
}

bool maui_conf_positive(struct maui_slurm_conf_reading *reading,
			const struct maui_conf_setting *setting, int64_t otherwise,
			int64_t *ret_number)
{
	if (!maui_conf_number(reading, setting, MAUI_CONF_16, otherwise, ret_number))
		return false;
	if (!*ret_number) {
		maui_conf_warn(reading, &setting->place, "0 counts as 1");
		*ret_number = 1;
	}
	return true;
}
