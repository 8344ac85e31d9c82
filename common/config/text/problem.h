/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is wrong with the text of a configuration, and where. */
#ifndef MAUI_CONFIG_PROBLEM_H
#define MAUI_CONFIG_PROBLEM_H

#include <stdbool.h>

#include "common/config/text/origin.h"

enum maui_severity { MAUI_WARNING, MAUI_ERROR };

struct maui_problem {
	enum maui_severity severity;
	struct maui_origin origin;
	const char *text;
	bool no_effect; /* of a value, or a word of one, that is valid but does nothing here */
	bool unknown;   /* an unknown name, or words that no attribute has: no effect */
	bool rest; /* stands for the problems not listed, at the place of the last listed one */
	bool two_readings; /* a time that the original reads differently: D-CFG-5 */
	bool of_include;   /* of an #INCLUDE: one may begin where what is before it lacks its end */
};

#endif
