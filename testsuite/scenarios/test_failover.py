# SPDX-License-Identifier: GPL-2.0-or-later
"""Two controllers: whichever is in charge has Maui's priorities, and the other one keeps still.

A controller that takes over reads what the other one has saved, so every test waits until all it
cares about is on disk before it ends a controller: that window is Slurm's, not ours.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import NamedTuple

from harness import USERS, ClusterTest, check_sums, listening_ports

FIRST, SECOND = USERS

POLICY = """
RMPOLLINTERVAL   1
QUEUETIMEWEIGHT  0
CREDWEIGHT       1
USERWEIGHT       1
CLASSWEIGHT      1
RESWEIGHT        1
PROCWEIGHT       10
ENABLENEGJOBPRIORITY TRUE
REJECTNEGPRIOJOBS    TRUE
USERCFG[daemon]  PRIORITY=5000
USERCFG[bin]     PRIORITY=1000
CLASSCFG[batch]  PRIORITY=100
CLASSCFG[long]   PRIORITY=20
CLASSCFG[never]  PRIORITY=-90000
"""
BASE = 2**30

PARTITIONS = """
PartitionName=long Nodes=ALL MaxTime=UNLIMITED State=UP
PartitionName=never Nodes=ALL MaxTime=UNLIMITED State=UP
"""


# Reasons of jobs for which there is no room; none until a scheduler has looked.
CROWDED = ("None", "Priority", "Resources", "Nodes required for job are DOWN, DRAINED or reserved")


class Job(NamedTuple):
    """What has to survive of a job."""

    state: str
    reason: str
    priority: int
    user: str
    partition: str


class FailoverTest(ClusterTest):
    """A node of four CPUs, filled by one job; the others wait, for all kinds of reasons."""

    CLUSTER = dict(
        nodes=1,
        cpus=4,
        maui_cfg=POLICY,
        slurm_conf=PARTITIONS,
        backup=True,
        main_scheduler=True,
    )

    def setUp(self) -> None:
        self.cluster.write_maui_cfg(POLICY)
        self.cluster.reconfigure()
        self.blocker = self.cluster.sbatch("-n4", "-t600")
        self.cluster.wait_for_state(self.blocker, "RUNNING")

    def tearDown(self) -> None:
        if self.cluster.in_charge() != "slurmctld":
            self.cluster.start()
        # A slurmctld of 22.05 that has given control back never forgets its scheduler's thread: it
        # starts no other one the next time, and then waits for whichever thread has got that id.
        self.cluster.restart("backup")
        self.cluster.cancel_all()

    # --- what the tests are made of

    def submit(self) -> dict[int, int]:
        """Jobs of many kinds; returns the priority that each must have, 0 for the held ones."""
        run = self.cluster.sbatch
        scontrol = self.cluster.run
        wanted = {
            run("-n2", "-t10", user=FIRST): BASE + 5120,
            run("-n3", "-t10", user=SECOND): BASE + 1130,
            run("-n1", "-t10", "--nice=400", user=FIRST): BASE + 5110 - 400,
            run("-n1", "-t10", "--partition=long", user=SECOND): BASE + 1030,
            run("-n1", "-t10", f"--dependency=afterany:{self.blocker}", user=FIRST): BASE + 5110,
            run("-n1", "-t10", "--begin=now+1hour", user=SECOND): BASE + 1110,
            run("-n1", "-t10", "--hold", user=FIRST): 0,
            run("-n1", "-t10", "--partition=never", user=SECOND): 0,
        }
        held, direct = run("-n1", "-t10", user=SECOND), run("-n1", "-t10", user=SECOND)
        scontrol(["scontrol", "hold", str(held)])
        scontrol(["scontrol", "update", f"job={direct}", "priority=77777"])
        return wanted | {held: 0, direct: 77777}

    def settled(self, wanted: dict[int, int]) -> dict[int, Job]:
        """The queue, once every job has its priority."""

        def queue() -> dict[int, Job] | None:
            jobs = self.queue()
            right = {job: row.priority for job, row in jobs.items() if job in wanted} == wanted
            return jobs if right else None

        return self.cluster.wait_for(queue, f"the priorities {wanted}", timeout=20) or {}

    def queue(self) -> dict[int, Job]:
        rows = self.cluster.squeue()
        jobs = {
            int(row["id"]): Job(
                row["state"],
                # Which of these the schedulers name depends on which of them looked last.
                "waits" if row["reason"].startswith(CROWDED) else row["reason"],
                int(row["priority"]),
                row["user"],
                row["partition"],
            )
            for row in rows
        }
        self.assertEqual(len(rows), len(jobs), "a job is there twice")
        return jobs

    def status(self) -> dict:
        """What the engine in charge says of itself; {} while there is none."""
        done = self.cluster.run(["maui", "status", "--json"], check=False)
        return self.cluster.maui("status", "--json") if done.returncode == 0 else {}

    def wait_in_charge(self, name: str, allowed_zero: set[int]) -> None:
        """Wait for this controller, and look all the time for a priority that must not be there."""

        def there() -> bool:
            done = self.cluster.run(
                ["squeue", "--noheader", "--all", "--states=PENDING", "-o", "%A %Q"], check=False
            )
            rows = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
            zero = {job for job, priority in rows if priority == 0}
            self.assertLessEqual(zero, allowed_zero, "priority 0, but not held")
            return self.cluster.in_charge() == name

        self.cluster.wait_for(there, f"{name} to be in charge")

    def check_still(self, before: dict[int, Job], wanted: dict[int, int], name: str) -> None:
        """The controller in charge shows the same jobs with the same priorities, and goes on so."""
        self.assertEqual(self.cluster.in_charge(), name)
        self.assertEqual(self.settled(wanted), before)
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.queue(), before)
        direct = [job for job, priority in wanted.items() if priority == 77777]
        shown = check_sums(self, self.cluster, direct)
        self.assertEqual(shown, sum(priority > 0 for priority in wanted.values()))
        answer = self.cluster.maui("diagnose", "-p", "--json")
        told = {row["job"]: row["priority"] for row in answer["jobs"]}
        self.assertEqual(told, wanted)
        self.assertEqual(self.cluster.job(self.blocker)["Restarts"], "0")

    def check_at_work(self, wanted: dict[int, int]) -> dict[int, int]:
        """Submission, hold, release and update are Maui's here, too; returns what is wanted now."""
        job = self.cluster.sbatch("-n2", "-t10", user=SECOND)
        self.assertEqual(int(self.cluster.job(job)["Priority"]), BASE + 1120)
        self.cluster.run(["scontrol", "hold", str(job)])
        self.assertEqual(int(self.cluster.job(job)["Priority"]), 0)
        self.cluster.run(["scontrol", "release", str(job)])
        self.cluster.run(["scontrol", "update", f"job={job}", "nice=20"])
        self.assertEqual(int(self.cluster.job(job)["Priority"]), BASE + 1100)
        return wanted | {job: BASE + 1100}

    def there_and_back(self, kill: bool) -> None:
        wanted = self.submit()
        before = self.settled(wanted)
        zero = {job for job, priority in wanted.items() if priority == 0}
        self.cluster.wait_until_saved(self.blocker)
        first = self.status()
        self.assertEqual(self.cluster.in_charge(), "slurmctld")

        if kill:
            self.cluster.stop(kill=True)
        else:
            self.cluster.run(["scontrol", "takeover"])
        self.wait_in_charge("backup", zero)
        second = self.cluster.wait_for(self.status, "the new engine's answer")
        self.assertGreater(second["started"], first["started"])
        self.assertEqual(second["mode"], "primary")
        self.check_still(before, wanted, "backup")
        wanted = self.check_at_work(wanted)
        before = self.settled(wanted)
        self.cluster.wait_until_saved(self.blocker)

        self.cluster.start()
        self.wait_in_charge("slurmctld", zero)
        third = self.cluster.wait_for(self.status, "the old engine's answer")
        self.assertGreater(third["started"], second["started"])
        self.check_still(before, wanted, "slurmctld")
        self.check_at_work(wanted)
        self.check_end(wanted)

    def check_end(self, wanted: dict[int, int]) -> None:
        """Everything that was made before can still be undone."""
        held = [job for job, row in self.queue().items() if row.reason.startswith("JobHeld")]
        self.assertEqual(len(held), 2)
        for job in held:
            self.cluster.run(["scontrol", "release", str(job)])
            owner = 5000 if self.queue()[job].user == FIRST else 1000
            self.assertEqual(int(self.cluster.job(job)["Priority"]), BASE + owner + 110)
        rejected = next(j for j, p in wanted.items() if p == 0 and j not in held)
        self.cluster.write_maui_cfg(POLICY.replace("-90000", "7"))
        self.cluster.reconfigure()
        self.cluster.wait_for(
            lambda: int(self.cluster.job(rejected)["Priority"]) == BASE + 1017,
            "the rejected job to be accepted",
        )

    # --- the tests

    def test_the_backup_takes_over_from_a_controller_that_was_killed(self) -> None:
        self.there_and_back(kill=True)

    def test_the_backup_takes_over_when_it_is_told_to(self) -> None:
        self.there_and_back(kill=False)

    def test_the_backup_uses_the_last_good_copy_of_a_maui_cfg_that_is_broken(self) -> None:
        job = self.cluster.sbatch("-n2", "-t10", user=FIRST)
        self.cluster.wait_until_saved(self.blocker)
        self.cluster.write_maui_cfg("PROCWEIGHT[\n")
        self.cluster.run(["scontrol", "takeover"])
        self.wait_in_charge("backup", set())
        status = self.cluster.wait_for(self.status, "the new engine's answer")
        self.assertEqual(status["policy"]["source"], "last-good-copy")
        self.assertEqual(int(self.cluster.job(job)["Priority"]), BASE + 5120)
        self.cluster.write_maui_cfg(POLICY.replace("PROCWEIGHT       10", "PROCWEIGHT 30"))
        self.cluster.reconfigure()
        self.cluster.wait_for(
            lambda: int(self.cluster.job(job)["Priority"]) == BASE + 5160, "the new weight"
        )
        self.cluster.wait_until_saved(self.blocker)
        if not self.cluster.backup_gives_way():
            self.cluster.restart("backup")
        self.cluster.start()
        self.wait_in_charge("slurmctld", set())
        self.assertEqual(int(self.cluster.job(job)["Priority"]), BASE + 5160)
        self.assertEqual(self.status()["policy"]["source"], "file")

    def test_the_standby_neither_listens_nor_writes(self) -> None:
        for been_in_charge in (False, True):
            with self.subTest(been_in_charge=been_in_charge):
                if been_in_charge:
                    self.cluster.wait_until_saved(self.blocker)
                    self.cluster.run(["scontrol", "takeover"])
                    self.wait_in_charge("backup", set())
                    self.cluster.start()
                    self.wait_in_charge("slurmctld", set())
                else:
                    self.cluster.restart("backup")
                    self.assertNotIn("maui", self.threads("backup"))
                self.check_standby_is_still()

    def check_standby_is_still(self) -> None:
        port = int(self.cluster.config()["SlurmctldPort"])
        # Nodes are counted, and written once in five minutes, from when they have answered the primary.
        self.cluster.wait_for(self.nodes_answer, "the nodes to answer")
        files = self.cluster.wait_for(self.settled_files, "the primary to have written its files")
        self.assertIn("maui.cfg.last-good", files)
        log = self.cluster.dir / "log" / "backup.log"
        position = log.stat().st_size
        pid = self.cluster.pid("backup")
        # A change of maui.cfg is the primary's to read, and its alone to copy.
        self.cluster.write_maui_cfg(POLICY + "# another one\n")
        self.cluster.run(["kill", "-HUP", str(pid)])
        self.cluster.wait_for(
            lambda: b"Reconfigure signal" in log.read_bytes()[position:],
            "the standby's reconfigure",
        )
        self.cluster.sbatch("-n1", "-t10", user=FIRST)
        self.cluster.wait_for_iterations(3)
        self.assertEqual(self.files(), files)
        self.assertEqual(listening_ports(pid), {port})
        self.assertEqual(self.cluster.in_charge(), "slurmctld")
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            self.assertNotIn("state/maui", str(entry.readlink()) if entry.is_symlink() else "")
        self.assertNotIn(b"maui:", log.read_bytes()[position:])

    def nodes_answer(self) -> bool:
        states = self.cluster.run(["sinfo", "-h", "-N", "-o", "%T"]).stdout.split()
        return bool(states) and set(states) <= {"idle", "mixed", "allocated"}

    def settled_files(self) -> dict[str, tuple[int, int]] | None:
        """The primary, too, writes when it has come into charge, and not all at once."""
        before = self.files()
        self.cluster.wait_for_iterations(4)
        return before if before == self.files() else None

    def files(self) -> dict[str, tuple[int, int]]:
        """The engine's state files: a file that was written again is another one, or newer."""
        found = {}
        for path in (self.cluster.dir / "state" / "maui").iterdir():
            with contextlib.suppress(FileNotFoundError):  # a new one has got its name meanwhile
                status = path.stat()
                found[path.name] = (status.st_ino, status.st_mtime_ns)
        return found

    def threads(self, daemon: str) -> list[str]:
        tasks = Path(f"/proc/{self.cluster.pid(daemon)}/task")
        names = []
        for task in tasks.iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended
                names.append((task / "comm").read_text().strip())
        return names
