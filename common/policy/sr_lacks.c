/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/sr_lacks.h"

size_t maui_sr_lacks(const struct maui_config *config, const struct maui_sr *sr,
		     struct maui_sr_lack ret_lacks[MAUI_SR_LACKS])
{
	const struct {
		bool asked;
		enum maui_key key;
		const char *text;
	} known[MAUI_SR_LACKS] = {
		{sr->charge_account, MAUI_ATTR_CHARGEACCOUNT,
		 "CHARGEACCOUNT is not there yet: nothing is charged"},
		{sr->trigger, MAUI_ATTR_TRIGGER, "TRIGGER is not there yet: nothing is triggered"},
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
