/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui serve of a build without GNU libmicrohttpd. */
#include "contribs/maui/serve/serve.h"

int serve(const struct serve_options *options)
{
	return fail(EXIT_ERRORS,
		    "this maui was built without GNU libmicrohttpd, which serve needs; "
		    "`maui page` writes the same page into a file");
}
