# SPDX-License-Identifier: GPL-2.0-or-later
"""slurmctld restarted after an edit of slurm.conf, or of slurmdbd's records, that concerns jobs in every state.

What comes of an edit is what comes of it in a stock cluster beside ours, which gets the same jobs and the same edit:
whether slurmctld starts, and which jobs go on. Where stock Slurm ends a job, ours may; where it goes on, ours must.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import unittest
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from harness import Cluster, CommandFailed, replace_file, wait_for

_T = TypeVar("_T")

OWNER = "bin"
POLICY = f"""
RMPOLLINTERVAL 1
USERCFG[{OWNER}] MAXJOB=100 PRIORITY=1000
CREDWEIGHT     1
USERWEIGHT     1
"""
# n2 is in every edit but those of the reservation, which has n4.
SLURM_CONF = """\
AccountingStorageEnforce=associations,limits,qos
Epilog={epilog}
GresTypes=widget
Licenses=tool:20
NodeName=n[1-4] Gres=widget:20 Feature=blue
PartitionName=edited Nodes=n2,n3 MaxTime=UNLIMITED State=UP
"""
ACCOUNTS = f"""
sacctmgr -i add qos high
sacctmgr -i add account physics
sacctmgr -i add user {OWNER} account=physics qos=normal,high defaultqos=normal
"""
# A job completes for as long as there is a file of its number.
EPILOG = "#!/bin/sh" + """
while [ -e {directory}/$SLURM_JOB_ID ]; do sleep 0.2; done
"""
# What every job asks for, so that each edit concerns all of them.
ASKS = (
    "-n1", "-t600", "--mem=10", "--partition=edited", "--constraint=blue", "--gres=widget:1",
    "--licenses=tool:1", "--account=physics", "--qos=high",
)
THERE = (*ASKS, "--nodelist=n2")
# Of a heterogeneous job only the leader may ask for licenses, from 26.05 on.
PART = tuple(word for word in ASKS if not word.startswith("--licenses"))

# state of a job -> what is left of it in the table
GOES_ON = {"RUNNING", "SUSPENDED", "PENDING", "CONFIGURING"}

Conf = Callable[[str], str]


def replaced(pattern: str, by: str) -> Conf:
    """An edit of each line; it must change something."""

    def edit(text: str) -> str:
        edited, count = re.subn(pattern, by, text, flags=re.MULTILINE | re.IGNORECASE)
        assert count, f"no line of slurm.conf is {pattern}"
        return edited

    return edit


def in_turn(*edits: Conf) -> Conf:
    def edit(text: str) -> str:
        for one in edits:
            text = one(text)
        return text

    return edit


def unedited(text: str) -> str:
    return text


NODE_GONE = in_turn(replaced(r"^NodeName=n2 .*\n", ""), replaced(r"Nodes=n2,n3", "Nodes=n3"))
NODE_RENAMED = in_turn(
    replaced(r"^NodeName=n2 ", "NodeName=m2 "), replaced(r"Nodes=n2,n3", "Nodes=m2,n3")
)


class Side:
    """One of the two clusters, its jobs, and what has come of them."""

    def __init__(self, name: str, cluster: Cluster, holds: Path) -> None:
        self.name = name
        self.cluster = cluster
        self.jobs: dict[str, str] = {}
        self._holds = holds
        self._conf_path = cluster.dir / "etc" / "slurm.conf"
        self._conf = self._conf_path.read_text(encoding="utf-8")

    # --- jobs

    def submit(self) -> None:
        run = self.cluster.sbatch
        held, array = run(*ASKS, "--hold", user=OWNER), run(*THERE, "--array=0-1%1", user=OWNER)
        jobs = {name: run(*THERE, user=OWNER) for name in ("running", "suspended", "completing")}
        done = run(*THERE, wrap="true", user=OWNER)
        het = int(
            self.cluster.run(
                ["sbatch", "--parsable", *THERE, ":", *PART, "--nodelist=n3", "--wrap", "sleep 1000"],
                user=OWNER,
            ).stdout
        )
        pending = run(*ASKS, f"--dependency=afterany:{jobs['running']}", user=OWNER)
        elsewhere = run("-n1", "-t600", "--mem=10", "--nodelist=n1", "--account=physics", user=OWNER)
        self.jobs = {
            **{name: str(job) for name, job in jobs.items()},
            "pending": str(pending), "held": str(held), "finished": str(done),
            "task": f"{array}_0", "array": f"{array}_1", "leader": f"{het}+0", "part": f"{het}+1",
            "elsewhere": str(elsewhere),
        }
        for name in ("running", "suspended", "completing", "task", "leader", "part", "elsewhere"):
            self.wait_for_state(name, "RUNNING")
        self.wait_for_state("finished", "COMPLETED")
        self.cluster.run(["scontrol", "suspend", self.jobs["suspended"]])
        (self._holds / self.jobs["completing"]).touch()
        self.cluster.scancel(jobs["completing"])
        self.wait_for_state("completing", "COMPLETING")
        # Slurm saves its state at the end of slurmctld, too, but not what it has not finished.
        self.wait_for_state("suspended", "SUSPENDED")

    def states(self) -> dict[str, str]:
        """Of each job the first word of its state, "gone" if Slurm no longer has it."""
        lines = self.cluster.run(
            "squeue --all --array --noheader --states=all --format='%i %T'"
        ).stdout.splitlines()
        found = dict(line.split(None, 1) for line in lines)
        return {name: found.get(job, "gone") for name, job in self.jobs.items()}

    def wait_for_state(self, name: str, state: str) -> None:
        self.cluster.wait_for(
            lambda: self.states()[name] == state, f"job {self.jobs[name]}, {name}, to be {state}"
        )

    def clear(self) -> None:
        for file in self._holds.iterdir():
            file.unlink()
        self.cluster.run("scontrol --oneliner show reservation | sed -n 's/^ReservationName=\\([^ ]*\\).*/\\1/p'"
                         " | xargs -r -n1 -I{} scontrol delete reservation={}", check=False)
        self._end_all()

        def idle() -> bool:
            states = self.cluster.run("sinfo --noheader --Node --format='%N %T'").stdout
            return {line.split()[1] for line in states.splitlines()} == {"idle"}

        self.cluster.run("scontrol update nodename=ALL state=resume", check=False)
        self.cluster.wait_for(idle, "all nodes to be idle")

    def _end_all(self) -> None:
        """Slurm 24.11.5 may leave a component of a heterogeneous job completing that it has requeued as it
        started: when it asks nodes again to end jobs, it does not ask that one's. As an administrator
        does, the node is set down."""
        after = self.cluster.log_position()
        self.cluster.scancel_all()

        def empty() -> bool:
            jobs = self.cluster.squeue()
            if jobs and self.cluster.log_contains("Resending TERMINATE_JOB request", after):
                self.cluster.run("squeue --all --noheader --states=completing --format=%N | xargs -r -I{}"
                                 " scontrol update nodename={} state=down reason=completing", check=False)
            return not jobs

        self.cluster.wait_for(empty, "the queue to be empty")

    # --- slurm.conf, and slurmctld

    def edit(self, conf: Conf) -> bool:
        replace_file(self._conf_path, conf(self._conf))
        return self.start()

    def stop(self) -> None:
        if self.cluster.daemon_runs():
            self.cluster.stop()

    def start(self) -> bool:
        """Whether slurmctld starts."""
        try:
            self.cluster.start()
        except CommandFailed:
            if self.cluster.daemon_runs():
                raise
            return False
        return True

    def fatal(self, position: int) -> str:
        """Why it did not, from its log."""
        found = re.findall(r"fatal: (.*)", self.cluster.log_text(position))
        return found[-1] if found else ""

    # --- slurmdbd's records

    def sql(self, statements: str) -> None:
        """slurmdbd refuses to delete what active jobs have; somebody else may have done it."""
        self.cluster.run(
            ["mariadb", "--no-defaults", f"--socket={self.cluster.dir}/run/mariadb.sock", "slurm_acct_db"],
            stdin=statements,
        )


class RestartEditsTest(unittest.TestCase):
    sides: tuple[Side, Side]
    table: list[tuple[str, str, str]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.table = []
        cls.addClassCleanup(cls.print_table)
        holds = [cls._directory() for _ in range(2)]
        clusters = []
        for stock, directory in zip((False, True), holds, strict=True):
            epilog = directory.with_name(directory.name + ".epilog")
            epilog.write_text(EPILOG.format(directory=directory), encoding="utf-8")
            epilog.chmod(0o755)
            cls.addClassCleanup(epilog.unlink)
            clusters.append(
                cls.enterClassContext(
                    Cluster(nodes=4, cpus=16, maui_cfg=None if stock else POLICY, slurmdbd=True,
                            stock=stock, slurm_conf=SLURM_CONF.format(epilog=epilog),
                            gres_conf="Name=widget Count=20\n")
                )
            )
        for cluster in clusters:
            cluster.run(ACCOUNTS)
        cls.sides = (
            Side("ours", clusters[0], holds[0]),
            Side("stock", clusters[1], holds[1]),
        )

    @classmethod
    def _directory(cls) -> Path:
        directory = Path(tempfile.mkdtemp(prefix="maui-holds-"))
        directory.chmod(0o755)
        cls.addClassCleanup(shutil.rmtree, directory)
        return directory

    @classmethod
    def print_table(cls) -> None:
        if cls.table:
            print("\n| edit | Slurm-Maui | stock Slurm |\n|---|---|---|")
        for row in sorted(cls.table):
            print("| " + " | ".join(row) + " |")

    # --- what the tests are made of

    def both(self, what: Callable[[Side], _T]) -> list[_T]:
        """At the same time: mostly they wait."""
        with ThreadPoolExecutor(len(self.sides)) as pool:
            return list(pool.map(what, self.sides))

    def setUp(self) -> None:
        self.both(Side.clear)
        self.both(
            lambda side: side.cluster.wait_for(
                lambda: OWNER in side.cluster.run(f"scontrol show assoc_mgr users={OWNER}").stdout,
                "slurmctld to know the associations",
            )
        )
        self.both(Side.submit)

    def restarted(self, name: str, confs: Sequence[Conf], sql: tuple[str, str] = ("", "")) -> None:
        """The edit, for ours and for stock, and back."""
        positions = [side.cluster.log_position() for side in self.sides]
        by_side = dict(zip(self.sides, confs, strict=True))

        def edit(side: Side) -> bool:
            side.stop()
            if sql[0]:
                side.sql(sql[0])
            return side.edit(by_side[side])

        def back(side: Side) -> bool:
            side.stop()
            if sql[1]:
                side.sql(sql[1])
            return side.edit(unedited)

        starts = self.both(edit)
        try:
            why = [side.fatal(at) for side, at in zip(self.sides, positions, strict=True)]
            self.assertEqual(starts[0], starts[1], f"{name}: slurmctld starts: ours and stock: {why}")
            states = self.same_states(name) if starts[0] else [{}, {}]
            if starts[0] and confs[0] is confs[1]:
                self.engine_counts()
        finally:
            self.assertEqual(self.both(back), [True, True], f"{name}: and back")
        self.table.append((name, *(self.shown(*one) for one in zip(starts, states, why, strict=True))))
        self.same_states(f"{name}, and back")
        self.engine_counts()

    def same_states(self, name: str) -> list[dict[str, str]]:
        """What has come of the jobs, once both have come to the same."""

        def states() -> list[dict[str, str]] | None:
            found = self.both(Side.states)
            return found if found[0] == found[1] else None

        return wait_for(states, f"{name}: jobs to be as in stock Slurm", 60, self.explain) or []

    def explain(self) -> str:
        return "\n".join(f"{side.name}: {side.states()}\n{side.cluster.explain()}" for side in self.sides)

    @staticmethod
    def shown(starts: bool, states: dict[str, str], why: str) -> str:
        if not starts:
            return f"does not start: {why}"
        over = [f"{name}: {state}" for name, state in states.items()
                if name not in ("completing", "finished") and state not in GOES_ON]
        return "starts, " + (", ".join(over) if over else "all jobs go on")

    def engine_counts(self) -> None:
        """It is in charge, and has counted who runs."""
        ours = self.sides[0].cluster

        def counted() -> bool:
            answer = ours.maui("diagnose", "-u", OWNER, "--json")
            cpus = sum(
                int(row["cpus"])
                for row in ours.squeue(f"--user={OWNER}")
                if row["state"] in ("RUNNING", "SUSPENDED")
            )
            return answer["counted"] and answer["credentials"][0]["active"]["procs"] == cpus

        ours.wait_for(
            lambda: ours.run(["maui", "status", "--json"], check=False).returncode == 0,
            "the engine to answer",
        )
        ours.wait_for_iterations(1)
        ours.wait_for(counted, "the engine to count who runs")

    # --- edits of slurm.conf

    def edited(self, name: str, conf: Conf) -> None:
        self.restarted(name, (conf, conf))

    def test_partition_gone(self) -> None:
        self.edited("partition gone", replaced(r"^PartitionName=edited .*\n", ""))

    def test_partition_renamed(self) -> None:
        self.edited("partition renamed", replaced("^PartitionName=edited ", "PartitionName=other "))

    def test_node_gone(self) -> None:
        self.edited("node gone", NODE_GONE)

    def test_node_renamed(self) -> None:
        self.edited("node renamed", NODE_RENAMED)

    def test_node_of_a_reservation_gone(self) -> None:
        self.both(
            lambda side: side.cluster.run(
                "scontrol create reservation reservationname=kept starttime=now duration=60"
                " nodes=n4 users=root"
            )
        )
        self.edited("node of a reservation gone", replaced(r"^NodeName=n4 .*\n", ""))

    def test_gres_gone(self) -> None:
        self.edited(
            "GRES gone", in_turn(replaced(r"^GresTypes=.*\n", ""), replaced(r" Gres=\S+", ""))
        )

    def test_gres_fewer(self) -> None:
        self.edited("fewer GRES", replaced(r"Gres=widget:20", "Gres=widget:2"))

    def test_license_gone(self) -> None:
        self.edited("license gone", replaced(r"^Licenses=.*\n", ""))

    def test_license_renamed(self) -> None:
        self.edited("license renamed", replaced("^Licenses=tool:", "Licenses=other:"))

    def test_feature_gone(self) -> None:
        self.edited("feature gone", replaced(r" Features?=blue", ""))

    def test_feature_renamed(self) -> None:
        self.edited("feature renamed", replaced(r"(Features?)=blue", r"\1=green"))

    # --- edits of slurmdbd's records

    def test_account_gone(self) -> None:
        self.deleted("account gone", "assoc_table", "acct='physics'")

    def test_user_gone(self) -> None:
        self.deleted("user gone", "assoc_table", f"user='{OWNER}'")

    def test_qos_gone(self) -> None:
        self.deleted("QOS gone", "qos_table", "name='high'")

    def deleted(self, name: str, table: str, which: str) -> None:
        if table == "assoc_table":
            cluster = self.sides[0].cluster.config()["ClusterName"]
            table = f'"{cluster}_assoc_table"'
        update = f"SET sql_mode='ANSI_QUOTES'; UPDATE {table} SET deleted=%d WHERE {which};\n"
        self.restarted(name, (unedited, unedited), (update % 1, update % 0))

    # --- edits of the plugins

    def test_select_type_changed(self) -> None:
        linear = in_turn(
            replaced(r"^SelectType=.*", "SelectType=select/linear"),
            replaced(r"^SelectTypeParameters=.*\n", ""),
        )
        # Without our select plugin limits have no effect, and nothing is counted until it is back.
        self.restarted("SelectType changed", (linear, in_turn(linear)))

    def test_priority_type_changed(self) -> None:
        basic = replaced(r"^PriorityType=.*", "PriorityType=priority/basic")
        self.restarted("PriorityType changed", (basic, in_turn(basic)))

    def test_plugin_dir_changed(self) -> None:
        """As if ours were removed."""
        stock = self.sides[1].cluster.config()["PluginDir"]
        ours = in_turn(
            replaced(r"^PriorityType=.*", "PriorityType=priority/multifactor"),
            replaced(r"^PluginDir=.*", f"PluginDir={stock}"),
            replaced(r"^SelectType=.*", "SelectType=select/cons_tres"),
            replaced(r"^JobSubmitPlugins=.*\n", ""),
        )
        self.restarted("PluginDir changed", (ours, unedited))
