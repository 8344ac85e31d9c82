# SPDX-License-Identifier: GPL-2.0-or-later
"""Twelve users, 2,000 short jobs, and limits that change all the time: none is ever exceeded.

    TORTURE_JOBS=N   how many jobs and tasks of arrays (default 2000)
    TORTURE_SEED=N   other choices; 0: any

Users submit, hold, release, cancel and requeue in shells of their own, all at the same time; an
administrator suspends, resumes, holds and changes time limits; maui.cfg changes, and slurmctld is
killed twice. What happened is read from slurmdbd's accounting when all is over, and judged by
torture_model.py. Of the kills: a run that began after slurmctld's state was saved for the last time
and that the next slurmctld does not know any more counts until the kill, and so does one whose end
got lost on the way to slurmdbd. All others count as accounting has them.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import time
import unittest
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime

import jobcomp
from harness import Cluster, gpu_devices
from lost_answer import is_lost
from torture_model import (
    INFINITE,
    METRICS,
    SACCT,
    TIME_LIMIT,
    Change,
    Limit,
    Observer,
    Policy,
    Run,
    Site,
    Verdict,
    correct_classes,
    correct_requeued,
    parse_runs,
    random_policy,
)

JOBS = int(os.environ.get("TORTURE_JOBS", "2000"))
SEED = int(os.environ.get("TORTURE_SEED", "62")) or random.SystemRandom().randrange(1, 10**6)

USERS = ("daemon", "bin", "sys", "games", "man", "lp", "mail", "news", "uucp", "proxy", "backup", "list")
SHARED_GROUPS = ("staff", "users")
ACCOUNTS = ("physics", "chemistry", "biology")
QOS = ("normal", "high", "low")
CLASSES = ("batch", "short", "wide")
NODES, CPUS, MEMORY = 8, 16, 16000
# A job of more never runs; all others fit any limit by themselves.
PROCS_PER_JOB = CPUS
# Each node has as many, and no job asks for more. Those with a100 are in all partitions.
GPUS = 4
SITE = Site(
    names={
        "USER": USERS,
        "GROUP": (*USERS[:3], *SHARED_GROUPS),
        "ACCOUNT": ACCOUNTS,
        "CLASS": CLASSES,
        "QOS": QOS,
    },
    scale={
        "JOB": (3, 5),
        "PROC": (PROCS_PER_JOB, 8),
        "NODE": (3, 4),
        "MEM": (1600, 800),
        "GRES[gpu]": (GPUS, 4),
        "GRES[gpu:a100]": (GPUS, 4),
        "GS[gpu]": (GPUS * TIME_LIMIT, 4 * TIME_LIMIT),
    },
)
SLURM_CONF = f"""\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2,bf_continue,bf_min_prio_reserve=1
AccountingStorageEnforce=associations,qos
PartitionName=short Nodes=n[1-6]
PartitionName=wide Nodes=n[3-{NODES}]
GresTypes=gpu
AccountingStorageTRES=gres/gpu,gres/gpu:a100
NodeName=n[1-2,7-8] Gres=gpu:h100:{GPUS}
NodeName=n[3-6] Gres=gpu:a100:{GPUS}
"""
GRES_CONF = """\
NodeName=n[1-2,7-8] Name=gpu Type=h100 File={devices}/gpu[0-3]
NodeName=n[3-6] Name=gpu Type=a100 File={devices}/gpu[0-3]
"""
ACCOUNTING = f"""\
sacctmgr -i add qos {",".join(QOS[1:])}
sacctmgr -i add account {",".join(ACCOUNTS)}
sacctmgr -i add user {",".join(USERS)} account={",".join(ACCOUNTS)} \
    qos={",".join(QOS)} defaultqos=normal defaultaccount={ACCOUNTS[0]}
"""

PERIOD = 10  # seconds for which a policy stays at least: near a change the observer sees less
CROWD = 300  # waiting tasks from which on nobody submits
# Seconds in which something has to start or end while something can. A kill -9 may cost slurmctld
# the end of a job, which is over then when its minute is.
PATIENCE = 300
HELD = ("JobHeldUser", "JobHeldAdmin")
OUR_ERROR = re.compile(r"(error|fatal): (priority/)?maui\b|had been counted wrongly|fatal:")


@dataclass
class Operation:
    """A command of one actor, under some group, and what follows from its success."""

    actor: str
    command: str
    group: str = ""
    # The status is False, too, where the command did what it should, but slurmctld's answer got lost.
    after: Callable[[bool], None] = field(default=lambda done: None)


@dataclass
class Hold:
    """Of a job that we have seen held. Nothing may let it go until we do."""

    reason: str
    since: float = INFINITE  # not yet
    until: float = INFINITE
    doubted: bool = False  # the last command about it failed, or seemed to


@dataclass
class Kill:
    saved: float  # before this nothing is lost
    killed: float
    known: dict[str, int]  # job -> start, in the next slurmctld


class TortureTest(unittest.TestCase):
    def setUp(self) -> None:
        self.dice = random.Random(SEED)
        self.counts: Counter[str] = Counter()
        self.tasks = 0
        self.rows: dict[str, dict[str, str]] = {}
        self.holds: dict[str, Hold] = {}
        self.past_holds: list[tuple[str, Hold]] = []
        # Accounting has a run that ends while it is suspended as ended when it was suspended.
        self.suspended_until: list[tuple[str, float]] = []
        self.suspended: set[str] = set()  # jobs that somebody has ever tried to suspend
        self.changes: list[Change] = []
        self.kills: list[Kill] = []

    def test_no_limit_is_exceeded_and_no_job_is_left_behind(self) -> None:
        print(f"torture: TORTURE_SEED={SEED} TORTURE_JOBS={JOBS}", flush=True)
        self.begun = time.time()
        self.policy = random_policy(self.dice, SITE, PROCS_PER_JOB)
        devices = self.enterContext(gpu_devices(GPUS))
        self.cluster = self.enterContext(
            Cluster(
                nodes=NODES,
                cpus=CPUS,
                memory=MEMORY,
                maui_cfg=self.policy.text,
                slurm_conf=SLURM_CONF,
                gres_conf=GRES_CONF.format(devices=devices),
                slurmdbd=True,
                jobcomp=True,
            )
        )
        self.changes.append(Change(0, time.time(), self.policy))
        self.cluster.run(ACCOUNTING)
        try:
            self.torture()
            self.drain()
            runs = self.cluster.wait_for(self.accounted, "accounting to be complete", timeout=120)
            self.check(runs)
        except BaseException as error:
            error.add_note(f"TORTURE_SEED={SEED} TORTURE_JOBS={JOBS}")
            raise
        finally:
            print(
                f"torture: {self.tasks} jobs in {time.time() - self.begun:.0f} seconds: "
                + ", ".join(f"{count} {name}" for name, count in sorted(self.counts.items())),
                flush=True,
            )

    # --- waves

    def torture(self) -> None:
        kills = [JOBS // 3, 2 * JOBS // 3]
        with ThreadPoolExecutor(1) as executor:
            while self.tasks < JOBS:
                wave = executor.submit(self.run_wave, self.operations())
                if self.cluster.may_fail_to_reconfigure():
                    wave.result()
                self.disturb()
                wave.result()
                self.look()
                if kills and self.tasks >= kills[0]:
                    kills.pop(0)
                    self.kill()

    def operations(self) -> list[Operation]:
        """What everybody does in the next seconds; no job is the object of two commands."""
        dice = self.dice
        jobs = list(self.rows)
        dice.shuffle(jobs)
        active = [job for job in jobs if self.rows[job]["state"] != "PENDING"]
        waiting = [job for job in jobs if self.rows[job]["state"] == "PENDING"]
        # First what is done to active jobs: they are short.
        wave = [
            one
            for job in (*active[:20], *waiting[:30])
            if (one := self.operation(job, self.rows[job]))
        ]
        wave += self.starts_now(but=waiting[:30])
        if len(waiting) < CROWD:
            for user in USERS:
                group = dice.choice((user, user, *SHARED_GROUPS))
                wave += [self.submission(user, group) for _ in range(dice.randint(0, 5))]
        return wave

    def submission(self, user: str, group: str) -> Operation:
        dice = self.dice
        kind = dice.choices(("plain", "array", "exclusive", "het", "never"), (60, 22, 8, 9, 1))[0]
        tasks = 1
        words = ["sbatch", "--parsable", "-o/dev/null", "-t1", "-D/"]
        gpus = kind in ("plain", "array", "het") and dice.random() < 0.4
        words += [f"-J{kind}{'-gpu' if gpus else ''}", f"-A{dice.choice(ACCOUNTS)}"]
        words.append(f"-q{dice.choice(QOS)}")
        words.append(f"-p{','.join(dice.sample(CLASSES, dice.choice((1, 1, 1, 2, 3))))}")
        if kind == "het":
            sizes = [f"-n{dice.randint(1, 5)} -N1 --mem-per-cpu=100" for _ in range(dice.randint(2, 3))]
            sizes[0] += " --gpus=2" if gpus else ""
            sizes[1] += " --gpus=a100:1" if gpus else ""
            # Every part has its own options; credentials are the first one's.
            words[-1] = words[-1].split(",")[0]
            words += " : ".join(
                f"{size} {words[-1]} {words[-2]} {words[-3]} {words[3]}" for size in sizes
            ).split()
        elif kind == "exclusive":
            words += ["--exclusive", "-N1", f"--mem={dice.randint(100, 1500)}"]
        elif kind == "never":
            words += [f"-n{dice.randint(PROCS_PER_JOB + 1, PROCS_PER_JOB + 8)}", "--mem-per-cpu=50"]
        else:
            words.append(f"--mem-per-cpu={dice.choice((50, 100))}")
            words += self.size_with_gpus() if gpus else [f"-n{dice.choice((1, 1, 2, 2, 4, 4, 8, 16))}"]
        if kind == "array":
            tasks = dice.randint(2, 16)
            words.append(f"--array=1-{tasks}")
        seconds = dice.choice((0, 0.5, 1, 1, 1.5, 1.5, 2, 3, 5))
        words += ["--wrap", f"exec sleep {seconds}"]

        def after(done: bool) -> None:
            if done:
                self.tasks += tasks
                self.counts[f"{kind} submitted"] += tasks
                self.counts["with GPUs submitted"] += tasks * gpus

        return Operation(user, shlex.join(words), group, after)

    def size_with_gpus(self) -> list[str]:
        """At most GPUS of them, on however many nodes."""
        dice = self.dice
        count = dice.choice((1, 1, 2, 2, 3, GPUS))
        name = dice.choice(("", "a100:")) + str(count)
        return dice.choice((
            [f"-n{dice.choice((1, 4, 16))}", "-N1", f"--gpus={name}"],
            [f"-n{dice.choice((1, 4, 16))}", "-N1", f"--gres=gpu:{name}"],
            ["-n2", "-N1", "--sockets-per-node=1", f"--gpus-per-socket={name}"],
            [f"-n{count}", f"--gpus-per-task={name[:-1]}1"],
            [f"-n{GPUS}", f"--gpus-per-node={name[:-1]}1"],
        ))  # fmt: skip

    def operation(self, job: str, row: dict[str, str]) -> Operation | None:
        """Of one job, as it was seen last."""
        dice = self.dice
        het = "+" in job
        actor = dice.choice(("root", row["user"]))
        kind = dice.random()
        if job in self.holds:
            return self.release(job, actor) if kind < 0.3 else None
        if kind < 0.12 and row["name"] != "never":
            return self.cancel(job, actor, row["state"])
        if kind < 0.2:
            # With more time, one with GPUs might not fit into any MAXGS by itself.
            most = 1 if row["name"].endswith("-gpu") or row["name"] == "exclusive" else 2
            return Operation("root", f"scontrol update job={job} timelimit={dice.randint(1, most)}")
        if het or row["name"] == "never":
            return None
        if row["priority"] == "0":
            return None  # Slurm holds it by itself, and nobody else can
        if row["state"] == "SUSPENDED":
            return Operation("root", f"scontrol resume {job}") if kind < 0.7 else None
        if row["state"] == "RUNNING":
            if kind < 0.5:
                return Operation(actor, f"scontrol requeue {job}")
            if kind >= 0.9:
                return None
            self.suspended.add(job)
            return Operation("root", f"scontrol suspend {job}")
        return self.hold(job, actor) if row["state"] == "PENDING" and kind < 0.4 else None

    def cancel(self, job: str, actor: str, state: str) -> Operation:
        before = time.time()

        def after(done: bool) -> None:
            if done and state == "SUSPENDED":
                self.suspended_until.append((job, before))

        return Operation(actor, f"scancel {job.partition('+')[0]}", after=after)

    def hold(self, job: str, actor: str) -> Operation:
        command = self.dice.choice(("hold", "uhold"))
        reason = "JobHeldAdmin" if (actor, command) == ("root", "hold") else "JobHeldUser"

        def after(done: bool) -> None:
            self.holds[job] = Hold(reason, doubted=not done)

        return Operation(actor, f"scontrol {command} {job}", after=after)

    def release(self, job: str, actor: str) -> Operation:
        hold = self.holds[job]
        if hold.reason == "JobHeldAdmin":
            actor = "root"
        hold.until = time.time()

        def after(done: bool) -> None:
            hold.doubted = not done
            if done:
                self.past_holds.append((job, self.holds.pop(job)))

        return Operation(actor, f"scontrol release {job}", after=after)

    def starts_now(self, but: Sequence[str] = ()) -> list[Operation]:
        """A requeued job would wait for the end of its credential's life, minutes; one that a busy
        slurmd could not launch is held by Slurm itself, and so is one that it requeues while it is
        suspended, as it does with a job whose end got lost in a kill. Nobody but Slurm itself drains
        a node."""
        commands = [
            Operation("root", f"scontrol update nodename={node} state=resume")
            for node in sorted(self.cluster.nodes_out())
        ]
        for job, row in self.rows.items():
            if row["state"] != "PENDING" or job in but:
                continue
            if row["reason"] == "BeginTime":
                job = job.partition("+")[0]
                commands.append(Operation("root", f"scontrol update job={job} starttime=now"))
            elif row["reason"].startswith("launch failed") or (
                row["reason"] in HELD and job in self.suspended and job not in self.holds
            ):
                commands.append(Operation("root", f"scontrol release {job}"))
        return commands

    def run_wave(self, wave: list[Operation]) -> None:
        """Each actor's commands in order, all actors at the same time."""
        shells: dict[tuple[str, str], list[str]] = {}
        for number, one in enumerate(wave):
            line = f"out=$({one.command} 2>&1); echo {number} $? $out"
            shells.setdefault((one.actor, one.group or one.actor), []).append(line)
        script = "".join(
            f"setpriv --reuid={actor} --regid={group} --clear-groups"
            f" sh -c {shlex.quote(chr(10).join(lines))} &\n"
            for (actor, group), lines in shells.items()
        )
        answers = {}
        for line in self.cluster.run(script + "wait").stdout.splitlines():
            number, status, text = (line + " ").split(" ", 2)
            answers[int(number)] = (int(status), text.strip())
        self.assertEqual(len(answers), len(wave))
        for number, one in enumerate(wave):
            status, text = answers[number]
            done = status == 0
            name = " ".join(one.command.split()[: 2 if "scontrol" in one.command else 1])
            self.counts[name if done else f"{name} refused"] += 1
            one.after(done)
            if name == "sbatch" and not done and not is_lost(status, text):
                self.fail(f"{one.actor}: {one.command}: {text}")

    # --- what happens to slurmctld

    def disturb(self) -> None:
        what = self.dice.choices(("nothing", "same", "change"), (25, 20, 55))[0]
        if what == "change" and time.time() - self.changes[-1].in_force > PERIOD:
            self.change(random_policy(self.dice, SITE, PROCS_PER_JOB))
        elif what == "same":
            self.counts["reconfigured"] += 1
            self.reconfigure(self.cluster.reconfigure)

    def change(self, policy: Policy) -> None:
        def install() -> None:
            asked = time.time()
            self.cluster.install(policy.text)
            self.changes.append(Change(asked, time.time(), policy))

        self.counts["policies"] += 1
        self.reconfigure(install)

    def reconfigure(self, act: Callable[[], object]) -> None:
        """Where that may cost slurmctld its life, nobody asks for anything meanwhile, and it is as a kill."""

        def lost() -> float | None:
            before = len(self.cluster.lost_in_reconfigure)
            act()
            return next(iter(self.cluster.lost_in_reconfigure[before:]), None)

        if self.cluster.may_fail_to_reconfigure():
            self.survive(lost)
        else:
            act()

    def kill(self) -> None:
        def killed() -> float:
            self.cluster.stop(kill=True)
            when = time.time()
            self.cluster.start()
            return when

        self.counts["kill -9"] += 1
        self.survive(killed)
        self.look()

    def survive(self, act: Callable[[], float | None]) -> None:
        """act: says when slurmctld was killed, if it was, and has it started again."""
        job = self.cluster.sbatch("--hold", "-t1", "-D/", wrap="true")
        saved = time.time()
        self.cluster.wait_until_saved(job)
        if (killed := act()) is not None:
            lines = self.cluster.run(["scontrol", "--oneliner", "show", "job"]).stdout.splitlines()
            self.kills.append(Kill(saved, killed, dict(map(self._known, lines))))
        # While it waits for slurmdbd slurmctld answers nobody in time.
        self.cluster.wait_for(
            lambda: not self.cluster.run(["scancel", str(job)], check=False).returncode,
            f"job {job} to be cancelled",
        )

    def _known(self, line: str) -> tuple[str, int]:
        fields = dict(word.split("=", 1) for word in line.split() if "=" in word)
        job = fields["JobId"]
        if "ArrayTaskId" in fields:
            job = f"{fields['ArrayJobId']}_{fields['ArrayTaskId']}"
        elif "HetJobId" in fields:
            job = f"{fields['HetJobId']}+{fields['HetJobOffset']}"
        start = fields["StartTime"]
        if start == "Unknown":
            return job, 0
        return job, int(time.mktime(time.strptime(start, "%Y-%m-%dT%H:%M:%S")))

    # --- what is to be seen meanwhile

    def look(self) -> None:
        """The queue; whoever is held stays so."""
        now = time.time()
        self.rows = {row["id"]: row for row in self.cluster.squeue()}
        for job, hold in list(self.holds.items()):
            row = self.rows.get(job)
            held = row is not None and (row["state"], row["reason"]) == ("PENDING", hold.reason)
            if not held and (hold.doubted or (hold.since == INFINITE and row is None)):
                del self.holds[job]
                continue
            if row and hold.since == INFINITE and row["reason"].startswith("launch failed"):
                del self.holds[job]  # Slurm held it first, and starts_now() will release it
                continue
            if row and hold.since == INFINITE and (row["state"] != "PENDING" or row["priority"] == "0"):
                if not held:
                    continue  # it had started already: the hold is for when it is requeued
            self.assertTrue(held, f"job {job}, {hold}: {row}")
            if hold.since == INFINITE:
                self.counts["holds seen"] += 1
                hold.since = time.time()
            hold.until = INFINITE
        self.counts["most running"] = max(
            self.counts["most running"],
            sum(row["state"] == "RUNNING" for row in self.rows.values()),
        )
        self.counts["seen blocked"] += sum(
            " limit of " in row["reason"] for row in self.rows.values()
        )
        self.counts["seconds for looks"] += round(time.time() - now)

    def never(self) -> set[str]:
        """Jobs that are too large."""
        return {job for job, row in self.rows.items() if row["name"] == "never"}

    # --- the end

    def drain(self) -> None:
        """Nothing is left behind but what must be: by limits, and then by nothing at all."""
        self.change(random_policy(self.dice, SITE, PROCS_PER_JOB))
        self.look()
        self.wait_until_left(lambda: {*self.holds, *self.never()}, "what is neither held nor too large")
        while self.holds:
            self.run_wave([self.release(job, "root") for job in self.holds])
            self.look()
        self.wait_until_left(self.never, "what was released")
        for job in self.never():
            self.assertRegex(self.rows[job]["reason"], r"^(SYSTEM)?MAXPROC\S* limit of ")
        self.change(Policy())
        self.wait_until_left(set, "what no limit forbids any more")

    def wait_until_left(self, allowed: Callable[[], set[str]], what: str) -> None:
        """As long as something starts or ends, the machine is only slow."""
        seen: set[tuple[str, str]] = set()
        deadline = 0.0
        while True:
            self.look()
            rest = {job: row for job, row in self.rows.items() if job not in allowed()}
            if not rest:
                return
            now = {(job, row["state"]) for job, row in rest.items()}
            if now != seen:
                seen, deadline = now, time.monotonic() + PATIENCE
            if time.monotonic() >= deadline:
                self.fail(f"{what} is left behind: {list(rest.values())}\n{self.story(sorted(rest))}")
            resumed = [
                Operation("root", f"scontrol resume {job}")
                for job, row in rest.items()
                if row["state"] == "SUSPENDED"
            ]
            if commands := resumed + self.starts_now():
                self.run_wave(commands)
            time.sleep(0.5)

    def story(self, jobs: list[str]) -> str:
        """What Slurm and we say of the first of these jobs and of the nodes, and the log of its last
        minutes."""
        commands = [f"maui why {jobs[0]}", "squeue --all --start", "scontrol --oneliner show node"]
        commands += [f"scontrol --oneliner show job {jobs[0].partition('+')[0]}"]
        parts = [f"--- {one}\n{self.cluster.run(one, check=False).stdout}" for one in commands]
        number = re.compile(rf"\b{re.split('[+_]', jobs[0])[0]}\b")
        lines = [line for line in self.cluster.log_text().splitlines() if number.search(line)]
        return "\n".join([*parts, "--- its lines in the log", *lines[-40:]])

    def accounted(self) -> list[Run] | None:
        """All runs; None while some have not ended that did not lose their end in a kill."""
        done = self.cluster.run(
            f"SLURM_TIME_FORMAT=%s sacct -D -X -a -n -P -S now-2hours -o {SACCT}"
        )
        runs = parse_runs(done.stdout)
        ends = jobcomp.ends(self.cluster.jobcomp_text())
        correct_requeued(runs, ends)
        correct_classes(runs, self.cluster.log_text())
        for run in runs:
            self._mend(run, ends.get(run.job, []))
        return runs if all(run.end < INFINITE for run in runs) else None

    def _mend(self, run: Run, ends: list[int]) -> None:
        """What a kill made slurmctld forget: that a run began, or that it had ended before; of such a
        one it may have another end later, as it goes on for slurmctld."""
        for job, until in self.suspended_until:
            if job == run.job and run.start < until and run.state.startswith("CANCELLED"):
                run.end = max(run.end, int(until))
                ends = jobcomp.without_end_of_suspended(ends, int(until))
        for kill in self.kills:
            if run.start > kill.killed or run.end <= kill.killed:
                continue
            killed = int(kill.killed)
            ended = jobcomp.true_end(ends, run.start, killed)
            forgotten = run.start >= int(kill.saved) and kill.known.get(run.job) != run.start
            if forgotten or run.end == INFINITE:
                run.end = ended
                self.counts["cut at a kill"] += 1
            elif ended < killed:
                run.away = (ended, killed + 1)
                self.counts["back after a kill"] += 1

    def check(self, runs: list[Run]) -> None:
        for run in runs:
            self.counts[f"runs {run.state}"] += 1
        verdict = Observer(self.changes).judge(runs)
        self.counts["starts judged"] = verdict.judged
        self.counts["of these by one policy"] = verdict.clear
        self.counts.update({f"starts up to near a MAX{key}": n for key, n in verdict.reached.items()})
        self.assertEqual([], verdict.violations[:20], self._history(verdict))
        for job, hold in self.past_holds:
            for run in runs:
                ran = run.job == job and hold.since < run.start and run.start < int(hold.until)
                self.assertFalse(ran, f"{job} ran while it was held, {hold}: {run}")
        self.check_log()
        self.check_that_it_was_torture(verdict)

    def _history(self, verdict: Verdict) -> str:
        """For a failure's text: what was in force when, and what happened when the first starts."""
        lines = [f"{len(verdict.violations)} violations"]
        for change in self.changes:
            lines += [f"from {change.asked:.2f} or {change.in_force:.2f} on:", change.policy.text]
        lines += [f"killed at {kill.killed:.2f}, saved at {kill.saved:.2f}" for kill in self.kills]
        return "\n".join(lines)

    def check_log(self) -> None:
        lines = [one for one in self.cluster.log_text().splitlines() if OUR_ERROR.search(one)]
        self.assertEqual([], lines)

    def check_that_it_was_torture(self, verdict: Verdict) -> None:
        """Otherwise the test proves nothing."""
        self.assertGreater(verdict.judged, JOBS / 3)
        self.assertGreater(verdict.clear, JOBS / 5)
        few = 10 * JOBS / 2000
        for metric in METRICS:
            if "[" not in metric:
                self.assertGreater(verdict.reached[metric], few, metric)
        # A run has few policies, and not each bears on every one of these.
        self.assertGreater(sum(n for metric, n in verdict.reached.items() if "[" in metric), 3 * few)
        for name in (
            "runs CANCELLED", "runs REQUEUED", "scontrol suspend", "holds seen", "policies", 
            "het submitted", "exclusive submitted", "array submitted", "seen blocked", "with GPUs submitted",
        ):
            self.assertGreater(self.counts[name], 5 * JOBS / 2000, name)


class ObserverTest(unittest.TestCase):
    """The observer finds what is over a limit, and nothing else."""

    def run_of(self, start: int, end: int, procs: int = 1, part: bool = False, **names: str) -> Run:
        known = {
            "USER": "daemon", "GROUP": "daemon", "ACCOUNT": "physics", "CLASS": "batch", "QOS": "normal"
        }
        return Run("1", start, end, known | names, procs=procs, part=part, memory=10 * procs)

    def found(self, policy: Policy, *runs: Run) -> int:
        return len(Observer([Change(0, 0, policy)]).judge(runs).violations)

    def test_each_holder(self) -> None:
        for holder, name in (
            ("USER", "daemon"), ("GROUP", "DEFAULT"), ("ACCOUNT", "physics"), ("CLASS", "DEFAULT"),
            ("QOS", "normal"), ("SYS", ""),
        ):
            policy = Policy([Limit(holder, name, "JOB", 2)])
            three = [self.run_of(start, 20) for start in (10, 11, 12)]
            self.assertEqual(self.found(policy, *three), 1, holder)
            self.assertEqual(self.found(policy, *three[:2]), 0, holder)

    def test_each_metric(self) -> None:
        for metric, hard in (("JOB", 1), ("PROC", 5), ("NODE", 1), ("MEM", 50)):
            policy = Policy([Limit("USER", "daemon", metric, hard)])
            runs = self.run_of(10, 20, 3), self.run_of(15, 17, 3)
            self.assertEqual(self.found(policy, *runs), 1, metric)
            self.assertEqual(self.found(policy, *runs[:1]), 0, metric)
            self.assertEqual(self.found(policy, runs[0], self.run_of(20, 21, 3)), 0, metric)

    def test_gres(self) -> None:
        """By name; jobs without any are neither counted nor held up."""
        def run_of(start: int, end: int, **gres: int) -> Run:
            run = self.run_of(start, end)
            run.gres = {name.replace("_", ":"): count for name, count in gres.items()}
            return run

        running = run_of(10, 90, gpu=2, gpu_a100=2)
        for metric, hard, fits, over in (
            ("GRES[gpu]", 4, run_of(30, 40, gpu=2, gpu_h100=2), run_of(30, 40, gpu=3, gpu_h100=3)),
            ("GRES[gpu:a100]", 4, run_of(30, 40, gpu=3, gpu_h100=3), run_of(30, 40, gpu=3, gpu_a100=3)),
            # At second 30 the first has 38 left at least, and the second needs 60.
            ("GS[gpu]", 2 * 38 + 120, run_of(30, 40, gpu=2), run_of(30, 40, gpu=3)),
            ("GS[gpu]", 2 * 38 + 119, run_of(31, 40, gpu=2), run_of(30, 40, gpu=2)),
        ):
            policy = Policy([Limit("USER", "daemon", metric, hard)])
            self.assertEqual(self.found(policy, running, fits, self.run_of(30, 40)), 0, metric)
            self.assertEqual(self.found(policy, running, over), 1, metric)
            self.assertEqual(self.found(Policy([Limit("USER", "daemon", metric, 1)]), self.run_of(1, 2)), 0)

    def test_the_text_of_limits(self) -> None:
        for limit, text in (
            (Limit("USER", "bin", "JOB", 3, soft=2), "MAXJOB=2,3"),
            (Limit("CLASS", "x", "PROC", 3, pair="USER:bin"), "MAXPROC[USER:bin]=3"),
            (Limit("CLASS", "x", "GRES[gpu:a100]", 3, 1, pair="USER"), "MAXGRES[gpu:a100,USER]=1,3"),
            (Limit("QOS", "x", "GS[gpu]", 3, override=True), "OMAXGS[gpu]=3"),
        ):
            self.assertEqual(limit.text, text)

    def test_own_limits_stand_before_default_and_overrides_before_both(self) -> None:
        limits = [Limit("USER", "DEFAULT", "JOB", 1), Limit("USER", "bin", "JOB", 2),
                  Limit("USER", "sys", "JOB", -1), Limit("QOS", "high", "JOB", 3, override=True)]
        for user, qos, allowed in (
            ("daemon", "normal", 1), ("bin", "normal", 2), ("sys", "normal", 4),
            ("bin", "high", 3), ("sys", "high", 3), ("sys", "low", 4),
        ):
            runs = [self.run_of(10 + i, 20, USER=user, QOS=qos) for i in range(4)]
            self.assertEqual(self.found(Policy(limits), *runs[:allowed]), 0, (user, qos))
            if allowed < 4:
                self.assertGreater(self.found(Policy(limits), *runs[: allowed + 1]), 0, (user, qos))

    def test_pairs(self) -> None:
        policy = Policy([Limit("CLASS", "batch", "JOB", 2, pair="USER"),
                         Limit("CLASS", "batch", "JOB", 1, pair="USER:bin")])
        for user, allowed in (("daemon", 2), ("bin", 1)):
            runs = [self.run_of(10, 20, USER=user) for _ in range(3)]
            self.assertEqual(self.found(policy, *runs[:allowed]), 0)
            self.assertEqual(self.found(policy, *runs[: allowed + 1]), 1)
            self.assertEqual(
                self.found(policy, *runs[:allowed], self.run_of(10, 20, USER=user, CLASS="wide")), 0
            )

    def test_the_size_of_one_job(self) -> None:
        policy = Policy(procs_per_job=4)
        self.assertEqual(self.found(policy, self.run_of(1, 2, 4)), 0)
        self.assertEqual(self.found(policy, self.run_of(1, 2, 5)), 1)

    def test_parts_are_one_job(self) -> None:
        policy = Policy([Limit("USER", "daemon", "JOB", 1), Limit("USER", "daemon", "PROC", 5)])
        leader = self.run_of(10, 20, 2)
        self.assertEqual(self.found(policy, leader, self.run_of(10, 20, 3, part=True)), 0)
        self.assertEqual(self.found(policy, leader, self.run_of(10, 20, 4, part=True)), 1)

    def test_nothing_is_known_within_a_second(self) -> None:
        policy = Policy([Limit("USER", "daemon", "JOB", 1)])
        self.assertEqual(self.found(policy, self.run_of(10, 11), self.run_of(11, 12)), 0)
        self.assertEqual(self.found(policy, self.run_of(10, 10), self.run_of(10, 12)), 0)
        self.assertEqual(self.found(policy, self.run_of(10, 12), self.run_of(10, 11)), 1)

    def test_some_order_of_one_second_is_enough(self) -> None:
        policy = Policy([Limit("USER", "daemon", "JOB", 1), Limit("QOS", "high", "JOB", 2, override=True)])
        low, high = self.run_of(10, 20), self.run_of(10, 20, QOS="high")
        self.assertEqual(self.found(policy, high, low), 0)
        self.assertEqual(self.found(policy, low, low), 1)
        self.assertEqual(self.found(policy, self.run_of(9, 20, QOS="high"), low), 1)

    def test_the_laxer_policy_near_a_change(self) -> None:
        lax, strict = (Policy([Limit("USER", "daemon", "JOB", hard)]) for hard in (2, 1))
        for policies, late, early in (((lax, strict), 1, 0), ((strict, lax), 0, 1)):
            changes = [Change(0, 0, policies[0]), Change(100, 101, policies[1])]
            for start, wanted in ((90, early), (98, 0), (103, 0), (105, late)):
                runs = [self.run_of(50, 200), self.run_of(start, start + 5)]
                found = len(Observer(changes).judge(runs).violations)
                self.assertEqual(found, wanted, (policies, start))

    def test_accounting_is_read(self) -> None:
        (run, part) = parse_runs(
            "7_3|bin|staff|physics|high|batch|CANCELLED by 0|1000|1005|4|2|"
            "billing=4,cpu=4,gres/gpu:a100=2,gres/gpu=3,mem=1.5G,node=2\n"
            "9+1|bin|bin|physics|high|batch|RUNNING|1000|Unknown|2|1|billing=2,cpu=2,mem=300M,node=1\n"
            "8|bin|bin|physics|high|batch|CANCELLED by 0|None|1005|0|1|\n"
        )
        self.assertEqual((run.job, run.start, run.end), ("7_3", 1000, 1005))
        self.assertEqual([run.amount(x) for x in ("JOB", "PROC", "NODE", "MEM")], [1, 4, 2, 1536])
        self.assertEqual([run.amount(f"GRES[{x}]") for x in ("gpu", "gpu:a100", "tape")], [3, 2, 0])
        self.assertEqual((run.names["GROUP"], run.state), ("staff", "CANCELLED"))
        self.assertEqual((part.end, part.amount("JOB")), (INFINITE, 0))

    def test_a_run_that_is_back_after_a_kill_was_not_there_before(self) -> None:
        policy = Policy([Limit("USER", "daemon", "JOB", 1)])
        back = self.run_of(10, 40)
        back.away = (15, 20)
        for start, violations in ((14, 1), (15, 0), (19, 0), (20, 1), (40, 0)):
            self.assertEqual(self.found(policy, back, self.run_of(start, 50)), violations, start)

    def test_jobcomp_and_the_log_correct_requeued_runs(self) -> None:
        run = self.run_of(1000, 1005, CLASS="batch,wide")
        other = self.run_of(1000, 1005)
        run.state = "REQUEUED"
        first, last, requeued = (datetime.fromtimestamp(when).isoformat() for when in (1000, 1003, 1005))
        log = f"[{first}.200] sched: Allocate JobId=1 NodeList=n[1,3] #CPUs=4 Partition=wide\n"
        correct_classes([run, other], log)
        written = "".join(
            f"JobId=1 UserId=daemon(1) Name=wrap JobState={state} Partition=batch,wide TimeLimit=1"
            f" StartTime={first} EndTime={end} NodeList=n[1,3] NodeCnt=2\n"
            for state, end in (("RESIZING", first), ("COMPLETED", last), ("PENDING", requeued))
        )
        correct_requeued([run, other], jobcomp.ends(written))
        self.assertEqual((run.end, run.names["CLASS"]), (1003, "wide"))
        self.assertEqual((other.end, other.names["CLASS"]), (1005, "batch"))

    def test_an_end_before_a_kill_stays_that_of_a_run_that_is_suspended_after_it(self) -> None:
        # Ended at 30, back after a kill, suspended at 44, cancelled at 90.
        self.assertEqual(jobcomp.without_end_of_suspended([30, 44], 90), [30])
        self.assertEqual(jobcomp.without_end_of_suspended([44], 90), [])
        self.assertEqual(jobcomp.without_end_of_suspended([30, 44, 95], 90), [30, 95])
        self.assertEqual(jobcomp.without_end_of_suspended([95], 90), [95])
