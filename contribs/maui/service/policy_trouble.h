/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wrong with maui.cfg, as the engine reports it: {"source", "refused", "left_out", "names"}.
 * refused is a newer file that was refused, left_out is what is left out of the file in force; each
 * is null, or {"path", "time", "errors", "lines"}. names is there if the name service does not
 * answer: {"unanswered"}.
 */
#ifndef MAUI_POLICY_TROUBLE_H
#define MAUI_POLICY_TROUBLE_H

#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* Once per command, on standard error, what the data of an answer says about it. */
void policy_trouble_note(struct json_object *data);

/* "3 errors, the first: FILE:LINE:COLUMN: text", or why a file could not be read. Returns the
 * buffer. */
const char *policy_trouble_text(struct json_object *faults, char *buffer, size_t size);

/* "2 unknown names or words have no effect, the first: FILE:LINE:COLUMN: text", of the
 * `unknown` of a policy. Returns the buffer. */
const char *policy_trouble_unknown(struct json_object *unknown, char *buffer, size_t size);

/* What it means that the name service does not answer for so many users and groups. Returns the
 * buffer. */
const char *policy_trouble_names(int64_t unanswered, char *buffer, size_t size);

/* Note for how many users and groups of an answer the name service had no name, if any. */
void policy_trouble_note_unnamed(struct json_object *data);

#endif
