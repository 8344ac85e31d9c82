/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/sr_lacks.h"

static bool names_attributes(const struct maui_sr *sr)
{
	const struct maui_acl_item *items;
	size_t count = maui_acl_items(sr->acl, &items);

	for (size_t i = 0; i < count; i++)
		if (items[i].type == MAUI_ACL_ATTRIBUTE)
			return true;
	return false;
}

size_t maui_sr_lacks(const struct maui_config *config, const struct maui_sr *sr,
		     struct maui_sr_lack ret_lacks[MAUI_SR_LACKS])
{
	const struct {
		bool asked;
		enum maui_key key;
		const char *text;
	} known[MAUI_SR_LACKS] = {
		{sr->flags & MAUI_SR_OWNERPREEMPT, MAUI_ATTR_FLAGS,
		 "FLAGS=OWNERPREEMPT is not there yet: nobody is preempted"},
		{names_attributes(sr), MAUI_ATTR_JOBATTRLIST,
		 "JOBATTRLIST is not there yet: no job has attributes"},
	};
	const struct maui_object *object = maui_config_object(config, MAUI_SRCFG, sr->name);
	size_t count = 0;

	for (size_t i = 0; i < MAUI_SR_LACKS; i++) {
		const struct maui_value *value = maui_object_get(object, known[i].key);

		if (known[i].asked)
			ret_lacks[count++] = (struct maui_sr_lack){
				value ? value->origin : sr->origin, known[i].text};
	}
	return count;
}
