/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as what `sacctmgr -P show qos` prints. */
#include "testsuite/fuzz/import_accounting.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_accounting(maui_import_read_qos, data, size);
	return 0;
}
