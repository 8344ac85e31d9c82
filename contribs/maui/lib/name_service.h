/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the machine's name service says of a name. There are three answers: if a server is down, it is
 * not known whether there is such a user (D-CFG-19).
 */
#ifndef MAUI_NAME_SERVICE_H
#define MAUI_NAME_SERVICE_H

#include <stdint.h>

enum name_answer { NAME_IS_THERE, NAME_IS_NOT_THERE, NAME_NOT_ANSWERED };

/* By name. ret_id: the number, if it is there; may be NULL. */
enum name_answer name_service_user(const char *name, uint32_t *ret_id);
enum name_answer name_service_group(const char *name, uint32_t *ret_id);

/* ret_gid: the user's own group, if he is there. */
enum name_answer name_service_user_group(const char *name, uint32_t *ret_gid);

/* By number. */
enum name_answer name_service_uid(uint32_t uid);
enum name_answer name_service_gid(uint32_t gid);

#endif
