# SPDX-License-Identifier: GPL-2.0-or-later
"""An hour's worth of a busy site in minutes: random operations of three users, and at every stop
each pending job's number in squeue, scontrol and sprio is the one that soak_model.py calculates.

    SOAK_OPERATIONS=N   how many operations (default 1500)
    SOAK_SEED=N         other choices; 0: any

A failure names the seed and the operation. With plugins built with sanitizers (MAUI_BUILD; see
`testsuite/cluster up --help`) every report fails the test, and so does a leak whose allocation has
our code in its stack, whenever slurmctld ends in an orderly way; memory that stays reachable and
grows is not seen. With other plugins the test says that it checks priorities only.
"""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import time
import unittest
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from harness import USERS, Cluster
from soak_model import ACCOUNTS, JOB_FACTOR, PARTITIONS, Job, Machine, Policy, random_policy

OPERATIONS = int(os.environ.get("SOAK_OPERATIONS", "1500"))
SEED = int(os.environ.get("SOAK_SEED", "1121")) or random.SystemRandom().randrange(1, 10**6)
BATCH = 50
CROWD = 100  # pending jobs from which on more are cancelled than submitted
LOOKS = 5

ACTORS = ("root", *USERS)
NODES, CPUS, MEMORY = 2, 4, 8000
MACHINE = Machine(procs=NODES * CPUS, memory=NODES * MEMORY)
SLURM_CONF = "".join(
    f"PartitionName={name} Nodes=ALL MaxTime=UNLIMITED State=UP"
    f" PriorityJobFactor={JOB_FACTOR[name]}\n"
    for name in PARTITIONS
)
# Where slurmctld has unmapped a plugin there are no names left; the stock ones do not leak.
OUR_FRAME = re.compile(
    r"libslurm_maui|priority_maui|<unknown module>|plugins/(engine|priority)/|"
    r"common/(config|policy|queue|report|state|util)/"
)
# The fast unwinder ends at a library without frame pointers, such as json-c: if that is all, we
# called it. (The slow one, fast_unwind_on_malloc=0, takes more than twice the time.)
SLURM_FRAME = re.compile(r"slurmctld|/slurm[\w-]*/")

BROKEN = "PROCWEIGHT[\nUSERWEIGHT 1e999\n"
OUR_ERROR = re.compile(r"(error|fatal): (priority/)?maui\b")
# That such a file was not taken.
EXPECTED_ERROR = re.compile(r"maui\.cfg:\d+:\d+: error:|is not used: the policy|the last good copy is in force")


@dataclass
class Known:
    """What only who did it knows of a job: Slurm's own words do not tell."""

    user: str
    nodes: int = 1
    array: bool = False
    held: bool = False
    direct: int | None = None
    site: int = 0
    history: list[str] = field(default_factory=list)


@dataclass
class Operation:
    """A command of one user, and what it does to what is known if it succeeds or fails."""

    actor: str
    command: str
    known: Known
    after: Callable[[int, str], None] = field(default=lambda status, output: None)


class SoakTest(unittest.TestCase):
    def setUp(self) -> None:
        self.dice = random.Random(SEED)
        self.policy = random_policy(self.dice)
        self.known: dict[int, Known] = {}
        self.jobs: dict[int, Job] = {}
        self.done = 0
        self.counts: Counter[str] = Counter()
        self.reports: set[Path] = set()
        self.sanitized = False
        self.seen: set[int] = set()
        self.last_iteration = 0
        self.stops: list[str] = []
        self.actor_of: dict[int, str] = {}

    def test_mixed_operations(self) -> None:
        print(f"soak: SOAK_SEED={SEED} SOAK_OPERATIONS={OPERATIONS}", flush=True)
        os.environ["ASAN_OPTIONS"] = "detect_leaks=1"
        self.cluster = self.enterContext(
            Cluster(
                nodes=NODES,
                cpus=CPUS,
                memory=MEMORY,
                maui_cfg=self.policy.text,
                slurm_conf=SLURM_CONF,
            )
        )
        record = json.loads((self.cluster.dir / "cluster.json").read_text(encoding="utf-8"))
        self.sanitized = bool(record["sanitizers"])
        begun = time.monotonic()
        try:
            while self.done < OPERATIONS:
                self.run_batch([self.operation() for _ in range(BATCH)])
                self.check()
                self.disturb()
                self.check()
                if self.done // 1000 > (self.done - BATCH - 1) // 1000:
                    print(f"soak: {self.done} operations", flush=True)
            self.cluster.stop()
            self.check_reports()
            self.check_log()
        except BaseException as error:
            error.add_note(f"SOAK_SEED={SEED}, after {self.done} operations")
            # If slurmctld has ended, the error is only that it does not answer.
            for path in self.new_reports():
                error.add_note(path.read_text(encoding="utf-8", errors="replace"))
            error.add_note(self.undefined_behavior())
            raise
        finally:
            print(
                f"soak: {self.done} operations in {time.monotonic() - begun:.0f} seconds: "
                + ", ".join(f"{count} {name}" for name, count in sorted(self.counts.items()))
            )
        if not self.sanitized:
            self.skipTest("no sanitizer in the plugins: only priorities were checked")

    # --- operations

    def operation(self) -> Operation:
        waiting = [job for job in self.jobs.values() if job.pending and job.key in self.known]
        weights = {
            self.submit: 60 if len(waiting) < CROWD else 10,
            self.cancel: 5 if len(waiting) < CROWD else 45,
            self.hold: 12,
            self.release: 12,
            self.update: 24,
            self.requeue: 6,
        }
        make = self.dice.choices(list(weights), list(weights.values()))[0]
        return (self.jobs and make()) or self.submit()

    def submit(self) -> Operation:
        dice = self.dice
        actor = dice.choice(ACTORS)
        partitions = dice.sample(PARTITIONS[:3], dice.choice((1, 1, 1, 2, 3)))
        if dice.random() < 0.1:
            partitions = ["never"]
        tasks = dice.randint(1, 7)
        words = ["sbatch", "--parsable", "-o/dev/null", f"-n{tasks}"]
        words += [f"-t{dice.randint(2, 600)}", f"-p{','.join(partitions)}"]
        known = Known(actor)
        chance = dice.random
        if chance() < 0.3:
            known.nodes = dice.randint(1 if tasks <= CPUS else 2, min(tasks, NODES))
            words.append(f"-N{known.nodes}")
        if chance() < 0.3:
            words.append(f"--account={dice.choice(ACCOUNTS)}")
        if chance() < 0.3:
            words.append(f"--nice={dice.randint(-300 if actor == 'root' else 0, 3000)}")
        if chance() < 0.3:
            words.append(f"--mem-per-cpu={dice.choice((500, 1000, 1500))}")
        elif chance() < 0.2:
            words.append(f"--mem={dice.choice((500, 4000, 8000))}")
        if chance() < 0.15:
            words.append("--hold")
            known.held = True
        if chance() < 0.15:
            words.append(f"--begin=now+{dice.choice((1, 5, 3600))}")
        if chance() < 0.15 and self.jobs:
            words.append(f"--dependency=afterany:{dice.choice(list(self.jobs))}")
        if chance() < 0.1:
            words.append(f"--array=1-{dice.randint(2, 5)}")
            known.array = True
        words += ["--wrap", f"exec sleep {dice.choice((1, 5, 20, 60))}"]

        def after(status: int, output: str) -> None:
            if status == 0:
                self.known[int(output.split()[-1])] = known  # a warning may come first

        return Operation(actor, shlex.join(words), known, after)

    def pick(self, single: bool = False, states: tuple[str, ...] = ("PENDING",)) -> tuple[int, str]:
        """A job, and who does something to it: root, or its owner."""
        found = [
            key
            for key in dict.fromkeys(job.key for job in self.jobs.values() if job.state in states)
            if key in self.known and not (single and self.known[key].array)
        ]
        if not found:
            return 0, ""
        key = self.dice.choice(found)
        # One user's commands are in order; so each job has one actor in a batch.
        choices = dict.fromkeys(("root", self.known[key].user))
        return key, self.actor_of.setdefault(key, self.dice.choice(list(choices)))

    def cancel(self) -> Operation | None:
        job, actor = self.pick(states=("PENDING", "RUNNING"))
        return Operation(actor, f"scancel {job}", self.known[job]) if job else None

    def hold(self) -> Operation | None:
        job, actor = self.pick(single=True, states=("PENDING", "PENDING", "RUNNING"))
        if not job:
            return None
        known = self.known[job]
        if self.policy.rejects and self.jobs[job].partitions == ["never"]:
            return None  # its priority is 0 already: Slurm says yes, and keeps nothing of it

        def after(status: int, _: str) -> None:
            if status == 0:
                known.held = True

        command = self.dice.choice(("hold", "uhold"))
        return Operation(actor, f"scontrol {command} {job}", known, after)

    def release(self) -> Operation | None:
        held = [key for key, known in self.known.items() if known.held and key in self.jobs]
        if held and self.dice.random() < 0.8:
            job = self.dice.choice(held)
            actor = self.actor_of.setdefault(
                job, self.dice.choice(("root", self.known[job].user))
            )
        else:
            job, actor = self.pick()
        if not job:
            return None
        known = self.known[job]

        def after(status: int, _: str) -> None:
            # A user's release of a job that is not held is ignored: a direct priority stays.
            if status == 0 and (known.held or actor == "root"):
                known.held, known.direct = False, None

        return Operation(actor, f"scontrol release {job}", known, after)

    def update(self) -> Operation | None:
        what = self.dice.choice(
            ("nice", "timelimit", "partition", "numcpus", "account", "priority", "sitefactor")
        )
        job, actor = self.pick(single=what in ("priority", "sitefactor", "numcpus"))
        if not job or (what == "sitefactor" and actor != "root"):
            return None
        known = self.known[job]
        value: int | str
        if what == "nice":
            value = self.dice.randint(-500 if actor == "root" else 0, 5000)
        elif what == "timelimit":
            value = self.dice.randint(2, 900)
        elif what == "partition":
            value = ",".join(self.dice.sample(PARTITIONS[:3], self.dice.choice((1, 2))))
        elif what == "numcpus":
            value = self.dice.randint(1, CPUS)  # more may never fit: Slurm holds such a job
        elif what == "account":
            value = self.dice.choice(ACCOUNTS)
        else:
            value = self.dice.randint(1, 90000)

        def after(status: int, _: str) -> None:
            if what == "sitefactor" and status == 0:
                known.site = int(value)
            elif what == "priority" and not known.held:
                # Of a user Slurm takes a lower number, refuses it aloud, and forgets it with the
                # next calculation, unless there is none for this job.
                lower = known.direct is not None and int(value) < known.direct
                if status == 0 or (actor != "root" and lower):
                    known.direct = int(value)

        return Operation(actor, f"scontrol update job={job} {what}={value}", known, after)

    def requeue(self) -> Operation | None:
        job, actor = self.pick(single=True, states=("RUNNING",))
        if not job:
            return None
        known = self.known[job]
        command = self.dice.choice(("requeue", "requeue", "requeuehold"))

        def after(status: int, output: str) -> None:
            if status == 0 and command == "requeuehold" and "pending" not in output:
                known.held = True

        return Operation(actor, f"scontrol {command} {job}", known, after)

    def run_batch(self, operations: list[Operation]) -> None:
        """Each user's commands in order, the users at the same time."""
        script = []
        for actor in ACTORS:
            lines = [
                f"out=$({one.command} 2>&1); echo {number} $? $out"
                for number, one in enumerate(operations)
                if one.actor == actor
            ]
            script.append(
                f"setpriv --reuid={actor} --regid={actor} --init-groups"
                f" sh -c {shlex.quote(chr(10).join(lines))} &\n"
            )
        output = self.cluster.run("".join(script) + "wait").stdout
        answers = {}
        for line in output.splitlines():
            number, status, text = (line + " ").split(" ", 2)
            answers[int(number)] = (int(status), text.strip())
        self.assertEqual(len(answers), len(operations), output)
        for number, one in enumerate(operations):
            status, text = answers[number]
            one.after(status, text)
            self.done += 1
            self.counts[one.command.split()[0] if status == 0 else "refused"] += 1
            one.known.history.append(f"{self.done} {one.actor}: {one.command}: {status} {text}")

    # --- what happens to slurmctld

    def disturb(self) -> None:
        weights = {"reconfigure": 5, "broken": 1, "restart": 2, "kill": 2, "nothing": 1}
        what = self.dice.choices(list(weights), list(weights.values()))[0]
        self.done += what != "nothing"
        self.counts[what] += 1
        before = self.policy
        self.stops.append(f"{self.done} {what}")
        if what == "reconfigure":
            self.policy = random_policy(self.dice)
            self.cluster.install(self.policy.text)
        elif what == "broken":
            self.cluster.install(BROKEN, refused=True)
        elif what == "kill":
            self.save()
            self.cluster.restart(kill=True)
        elif what == "restart":
            self.cluster.restart()
        # Perhaps the first iteration is still to come; nobody has held these jobs.
        for job in self.look().values():
            if job.pending:
                self.check_zero(job, before, self.policy)

    def save(self) -> None:
        """Wait until slurmctld has saved what has happened: of the last moments a kill -9 leaves
        nothing, which is Slurm's window."""
        job = self.cluster.sbatch("--hold", "-t1", wrap="true")
        self.cluster.wait_until_saved(job)
        self.cluster.scancel(job)

    # --- checks

    def look(self) -> dict[int, Job]:
        return self.parse(self.cluster.run(["scontrol", "--oneliner", "show", "job"]).stdout)

    def parse(self, text: str) -> dict[int, Job]:
        jobs = {}
        for line in text.splitlines():
            if line.startswith("JobId="):
                job = Job(line)
                if known := self.known.get(job.key):
                    job.nodes = known.nodes
                jobs[job.id] = job
        return jobs

    def check_zero(self, job: Job, *policies: Policy) -> None:
        """A zero is of a hold, or a policy rejects the job: at the iteration that was seen last, or
        at one since."""
        known = self.known.get(job.key)
        if job.priority or known is None or known.held or job.held_by_slurm:
            return
        rejected = known.direct is None and any(
            policy.priorities(job, known.site, MACHINE, now) is None
            for policy in policies
            for now in (self.last_iteration, int(time.time()))
        )
        self.assertTrue(rejected, f"priority 0, but not held: {vars(job)} {known}")

    def check(self) -> None:
        """Every number, after an iteration; Slurm's schedulers put an older number back now and
        then, and jobs start meanwhile: so each job has to be right in one of a few looks."""
        self.check_reports()
        right: set[int] = set()
        looks = 0

        def all_right() -> bool:
            nonlocal looks
            wrong, within_one = self.differences()
            wrong = {job: text for job, text in wrong.items() if job not in right}
            right.update(self.seen - set(wrong))
            looks += within_one
            self.counts["second looks"] += bool(wrong)
            if looks == LOOKS and wrong:
                self.fail("\n".join([*wrong.values(), *self.stops, self.policy.text]))
            return not wrong

        # How many looks an iteration falls into is up to the machine.
        self.cluster.wait_for(all_right, "each number to be seen within one iteration")
        self.counts["priorities compared"] += len(self.seen)
        self.actor_of.clear()

    def differences(self) -> tuple[dict[int, str], bool]:
        """One look: what is wrong with which job; and whether it tells of all jobs: where time
        counts, it tells of none if an iteration ends in it."""
        text = self.cluster.run(
            "maui diagnose -p --json >/dev/null; maui status --json; echo ---;"
            "scontrol --oneliner show job; echo ---;"
            "squeue --noheader --all --states=PENDING -o '%A %Q'; echo ---;"
            "sprio --noheader -o '%i %r %Y %S %A %B %F %J %P %Q %N'; echo ---;"
            "maui status --json"
        ).stdout
        first, jobs, queue, factors, last = text.split("---\n")
        status = json.loads(first)
        now = self.last_iteration = status["last_iteration"]
        self.jobs = self.parse(jobs)
        shown = dict(map(int, line.split()) for line in queue.splitlines())
        terms: dict[int, dict[str, list[int]]] = {}
        for line in factors.splitlines():
            number, partition, *values = line.split()
            terms.setdefault(int(number), {})[partition] = [int(float(value)) for value in values]
        self.seen = set()
        wrong: dict[int, str] = {}
        moved = status["iteration"] != json.loads(last)["iteration"]
        tells = not (moved and self.policy.time_dependent)
        for job in self.jobs.values():
            known = self.known.get(job.key)
            if not job.pending or known is None or job.id not in shown:
                continue
            if not tells:
                wrong[job.id] = f"job {job.id}: not seen within one iteration"
                continue
            if text := self.difference(job, known, shown[job.id], terms.get(job.id, {}), now):
                wrong[job.id] = f"{text}: {vars(job)} {known} {terms.get(job.id)}"
            self.seen.add(job.id)
        return wrong, tells

    def difference(
        self, job: Job, known: Known, shown: int, terms: dict[str, list[int]], now: int
    ) -> str:
        wanted: dict[str, int] | None
        if known.held or job.held_by_slurm:
            wanted = None
        elif known.direct is not None:
            wanted = dict.fromkeys(job.partitions, known.direct)
        else:
            wanted = self.policy.priorities(job, known.site, MACHINE, now)
        numbers = {0} if wanted is None else set(wanted.values())
        if job.priority not in numbers or shown not in numbers:
            return f"scontrol {job.priority} squeue {shown}, wanted {wanted}"
        if {name: row[0] for name, row in terms.items()} != (wanted or {}):
            return f"sprio, wanted {wanted}"
        for priority, *columns, nice in terms.values():
            total = 0 if known.direct is not None else priority
            if sum(columns) - nice != total:
                return "sprio's columns do not add up"
        return ""

    def new_reports(self) -> set[Path]:
        return set(self.cluster.dir.glob("log/sanitizer.*")) - self.reports

    def undefined_behavior(self) -> str:
        """What UBSan has said: beside ASan it does not do so in a file of its own."""
        path = self.cluster.dir / "log" / "slurmctld.stderr"
        before, found, after = path.read_text(errors="replace").partition(": runtime error: ")
        return before.rpartition("\n")[2] + found + after if found else ""

    def check_reports(self) -> None:
        """No sanitizer has said anything, but for leaks of Slurm itself."""
        for path in self.new_reports():
            text = path.read_text(encoding="utf-8", errors="replace")
            leaks, rest = parse_leaks(text)
            ours = [x for x in leaks if OUR_FRAME.search(x) or not SLURM_FRAME.search(x)]
            if rest.strip() or ours:
                self.fail("\n".join([rest, f"{len(ours)} leaks", *ours[:5]]))
            self.counts["leaks of Slurm"] += len(leaks)
            self.reports.add(path)

    def check_log(self) -> None:
        errors = [
            line
            for line in self.cluster.log_text().splitlines()
            if OUR_ERROR.search(line) and not EXPECTED_ERROR.search(line)
        ]
        if errors:
            self.fail("\n".join(errors))


def parse_leaks(text: str) -> tuple[list[str], str]:
    """The leaks in a report of LeakSanitizer, and whatever else is there."""
    leaks, rest = [], []
    for paragraph in re.split(r"\n\n+", text.strip()):
        if re.match(r"(Direct|Indirect) leak of ", paragraph):
            leaks.append(paragraph)
        elif not re.fullmatch(
            r"\s*|=+\s*==\d+==ERROR: LeakSanitizer: detected memory leaks\s*"
            r"|SUMMARY: AddressSanitizer: \d+ byte\(s\) leaked.*\s*",
            paragraph,
        ):
            rest.append(paragraph)
    return leaks, "\n".join(rest)
