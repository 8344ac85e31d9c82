/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spans of time, and the fairshare windows that they consist of: how much of a
 * window belongs to a span, and which parts of a span no window covers.
 */
#ifndef MAUI_POLICY_FS_SPAN_H
#define MAUI_POLICY_FS_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From start to before end, epoch seconds; empty if end <= start. */
struct maui_fs_span {
	int64_t start, end;
};

bool maui_fs_span_is_empty(struct maui_fs_span span);
/* What both have; empty: nothing. */
struct maui_fs_span maui_fs_span_common(struct maui_fs_span a, struct maui_fs_span b);

/*
 * The share of a window's usage that belongs to a span, 0 to 1, as if it were the same in each
 * second. counted: the part of the window up to which its usage is known.
 */
double maui_fs_span_share(struct maui_fs_span counted, struct maui_fs_span span);

/*
 * The parts of a span that none of the windows covers, in order. Windows come by their starts, and may
 * overlap. There is room for count + 1. Returns their number.
 */
size_t maui_fs_span_gaps(const struct maui_fs_span *windows, size_t count, struct maui_fs_span span,
			 struct maui_fs_span *ret_gaps);

#endif
