/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of text shared by the commands on nodes. */
#ifndef MAUI_NODE_TEXT_H
#define MAUI_NODE_TEXT_H

#include <json-c/json.h>
#include <stdint.h>

/* Without control characters; width as for printf: negative aligns to the left. */
void print_padded(const char *text, int width);

/* "[fast][big]", "[NONE]"; the same into a buffer, cut to fit. */
const char *bracketed(struct json_object *array, char *buffer, size_t size);
/* "[batch 2:4]": for each class, available and configured processors of the node. */
const char *class_text(struct json_object *node, char separator, char *buffer, size_t size);

/* "+ 0.01*AMEM(8000)=80 - 10*JOBCOUNT(1)=-10" of an object with terms and a constant. */
void print_terms(struct json_object *object);

/* A limit's two sides, as in maui.cfg: "MAXJOB=2,4 MAXLOAD=1.5", "[NONE]". */
void print_limits(struct json_object *limits);

/* An amount of "configured" or "available", within 0 to 2^40. */
int64_t amount_of(struct json_object *node, const char *which, const char *resource);

#endif
