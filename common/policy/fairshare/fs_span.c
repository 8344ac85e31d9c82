/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arithmetic on half-open spans of time: intersection, the share of a window
 * that a span covers, and the gaps between windows.
 */
#include "common/policy/fairshare/fs_span.h"

bool maui_fs_span_is_empty(struct maui_fs_span span)
{
	return span.end <= span.start;
}

struct maui_fs_span maui_fs_span_common(struct maui_fs_span a, struct maui_fs_span b)
{
	return (struct maui_fs_span){a.start > b.start ? a.start : b.start,
				     a.end < b.end ? a.end : b.end};
}

double maui_fs_span_share(struct maui_fs_span counted, struct maui_fs_span span)
{
	struct maui_fs_span common = maui_fs_span_common(counted, span);

	if (maui_fs_span_is_empty(common))
		return 0;
	return (double)(common.end - common.start) / (double)(counted.end - counted.start);
}

size_t maui_fs_span_gaps(const struct maui_fs_span *windows, size_t count, struct maui_fs_span span,
			 struct maui_fs_span *ret_gaps)
{
	int64_t covered = span.start;
	size_t gaps = 0;

	for (size_t i = 0; i < count && covered < span.end; i++) {
		if (windows[i].end <= covered || maui_fs_span_is_empty(windows[i]))
			continue;
		if (windows[i].start > covered)
			ret_gaps[gaps++] = maui_fs_span_common(
				(struct maui_fs_span){covered, windows[i].start}, span);
		covered = windows[i].end;
	}
	if (covered < span.end)
		ret_gaps[gaps++] = (struct maui_fs_span){covered, span.end};
	return gaps;
}
