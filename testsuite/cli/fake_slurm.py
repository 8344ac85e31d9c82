# SPDX-License-Identifier: GPL-2.0-or-later
"""A Slurm that is none, for a command that asks libslurm: slurm.conf is a real file, which libslurm reads; what slurmctld
and slurmdbd would say is data, by the names of Slurm's own members (fake_slurm.c)."""

import json
import os
import pathlib
import shutil
import tempfile

import cli_harness as harness
import pytest

import built_for

LIBRARY = harness.BUILD / "testsuite/cli/libfake_slurm.so"
SLURM = built_for.of_build(harness.BUILD) if built_for.is_set_up(harness.BUILD) else None
PLUGINS = SLURM.plugindir if SLURM else pathlib.Path()  # Slurm's own
VERSION = SLURM.version if SLURM else ""  # that the build is for
# Of a test file: fake_slurm.c is written for the records of up to 24.11.
ITS_SLURM = pytest.mark.skipif(SLURM is not None and SLURM.series >= (25, 5), reason="the stand-in is that of another Slurm")

NO_VAL, NO_VAL16, NO_VAL64 = 0xFFFFFFFE, 0xFFFE, 0xFFFFFFFFFFFFFFFE
INFINITE = 0xFFFFFFFF
NICE_OFFSET = 0x80000000
PER_CPU = 1 << 63  # of pn_min_memory, which is signed in JSON

CONF = {
    "ClusterName": "test", "SlurmctldHost": "localhost", "SlurmctldPort": "1", "SlurmUser": "root",
    "StateSaveLocation": "{directory}/state", "AuthInfo": "socket={directory}/none", "NodeName": "n[1-2] CPUs=4",
    "PartitionName": "batch Nodes=n[1-2]", "PriorityType": "priority/maui", "SelectType": "select/cons_tres",
    "PriorityParameters": "maui_cfg={directory}/maui.cfg",
}


class Slurm:
    """conf: lines of slurm.conf that replace CONF's, None takes one out, {directory} is this Slurm's own; records: of
    slurmctld, such as jobs=[{...}], and running={...} where it has another configuration in force. The maui.cfg that slurm.conf names has the text `policy`."""

    def __init__(self, conf=None, policy="RMPOLLINTERVAL 30\n", **records):
        self.conf = CONF | (conf or {})
        self.policy = policy
        self.records = records

    def __enter__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="maui-cli."))
        self.directory.chmod(0o755)
        lines = (f"{key}={value}\n" for key, value in self.conf.items() if value is not None)
        self.path("slurm.conf").write_text("".join(lines).replace("{directory}", str(self.directory)))
        self.path("maui.cfg").write_text(self.policy)
        records = json.dumps({"running": {"version": VERSION}} | self.records, ensure_ascii=False)
        self.path("slurm.json").write_bytes(records.encode("utf-8", "surrogateescape"))
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.directory)

    def path(self, *parts):
        return self.directory.joinpath(*parts)

    def run(self, maui, *arguments, env=None):
        """The command, as on a host of this Slurm."""
        environment = {
            "LD_PRELOAD": str(LIBRARY),
            "MAUI_TEST_SLOWER": "20",  # a busy machine may take longer than the seconds that Slurm is given
            "MAUI_TEST_SLURM": str(self.path("slurm.json")),
            "SLURM_CONF": str(self.path("slurm.conf")),
            # The sanitizer's library is the command's first, behind this one.
            "ASAN_OPTIONS": ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "verify_asan_link_order=0"))),
        }
        return maui.run(*arguments, env=environment | (env or {}))

    def changes(self):
        """What the command has asked slurmctld to change or to try."""
        path = self.path("slurm.json.changes")
        return path.read_text().splitlines() if path.exists() else []
