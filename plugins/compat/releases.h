/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The releases of Slurm, a line each. base.h refuses to compile for others, plugins/meson.build and
 * the tests read these lines, and README.md and install.md have to name those that are supported
 * (testsuite/cli/test_citations.py). A preview is compiled for, and not supported: Slurm has not
 * released it yet. It becomes a release when all scenarios have passed on the released one.
 */
#ifndef MAUI_COMPAT_RELEASES_H
#define MAUI_COMPAT_RELEASES_H

/* clang-format off */
#define COMPAT_RELEASES(RELEASE, PREVIEW) \
	RELEASE(22, 05) \
	RELEASE(23, 11) \
	RELEASE(24, 11) \
	RELEASE(25, 05) \
	RELEASE(25, 11) \
	RELEASE(26, 05) \
	PREVIEW(26, 11)
/* clang-format on */

#endif
