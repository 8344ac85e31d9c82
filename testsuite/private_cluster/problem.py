# SPDX-License-Identifier: GPL-2.0-or-later
"""The one exception that users see: what went wrong, where, and what to do about it."""


class Problem(Exception):
    """Ends the command with this text on stderr and exit status 1."""
