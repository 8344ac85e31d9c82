/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The releases of Slurm that are supported, a line each. base.h refuses to compile for others,
 * plugins/meson.build and the tests read these lines, and README.md and install.md have to name
 * them (testsuite/cli/test_citations.py).
 */
#ifndef MAUI_COMPAT_RELEASES_H
#define MAUI_COMPAT_RELEASES_H

/* clang-format off */
#define COMPAT_RELEASES(RELEASE) \
	RELEASE(22, 05) \
	RELEASE(23, 11) \
	RELEASE(24, 11) \
	RELEASE(25, 05) \
	RELEASE(25, 11) \
	RELEASE(26, 05)
/* clang-format on */

#endif
