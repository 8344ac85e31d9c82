# SPDX-License-Identifier: GPL-2.0-or-later
"""Who owns a reservation answers for what nobody uses of it.

Idle cycles are compared with a count of the test's own: the reserved processors for so many seconds,
less what jobs had of them, by the start and end that Slurm gives for each.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pwd import getpwnam
from typing import NamedTuple

import controller_log
from harness import Cluster, ClusterTest, replace_file
from reservation_model import (
    PARTITIONS,
    SLURM_CONF,
    epoch,
    install,
    show_reservations,
    window,
)
from test_fairshare import Files, directory, stamp

# One window that no test sees the end of, unless it says so.
FAST = """\
RMPOLLINTERVAL 1
NODEALLOCATIONPOLICY FIRSTAVAILABLE
CHECKPOINTINTERVAL 3
"""
AHEAD = 25  # seconds in which most machines do what a test does before a moment; for the others see ahead()
FAIRSHARE = FAST + "FSINTERVAL 9000000\nFSPOLICY DEDICATEDPS\n"
OWNER, OTHER = "daemon", "bin"
CPUS = 4
# Jobs get in that are short: the owner's as all others.
OWNED = "PERIOD=INFINITY TIMELIMIT=1:00:00"

# What a trigger runs: it tells of itself in one line. bash has the script as descriptor 255.
SCRIPT = """#!/bin/bash
out=$1; shift
ls /proc/$$/fd >$out.$$
fds=$(grep -v '^255$' $out.$$ | xargs)
printf '%s|' reservation="$MAUI_RESERVATION" sr="$MAUI_SR" event="$MAUI_EVENT" nodes="$MAUI_NODES" \\
  start="$MAUI_START" end="$MAUI_END" args="$*" pid=$$ session=$(ps -o sid= -p $$ | tr -d ' ') \\
  descriptors="$fds" stdin=$(readlink /proc/$$/fd/0) user=$(id -un) conf="$SLURM_CONF" cwd=$PWD >$out.$$
echo time=$(date +%s.%N) >>$out.$$
cat $out.$$ >>$out
rm $out.$$
"""


def ahead(seconds: int, attempt: Callable[[int, int], bool]) -> tuple[int, int]:
    """The beginning and end of so many seconds, for which attempt() did in time what it has to do before. Events tell
    whether it did: if not, the next beginning is twice as far ahead."""
    for lead in (AHEAD, 2 * AHEAD, 4 * AHEAD, 8 * AHEAD, 16 * AHEAD, 32 * AHEAD):
        start = int(time.time()) + lead
        if attempt(start, start + seconds):
            return start, start + seconds
    raise AssertionError(f"not done in {lead} seconds")


class Job(NamedTuple):
    """A job, and how many processors it has of the reserved ones."""

    number: int
    inside: int


class Snapshot(NamedTuple):
    counted: int
    usage: dict[tuple[str, str], float]
    total: float

    def of(self, section: str, name: str) -> float:
        return self.usage.get((section, name), 0)


class OwnerTest(ClusterTest):
    def snapshot(self, after: float | None = None) -> Snapshot:
        """What the files say when they hold all that was used before a moment, by default this one."""
        moment = time.time() if after is None else after

        def look() -> Snapshot | None:
            files, again = Files(directory(self.cluster)), Files(directory(self.cluster))
            if files.counted < moment or (files.usage, files.windows) != (
                again.usage,
                again.windows,
            ):
                return None
            return Snapshot(files.counted, files.usage, files.total)

        return self.cluster.wait_for(look, f"files that are counted until {moment:.0f}", 90)

    def charged(self, section: str, name: str) -> Snapshot:
        """The files, once something has been charged."""
        return self.cluster.wait_for(
            lambda: (now := self.snapshot()).of(section, name) > 0 and now, "idle cycles to be charged"
        )

    def used(self, jobs: list[Job], start: float, end: float) -> float:
        """Reserved processor-seconds that jobs had of this time."""
        total = 0.0
        for job in jobs:
            record = self.cluster.job(job.number)
            if record["JobState"] == "PENDING" or record["StartTime"] == "Unknown":
                continue
            until = end if record["JobState"] == "RUNNING" else stamp(record["EndTime"])
            overlap = min(end, until) - max(start, stamp(record["StartTime"]))
            total += job.inside * max(0.0, overlap)
        return total

    def check(
        self, row: tuple[str, str], procs: int, jobs: list[Job], before: Snapshot, after: Snapshot
    ) -> None:
        """Between both moments the row got all that was idle of so many processors, to the second."""
        idle = procs * (after.counted - before.counted)
        idle -= int(self.used(jobs, before.counted, after.counted))
        self.assertEqual(after.of(*row) - before.of(*row), idle)

    def submit(self, inside: int, *options: str, user: str = OWNER, seconds: int = 1000) -> Job:
        number = self.cluster.sbatch("-t10", *options, user=user, wrap=f"sleep {seconds}")
        return Job(number, inside)

    def run_job(self, inside: int, *options: str, user: str = OWNER, seconds: int = 1000) -> Job:
        job = self.submit(inside, *options, user=user, seconds=seconds)
        self.cluster.wait_for_state(job.number, "RUNNING")
        return job


class AccountTest(OwnerTest):
    """One account answers for three of four nodes."""

    ROW = ("Account", "jupiter")
    PROCS = 3 * CPUS
    CFG = f"SRCFG[own] HOSTLIST=n[1-3] {OWNED} OWNER=USER:{OTHER} CHARGEACCOUNT=jupiter\n"

    CLUSTER = dict(nodes=4, cpus=CPUS, maui_cfg=FAIRSHARE, slurm_conf=SLURM_CONF + PARTITIONS)

    def setUp(self) -> None:
        self.cluster.cancel_all()
        install(self.cluster, FAIRSHARE + self.CFG)
        self.before = self.charged(*self.ROW)

    def random_jobs(self, dice: random.Random, count: int) -> list[Job]:
        jobs = []
        for _ in range(count):
            tasks, user = dice.randint(1, CPUS), dice.choice((OWNER, OTHER))
            place = dice.choice(("n1", "n2", "n3", "n4", "both"))
            if place == "both":
                options = ("-N2", "-w", "n3,n4", f"--ntasks-per-node={tasks}", f"-n{tasks * 2}")
            else:
                options = ("-N1", "-w", place, f"-n{tasks}")
            inside = 0 if place == "n4" else tasks
            jobs.append(self.submit(inside, *options, user=user, seconds=dice.randint(0, 6)))
        return jobs

    def test_jobs_come_and_go(self) -> None:
        jobs = self.random_jobs(random.Random(20261122), 40)
        self.cluster.wait_for(lambda: not self.cluster.squeue(), "all jobs to end", timeout=300)
        after = self.snapshot(time.time() + 2)
        self.assertGreater(self.used(jobs, self.before.counted, after.counted), 100)
        self.check(self.ROW, self.PROCS, jobs, self.before, after)
        # Jobs are charged as ever, and all of it is in the total.
        everything = [Job(j.number, int(self.cluster.job(j.number)["NumCPUs"])) for j in jobs]
        users = sum(
            after.of("User", user) - self.before.of("User", user) for user in (OWNER, OTHER)
        )
        self.assertEqual(users, self.used(everything, self.before.counted, after.counted))
        idle = after.of(*self.ROW) - self.before.of(*self.ROW)
        self.assertEqual(after.total - self.before.total, users + idle)

    def test_a_suspended_job_leaves_its_processors_idle(self) -> None:
        job = self.run_job(CPUS, "-N1", "-w", "n2", f"-n{CPUS}")
        seconds: list[int] = []
        for _ in range(2):
            self.cluster.run(["scontrol", "suspend", str(job.number)])
            seconds.append(int(stamp(self.cluster.job(job.number)["SuspendTime"])))
            until = self.snapshot(time.time() + 2)
            self.cluster.run(["scontrol", "resume", str(job.number)])
            # After a resumption it is that one's time.
            seconds.append(int(stamp(self.cluster.job(job.number)["SuspendTime"])))
            self.snapshot(time.time() + 2)
        self.assertGreater(until.counted, seconds[-2])
        after = self.snapshot()
        paused = (seconds[1] - seconds[0]) + (seconds[3] - seconds[2])
        used = self.used([job], self.before.counted, after.counted) - CPUS * paused
        idle = self.PROCS * (after.counted - self.before.counted) - int(used)
        self.assertEqual(after.of(*self.ROW) - self.before.of(*self.ROW), idle)

    def test_a_node_that_is_drained_is_not_idle(self) -> None:
        self.cluster.run("scontrol update node=n1 state=drain reason=test")
        self.addCleanup(self.cluster.run, "scontrol update node=n1 state=resume", check=False)
        start = self.snapshot(time.time() + 3)
        after = self.snapshot(time.time() + 5)
        self.check(self.ROW, self.PROCS - CPUS, [], start, after)
        self.cluster.run("scontrol update node=n1 state=resume")
        start = self.snapshot(time.time() + 3)
        self.check(self.ROW, self.PROCS, [], start, self.snapshot(time.time() + 5))

    def test_another_maui_cfg_is_in_force_at_once(self) -> None:
        install(self.cluster, FAIRSHARE + self.CFG.replace("n[1-3]", "n[1-2]"))
        start = self.snapshot(time.time() + 3)
        self.check(self.ROW, 2 * CPUS, [], start, self.snapshot(time.time() + 4))
        job = self.run_job(0, "-n1", "-w", "n4")  # for something to count
        install(self.cluster, FAIRSHARE)
        start = self.snapshot(time.time() + 3)
        self.check(self.ROW, 0, [job], start, self.snapshot(time.time() + 4))

    def test_the_commands_show_it(self) -> None:
        rows = self.cluster.maui("diagnose", "-f", "--json")["credentials"]["account"]
        row = next(one for one in rows if one["name"] == "jupiter")
        self.assertGreater(row["percent"], 0)
        self.assertLessEqual(row["percent"], 100)
        self.assertIn("jupiter", self.cluster.run(["maui", "fs", "show"]).stdout)
        text = self.cluster.run(["maui", "diagnose", "-r"]).stdout
        self.assertIn("ChargeAccount: jupiter", text)
        self.assertNotIn("WARNING", text)


class GapTest(OwnerTest):  # its tests are in those below
    """slurmctld goes and comes: what nobody was there to see is charged to nobody."""

    ROW = AccountTest.ROW
    PROCS = AccountTest.PROCS
    BACKUP = False

    @classmethod
    def setUpClass(cls) -> None:
        # Files of the windows come late: what is between them is somebody else's to know.
        late = FAIRSHARE.replace("CHECKPOINTINTERVAL 3", "CHECKPOINTINTERVAL 1000")
        cls.cluster = cls.enterClassContext(
            Cluster(
                nodes=4,
                cpus=CPUS,
                maui_cfg=late + AccountTest.CFG,
                slurm_conf=SLURM_CONF + PARTITIONS,
                backup=cls.BACKUP,
            )
        )

    def setUp(self) -> None:
        self.cluster.wait_for(self.has_row, "idle cycles")

    def check_gap(self, kill: bool) -> None:
        job = self.run_job(2, "-n2", "-w", "n1")
        running = time.time()
        before, seen = self.cluster.wait_for(
            lambda: (now := self.usage())[1] > running and now, "a pass that has seen the job"
        )
        left = self.saved(seen + 15)
        self.cluster.stop(kill=kill)
        gone = time.time()
        self.cluster.wait_for(lambda: time.time() > gone + 10, "a gap")
        back = int(time.time())
        self.cluster.start()
        counts = self.counts_again(back)
        self.cluster.wait_for(lambda: time.time() > counts + 12, "time to pass")
        after, until = self.usage()
        idle = self.PROCS - 2
        most = idle * (gone - seen + until - back)
        least = idle * (left - seen + until - counts)
        self.assertLessEqual(after - before, most)
        self.assertGreaterEqual(after - before, least)
        self.cluster.scancel(job.number)

    def has_row(self) -> bool:
        report = self.cluster.run(["maui", "diagnose", "-f", "--json"], check=False)
        return "jupiter" in report.stdout

    def saved(self, after: int) -> int:
        """Until when idle time is in the file, once that is after this second: a kill costs the
        seconds since."""
        path = self.cluster.dir / "state" / "maui" / "idle"

        def look() -> int | None:
            lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
            rows = [line.split() for line in lines if line.startswith("idle account")]
            until = max((int(row[3]) for row in rows if row[5] == "jupiter"), default=0)
            return until if until > after else None

        return self.cluster.wait_for(look, "idle time to be in the file")

    def counts_again(self, since: float) -> int:
        """Until when the engine has counted, once it does so again: starting may take its time."""
        self.cluster.wait_for(self.has_row, "the engine to be there again")
        return self.cluster.wait_for(
            lambda: (counted := self.usage()[1]) > since and counted, "it to count"
        )

    def usage(self) -> tuple[float, int]:
        report = self.cluster.maui("diagnose", "-f", "--json")
        row = next(one for one in report["credentials"]["account"] if one["name"] == "jupiter")
        return float(row["usage"]), int(report["counted"])



class RestartTest(GapTest):
    def test_restart(self) -> None:
        self.check_gap(kill=False)

    def test_kill(self) -> None:
        self.check_gap(kill=True)


class TakeoverTest(GapTest):
    BACKUP = True

    def test_the_backup_takes_over(self) -> None:
        before, seen = self.usage()
        left = self.saved(seen + 15)
        self.cluster.stop(kill=True)
        gone = time.time()
        self.cluster.wait_for(lambda: self.cluster.in_charge() == "backup", "the backup", 90)
        counts = self.counts_again(time.time())
        self.cluster.wait_for(lambda: time.time() > counts + 12, "time to pass")
        after, until = self.usage()
        # From the kill until the backup ran nobody counted.
        gap = controller_log.took_over(self.cluster.dir / "log" / "backup.log") - gone
        self.assertGreater(gap, 0)
        self.assertLessEqual(after - before, self.PROCS * (until - seen - gap))
        self.assertGreaterEqual(after - before, self.PROCS * (left - seen + until - counts))
        self.cluster.start()
        self.cluster.wait_for(lambda: self.cluster.in_charge() == "slurmctld", "the first one", 90)
        self.cluster.wait_for(self.has_row, "the first engine to be there again")
        # And back: what it had in memory is old, and does not count again.
        again, then = self.usage()
        self.assertLessEqual(again - before, self.PROCS * (then - seen - gap))
        self.assertGreaterEqual(again, after)
        self.cluster.restart("backup")


class ShapesTest(OwnerTest):
    """Every kind of owner, policy and reservation; each test has a maui.cfg of its own."""

    CLUSTER = dict(nodes=6, cpus=CPUS, maui_cfg=FAIRSHARE, slurm_conf=SLURM_CONF + PARTITIONS)

    def setUp(self) -> None:
        self.cluster.cancel_all()
        install(self.cluster, FAIRSHARE)
        self.cluster.wait_for(lambda: not show_reservations(self.cluster), "no reservations")

    def measure(self, cfg: str, row: tuple[str, str], seconds: int = 5) -> tuple[Snapshot, Snapshot]:
        install(self.cluster, cfg)
        before = self.snapshot(self.charged(*row).counted + 1)
        return before, self.snapshot(before.counted + seconds)

    def test_every_kind_of_owner(self) -> None:
        owners = {
            "USER:daemon": ("User", "daemon"),
            "GROUP:bin": ("Group", "bin"),
            "ACCOUNT:jupiter": ("Account", "jupiter"),
            "QOS:high": ("QOS", "high"),
            "CLASS:interactive": ("Class", "interactive"),
        }
        cfg = "".join(
            f"SRCFG[o{i}] HOSTLIST=n{i} {OWNED} OWNER={owner}\n"
            for i, owner in enumerate(owners, 1)
        )
        before, after = self.measure(FAIRSHARE + cfg, ("Class", "interactive"))
        for row in owners.values():
            self.check(row, CPUS, [], before, after)
        seconds = after.counted - before.counted
        self.assertEqual(after.total - before.total, len(owners) * CPUS * seconds)

    def test_a_processor_is_charged_once(self) -> None:
        """Of two on a node the first name's owner pays; one that nobody owns does not count."""
        cfg = (
            f"SRCFG[aaa] HOSTLIST=n[1-6] {OWNED}\n"
            f"SRCFG[bbb] HOSTLIST=n[1-2] {OWNED} OWNER=ACCOUNT:first\n"
            f"SRCFG[ccc] HOSTLIST=n[1-4] {OWNED} OWNER=ACCOUNT:second ACCESS=SHARED\n"
        )
        before, after = self.measure(FAIRSHARE + cfg, ("Account", "second"))
        self.check(("Account", "first"), 2 * CPUS, [], before, after)
        self.check(("Account", "second"), 2 * CPUS, [], before, after)

    def test_parts_of_nodes(self) -> None:
        cfg = f"SRCFG[part] TASKCOUNT=3 RESOURCES=PROCS:1 HOSTLIST=n1 {OWNED} OWNER=ACCOUNT:parts\n"
        row = ("Account", "parts")
        before, after = self.measure(FAIRSHARE + cfg, row)
        self.check(row, 3, [], before, after)
        # Who cannot get in has the rest of the node, and what is reserved stays idle.
        job = self.run_job(4, "-w", "n1", "-n4")
        before = self.snapshot(time.time() + 2)
        self.check(row, 4, [job], before, self.snapshot(time.time() + 4))

    def test_the_policies(self) -> None:
        cfg = f"SRCFG[own] HOSTLIST=n[1-2] {OWNED} OWNER=ACCOUNT:policies\n"
        row = ("Account", "policies")
        pes = FAIRSHARE.replace("DEDICATEDPS", "DEDICATEDPES")
        before, after = self.measure(pes + cfg, row)
        self.check(row, 2 * CPUS, [], before, after)
        # What nobody used was not utilized: the owner's row stays, while a job's grows.
        install(self.cluster, FAIRSHARE.replace("DEDICATEDPS", "UTILIZEDPS") + cfg)
        job = self.run_job(0, "-n1", "-w", "n6")
        before = self.snapshot(time.time() + 3)
        self.check(row, 0, [job], before, self.snapshot(time.time() + 4))
        # And off is off.
        install(self.cluster, FAST + cfg)
        self.cluster.wait_for(lambda: "own.inf" in show_reservations(self.cluster), "it to stay")
        self.assertNotIn("policies", self.cluster.run(["maui", "diagnose", "-f"]).stdout)

    def test_a_window_from_its_first_second_to_its_last(self) -> None:
        # A poll much later than its ends: times count, not looks.
        slow = FAIRSHARE.replace("RMPOLLINTERVAL 1", "RMPOLLINTERVAL 60")

        def reserved(start: int, end: int) -> bool:
            """Whether slurmctld has it before it begins, and not only tomorrow's."""
            name = f"win{start}"
            cfg = f"SRCFG[{name}] HOSTLIST=n[1-2] {window(start, end)} OWNER=ACCOUNT:{name} TIMELIMIT=0:30\n"
            install(self.cluster, slow + cfg)
            made = self.cluster.wait_for(lambda: self.instance_of(name), "the reservation")
            return made["State"] == "INACTIVE" and stamp(made["StartTime"]) == start

        start, end = ahead(9, reserved)
        row = ("Account", f"win{start}")
        job = self.submit(3, "-n3", "-w", "n3,n1", "-N2", "--ntasks-per-node=3", "-n6", seconds=7)
        after = self.snapshot(end)
        used = self.used([job], start, end)
        self.assertEqual(after.of(*row), 2 * CPUS * 9 - used)

    def instance_of(self, name: str) -> dict[str, str] | None:
        found = show_reservations(self.cluster)
        return next((one for key, one in found.items() if key.startswith(f"{name}.")), None)

    def test_every_second_is_in_its_window(self) -> None:
        """Windows of ten seconds: each holds what was idle in it."""
        short = FAIRSHARE.replace("9000000", "10") + "FSDEPTH 24\n"
        cfg = f"SRCFG[own] HOSTLIST=n[1-2] {OWNED} OWNER=ACCOUNT:windows\n"
        install(self.cluster, short + cfg)
        self.charged("Account", "windows")
        begun = int(time.time()) // 10 * 10 + 10
        self.snapshot(begun + 33)
        windows = Files(directory(self.cluster)).windows
        for start in (begun + 10, begun + 20):
            self.assertEqual(windows[start], 2 * CPUS * 10)


class TriggerTest(OwnerTest):
    """TRIGGER: each event sets it off once, and nothing of it holds up slurmctld."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(
                nodes=2,
                cpus=CPUS,
                maui_cfg=FAST,
                slurm_conf=SLURM_CONF + PARTITIONS,
            )
        )
        conf = cls.cluster.dir / "etc" / "slurm.conf"
        text = conf.read_text(encoding="utf-8")
        replace_file(conf, text.replace("maui_port=", "maui_trigger_timeout=6,maui_port="))
        cls.out = cls.cluster.home / "triggered"
        cls.script = cls.cluster.home / "script"
        cls.script.write_text(SCRIPT, encoding="utf-8")
        cls.script.chmod(0o755)

    def setUp(self) -> None:
        install(self.cluster, FAST)
        self.cluster.wait_for(lambda: not show_reservations(self.cluster), "no reservations")
        self.out.unlink(missing_ok=True)
        self.log = self.cluster.log_position()

    def configure(self, trigger: str, name: str, options: str = OWNED) -> None:
        install(self.cluster, FAST + f'SRCFG[{name}] HOSTLIST=n1 {options} TRIGGER="{trigger}"\n')

    def lines(self) -> list[dict[str, str]]:
        """What the script has written of each time that it was run."""
        if not self.out.exists():
            return []
        text = self.out.read_text(encoding="utf-8")
        return [dict(word.split("=", 1) for word in line.split("|")) for line in text.splitlines()]

    def wait_for_lines(self, count: int, timeout: float = 60) -> list[dict[str, str]]:
        lines = self.cluster.wait_for(
            lambda: len(found := self.lines()) >= count and found, f"{count} runs", timeout
        )
        self.assertEqual(len(lines), count)
        return lines

    def exec(self, event: str) -> str:
        return f"{event};exec@{self.script} {self.out} one 'two three'"

    def test_a_program_is_told_what_happens_and_nothing_else(self) -> None:
        self.configure(self.exec("create"), "made")
        (line,) = self.wait_for_lines(1)
        self.assertEqual(line["reservation"], "made.inf")
        self.assertEqual(line["sr"], "made")
        self.assertEqual(line["event"], "create")
        self.assertEqual(line["nodes"], "n1")
        self.assertGreater(int(line["end"]), int(line["start"]))
        there = show_reservations(self.cluster)["made.inf"]
        self.assertEqual(int(line["start"]), epoch(there["StartTime"]))
        self.assertEqual(line["args"], "one 'two three'")  # no shell took the quotes off
        self.assertEqual(line["session"], line["pid"])  # of its own
        self.assertEqual(line["descriptors"], "0 1 2")
        self.assertEqual(line["stdin"], "/dev/null")
        self.assertEqual(line["user"], self.cluster.run("id -un").stdout.strip())
        self.assertIn(f"{self.cluster.dir}", line["conf"])
        self.assertEqual(line["cwd"], "/")
        self.cluster.wait_for(
            lambda: self.cluster.log_contains("has ended", self.log), "a word about its end"
        )
        text = self.cluster.run(["maui", "diagnose", "-r"]).stdout
        self.assertIn("Trigger: create;exec@", text)
        self.assertIn("Triggered: create", text)

    def test_start_and_end_with_offsets(self) -> None:
        start = int(time.time()) + AHEAD
        end = start + 6
        # All have come before the next poll, or waiting for them fails.
        slow = FAST.replace("RMPOLLINTERVAL 1", "RMPOLLINTERVAL 1:00:00")
        cfg = "".join(
            f"SRCFG[{name}] HOSTLIST=n1 {window(start, end)} USERLIST=root "
            f'TRIGGER="{self.exec(event)}"\n'
            for name, event in (
                ("one", "start"),
                ("two", "START+0:02"),
                ("three", "end"),
                ("four", "end+0:00:03"),
                ("late", "start+1:00"),  # it will have ended
            )
        )
        install(self.cluster, slow + cfg)
        lines = self.wait_for_lines(4, 90)
        due = {"one": start, "two": start + 2, "three": end, "four": end + 3}
        for line in lines:
            with self.subTest(line["sr"]):
                self.assertGreaterEqual(float(line["time"]), due[line["sr"]])
                self.assertEqual(line["event"], "end" if line["sr"] in ("three", "four") else "start")
        self.assertEqual({line["sr"] for line in lines}, set(due))

    def test_the_example_of_the_manual(self) -> None:
        """With ':' before the action, here and after a time."""
        self.configure(f"start+0:00:01:exec@{self.script} {self.out}", "fast")
        (line,) = self.wait_for_lines(1)
        self.assertEqual(line["event"], "start")

    def test_cancel_with_little_load(self) -> None:
        self.configure("minload@50%;cancel", "empty")
        self.cluster.wait_for(
            lambda: self.cluster.log_contains("trigger at the minload", self.log), "the trigger"
        )
        self.cluster.wait_for(lambda: not show_reservations(self.cluster), "it to go")
        self.cluster.wait_for_iterations(3)
        self.assertFalse(show_reservations(self.cluster))

    def test_enough_load(self) -> None:
        job = self.run_job(2, "-n2", "-w", "n1")
        self.addCleanup(self.cluster.cancel_all)
        self.configure("minload@0.5;cancel", "half")
        self.cluster.wait_for(lambda: show_reservations(self.cluster), "it")
        self.cluster.wait_for_iterations(4)
        self.assertTrue(show_reservations(self.cluster))
        self.cluster.scancel(job.number)
        self.cluster.wait_for(lambda: not show_reservations(self.cluster), "it to go")

    def test_submit(self) -> None:
        script = self.cluster.home / "job.sh"
        script.write_text(f"#!/bin/sh\n#SBATCH -n1 -o /dev/null\nexec {self.script} {self.out}\n")
        self.configure(f"create;submit@{script}", "batch")
        (line,) = self.wait_for_lines(1)
        self.assertEqual((line["event"], line["reservation"]), ("create", "batch.inf"))

    def test_a_program_that_takes_too_long(self) -> None:
        """It and what it has started are killed, and slurmctld answers meanwhile."""
        marker = f"{7000 + self.cluster.pid() % 900}"
        self.configure(f"create;exec@/bin/sh -c sleep${{IFS}}{marker}&sleep${{IFS}}{marker}", "slow")
        found = f"ps -eo args | grep -c '^sleep {marker}$'"
        self.cluster.wait_for(
            lambda: self.cluster.run(found, check=False).stdout.strip() == "2", "both of it"
        )
        self.cluster.wait_for_iterations(2)
        self.cluster.wait_for(
            lambda: self.cluster.log_contains("was killed after 6 seconds", self.log), "its end"
        )
        self.assertEqual(self.cluster.run(found, check=False).stdout.strip(), "0")

    def test_programs_that_fail(self) -> None:
        for name, what, said in (
            ("missing", "/nonexistent/program", "cannot be run: No such file"),
            ("false", "/bin/false", "ended with status 1"),
            ("signal", "/bin/sh -c kill${IFS}-9${IFS}$$", "was ended by signal 9"),
        ):
            self.configure(f"create;exec@{what}", name)
            self.cluster.wait_for(lambda: self.cluster.log_contains(said, self.log), said)
            self.cluster.wait_for_iterations(2)
            self.assertEqual(self.cluster.log_text(self.log).count(said), 1)

    def test_once_whatever_happens(self) -> None:
        self.configure(self.exec("start"), "once", OWNED)
        self.wait_for_lines(1)
        for disturb in (
            self.cluster.reconfigure,
            self.cluster.restart,
            lambda: self.cluster.restart(kill=True),
            lambda: self.cluster.run("scontrol delete reservation=once.inf"),
        ):
            disturb()
            self.cluster.wait_for(
                lambda: "once.inf" in show_reservations(self.cluster), "the reservation"
            )
            self.cluster.wait_for_iterations(3)
            self.assertEqual(len(self.lines()), 1)
        # One that is missed comes late.
        self.cluster.stop(kill=True)
        self.cluster.write_maui_cfg(
            self.cluster.maui_cfg.read_text().replace("start;", "start+0:01;").replace("once", "late")
        )
        self.cluster.start()
        lines = self.wait_for_lines(2)
        self.assertEqual(lines[1]["sr"], "late")

    def test_the_end_that_was_missed(self) -> None:
        state = self.cluster.dir / "state" / "maui" / "triggers"

        def killed(_: int, end: int) -> bool:
            """Whether slurmctld has it on its disk, and is killed before its end."""
            name = f"past{end}"
            log = self.cluster.log_position()
            self.configure(self.exec("end"), name, f"{window(time.time() + 2, end)} USERLIST=root")
            self.cluster.wait_for(lambda: state.exists() and f"{name}." in state.read_text(), "its name on disk")
            of_today = f"{name}.{time.strftime('%Y%m%d', time.localtime(end))}" in state.read_text()
            self.cluster.stop(kill=True)
            if of_today and not self.cluster.log_contains("trigger at the end", log):
                return True
            self.cluster.start()
            return False

        _, end = ahead(0, killed)

        def runs() -> list[dict[str, str]]:
            return [line for line in self.lines() if line["sr"] == f"past{end}"]

        self.cluster.wait_for(lambda: time.time() > end + 1, "the end to pass")
        self.assertFalse(runs())
        self.cluster.start()
        self.cluster.wait_for(runs, "the program")
        self.cluster.wait_for_iterations(3)
        self.assertEqual(len(runs()), 1)

    def test_a_damaged_file(self) -> None:
        """Nobody knows what has been: it is not done again."""
        self.configure(self.exec("start"), "damaged")
        self.wait_for_lines(1)
        self.cluster.stop()
        state = self.cluster.dir / "state" / "maui" / "triggers"
        state.write_bytes(state.read_bytes()[:-9])
        self.cluster.start()
        self.cluster.wait_for(lambda: state.with_suffix(".damaged").exists(), "it to be set aside")
        self.cluster.wait_for_iterations(4)
        self.assertEqual(len(self.lines()), 1)

    def test_a_maui_cfg_that_others_may_write(self) -> None:
        text = FAST + f'SRCFG[open] HOSTLIST=n1 {OWNED} TRIGGER="{self.exec("create")}"\n'
        self.cluster.write_maui_cfg(text)
        self.cluster.maui_cfg.chmod(0o666)
        self.assert_nothing_is_run("may be written by group or others")

    def test_a_link_of_somebody_else_s_to_a_file_of_root_s(self) -> None:
        """Who owns the link decides which file of root's is read, also the next time."""
        text = FAST + f'SRCFG[linked] HOSTLIST=n1 {OWNED} TRIGGER="{self.exec("create")}"\n'
        self.cluster.write_maui_cfg(text)
        real = self.cluster.maui_cfg.with_name("maui.cfg.real")
        self.cluster.maui_cfg.rename(real)
        self.addCleanup(real.unlink)
        self.cluster.maui_cfg.symlink_to(real)
        uid = getpwnam(OTHER).pw_uid
        os.chown(self.cluster.maui_cfg, uid, -1, follow_symlinks=False)
        self.assert_nothing_is_run(f"maui.cfg is a symbolic link that belongs to uid {uid}")

    def assert_nothing_is_run(self, why: str) -> None:
        self.cluster.reconfigure()
        self.cluster.wait_for(lambda: show_reservations(self.cluster), "the reservation")
        self.cluster.wait_for_iterations(3)
        self.assertFalse(self.lines())
        self.assertTrue(self.cluster.log_contains(f"{why}; all files", self.log))
