# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests of priorities share: a policy of users, classes and processors, and its numbers."""

from __future__ import annotations

from harness import USERS

FIRST, SECOND = USERS

# Of credentials and processors; without RMPOLLINTERVAL.
PRIORITIES = """\
QUEUETIMEWEIGHT  0
CREDWEIGHT       1
USERWEIGHT       1
CLASSWEIGHT      1
RESWEIGHT        1
PROCWEIGHT       10
USERCFG[daemon]  PRIORITY=5000
USERCFG[bin]     PRIORITY=1000
CLASSCFG[batch]  PRIORITY=100
CLASSCFG[long]   PRIORITY=20
CLASSCFG[urgent] PRIORITY=900
"""
USER = {FIRST: 5000, SECOND: 1000, "root": 0}
CLASS = {"batch": 100, "long": 20, "urgent": 900}
PARTITIONS = """
PartitionName=long Nodes=ALL MaxTime=UNLIMITED State=UP
PartitionName=urgent Nodes=ALL MaxTime=UNLIMITED State=UP
"""

# Of the queue time alone: 100 a second.
WAITING = "RMPOLLINTERVAL 1\nSERVWEIGHT 1\nQUEUETIMEWEIGHT 6000\n"
