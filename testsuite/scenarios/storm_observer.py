# SPDX-License-Identifier: GPL-2.0-or-later
"""The storm's observer: what in a sample of Slurm's queue must not be, by storm_model.py alone.

A sample is the answer to one request, which slurmctld gives under its locks: all of it is of one
moment. Three kinds of findings:

  outsider   a job has nodes or CPUs that were reserved when it started, and not for it
  limit      when the last of a holder's active jobs started they had more than the limit
  held       a waiting job is held, and nobody has held it

Only starts are judged: who was there before a line of maui.cfg runs on. StartTime has seconds; near
a change of maui.cfg the laxer of both policies counts. Starts are by the real clock (storm_clock.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from reservation_model import epoch, expand
from storm_model import HOLDERS, INFINITE, METRICS, History, Job, Policy, Reservation

ACTIVE = frozenset(("RUNNING", "SUSPENDED", "CONFIGURING", "STOPPED", "RESIZING", "SIGNALING"))
CLAIMS_A_HOLD = frozenset(("JobHeldUser", "JobHeldAdmin"))
# What Slurm itself holds, and says so.
SLURM_HOLDS = re.compile(
    r"launch_failed|BadConstraints|job_requeued_in_held|JobHoldMaxRequeue|Prolog|SystemFailure"
)
TIMED = frozenset(("PS", "WC"))
SLACK = 1.0  # seconds around a start, which Slurm has in whole ones
# Seconds for which a priority of 0 may be seen that is not called a hold: an iteration on a slow
# machine.
LOWERED_FOR = 5.0
# Seconds after which no kill makes slurmctld remember an earlier hold: it saves its state every five,
# and may be away for some more.
FORGOTTEN_AFTER = 20.0


@dataclass(frozen=True)
class Finding:
    kind: str  # outsider, limit, held
    what: str
    job: Job
    key: tuple[object, ...]  # the same one in the next sample has the same


@dataclass
class Observer:
    history: History
    cpus: int = 4  # of a node
    # Whether somebody has held this job, or done what lets Slurm hold it.
    may_be_held: Callable[[Job], bool] = lambda job: False
    counts: Counter[str] = field(default_factory=Counter)
    _found: set[tuple[object, ...]] = field(default_factory=set)
    # What was seen of each job, whenever it was another thing than before.
    trails: dict[int, list[tuple[float, str]]] = field(default_factory=dict)
    _zero_since: dict[int, float] = field(default_factory=dict)
    # When a job that Slurm has held was last seen at priority 0: a kill may call that JobHeldAdmin.
    held_by_slurm: dict[int, float] = field(default_factory=dict)

    def look(self, when: float, jobs: Sequence[Job]) -> list[Finding]:
        """What is new in this sample."""
        self.counts["samples"] += 1
        self._follow(when, jobs)
        active = [job for job in jobs if job.state in ACTIVE and job.on]
        found = [*self._outsiders(active), *self._over(active), *self._held(when, jobs)]
        fresh = [one for one in found if one.key not in self._found]
        self._found.update(one.key for one in fresh)
        return fresh

    def _follow(self, when: float, jobs: Iterable[Job]) -> None:
        for job in jobs:
            trail = self.trails.setdefault(job.id, [])
            now = job.look()
            if not trail or trail[-1][1] != now:
                trail.append((when, now))

    def blind(self) -> None:
        """slurmctld does not answer: what was seen before is no evidence of how long."""
        self._zero_since.clear()

    # --- who is where

    def _at_start(self, job: Job) -> list[Policy]:
        return self.history.in_force(job.start - SLACK, job.start + 1 + SLACK)

    def _shut_out(self, job: Job, name: str) -> Reservation | None:
        """The reservation of this name, if it stood all the time when the job started, and was not
        for it."""
        found = None
        if self.history.is_in_own(job, job.start - SLACK, job.start + 1 + SLACK):
            return None
        for policy in self._at_start(job):
            found = next((one for one in policy.reservations if one.name == name), None)
            if not found or not job.cpus_on(found.node) or found.admits(job):
                return None
        return found

    def _outsiders(self, active: Sequence[Job]) -> list[Finding]:
        names = {one.name for change in self.history.changes for one in change.policy.reservations}
        outside: dict[Reservation, list[Job]] = {}
        for job in active:
            for name in names:
                if reservation := self._shut_out(job, name):
                    outside.setdefault(reservation, []).append(job)
        for one in self.history.changes[-1].policy.reservations:
            inside = (job for job in active if job.cpus_on(one.node) and one.admits(job))
            self.counts["insiders seen"] += sum(1 for _ in inside)
        return [one for pair in outside.items() for one in self._too_many(*pair)]

    def _too_many(self, reservation: Reservation, outside: Sequence[Job]) -> list[Finding]:
        """Of those who have no right: who has what the reservation does not leave. CPUs of a suspended
        job may be another's, too."""
        found = []
        taken: frozenset[int] = frozenset()
        room = self.cpus - reservation.procs if reservation.procs else 0
        for job in sorted(outside, key=lambda job: (job.start, job.id)):
            taken |= job.cpus_on(reservation.node)
            self.counts["starts beside a reservation"] += 1
            if len(taken) > room:
                what = f"outsiders have {len(taken)} CPUs, {room} are left by {reservation}"
                key = ("outsider", reservation.name, job.id, job.start)
                found.append(Finding("outsider", what, job, key))
        return found

    # --- how much

    def _over(self, active: Iterable[Job]) -> list[Finding]:
        by_holder: dict[tuple[str, str], list[Job]] = {}
        for job in active:
            for kind in HOLDERS:
                by_holder.setdefault((kind, job.holder(kind)), []).append(job)
        found = (self._too_much(*holder, jobs) for holder, jobs in by_holder.items())
        return [one for several in found for one in several]

    def _too_much(self, kind: str, name: str, jobs: Sequence[Job]) -> list[Finding]:
        """All of these were active when the last of them started."""
        found = []
        last = max(jobs, key=lambda job: (job.start, job.id))
        policies = self._at_start(last)
        for metric in METRICS:
            limit = max(policy.limit(kind, name, metric) for policy in policies)
            used = sum(job.amount(metric) for job in jobs)
            if limit == INFINITE or (metric in TIMED and last.clock_was_set):
                continue  # by another clock than this sample's each had another time left then
            self.counts["near a limit"] += limit * 3 / 4 <= used <= limit
            if used > limit + _rounding(metric, jobs):
                each = ", ".join(f"{job.id} {_number(job.amount(metric))}" for job in jobs)
                what = f"{kind} {name} has MAX{metric} {_number(used)} of {limit}: {each}"
                key = ("limit", kind, name, metric, last.id, last.start)
                found.append(Finding("limit", what, last, key))
        return found

    # --- holds

    def _held(self, when: float, jobs: Iterable[Job]) -> list[Finding]:
        found = []
        zero = {job.id: job for job in jobs if job.state == "PENDING" and not job.priority}
        self._zero_since = {job: self._zero_since.get(job, when) for job in zero}
        self.held_by_slurm = {
            job: when if job in zero else last
            for job, last in self.held_by_slurm.items()
            if when - last < FORGOTTEN_AFTER
        }
        slurms = (job.id for job in zero.values() if SLURM_HOLDS.search(job.reason))
        self.held_by_slurm |= dict.fromkeys(slurms, when)
        for job in zero.values():
            if self.may_be_held(job) or job.id in self.held_by_slurm:
                continue
            lasted = when - self._zero_since[job.id]
            self.counts["priority 0 seen"] += 1
            if job.reason in CLAIMS_A_HOLD or lasted > LOWERED_FOR:
                what = f"priority 0 for {lasted:.1f} seconds, reason {job.reason}"
                found.append(Finding("held", what, job, ("held", job.id)))
        return found


def _rounding(metric: str, jobs: Sequence[Job]) -> int:
    """A second of each job's time: what it had run is in whole ones."""
    return {"WC": len(jobs), "PS": sum(job.cpus for job in jobs)}.get(metric, 0)


def _number(amount: int) -> str:
    return "for ever" if amount >= INFINITE else str(amount)


# --- from Slurm's text

_NOT_YET = "INVALID"  # for scontrol the time since a start that is in the future


# A user's words, such as a comment, come behind all of these; in names the storm has no '='.
_FIELD = re.compile(r"(\w+)=(\S*)")
_ON = re.compile(r" Nodes=(\S+) CPU_IDs=(\S+)")
_WANTED = re.compile(rf"JobState=(PENDING|{'|'.join(sorted(ACTIVE))})\b")


def is_whole(text: str) -> bool:
    """Whether the last line has ended, and each job has WorkDir: the last field that all releases
    print, behind those that are read. scontrol may break off, and end with 0 all the same, when
    slurmctld is killed while it answers."""
    if text and not text.endswith("\n"):
        return False
    return all(" WorkDir=" in line for line in text.splitlines() if line.startswith("JobId="))


def log_of(job: Job, log: str) -> list[str]:
    """The lines of slurmctld's log that concern this job or all jobs."""
    numbers = f"({job.id}|{job.key})"
    others_charge = rf"fairshare: job (?!{numbers},)"
    wanted = re.compile(
        rf"JobId={job.id}\b|JobId={job.key}(_|\+|\b)|maui: (?!{others_charge})|slurmctld version"
    )
    return [line for line in log.splitlines() if wanted.search(line)]


def parse(text: str) -> list[Job]:
    """The jobs that wait or are active in the output of `scontrol --oneliner --details show job`."""
    return [_job(line) for line in text.splitlines() if _WANTED.search(line)]


def _job(line: str) -> Job:
    fields: dict[str, str] = {}
    for key, value in _FIELD.findall(line):
        fields.setdefault(key, value)
    state = fields["JobState"]
    account = fields["Account"]
    number = int(fields["JobId"])
    return Job(
        id=number,
        key=int(fields.get("ArrayJobId") or fields.get("HetJobId") or number),
        user=fields["UserId"].partition("(")[0],
        account="" if account == "(null)" else account,
        partition=fields["Partition"],
        state=state,
        reason=fields["Reason"],
        priority=int(fields["Priority"]),
        start=0 if fields["StartTime"] == "Unknown" else epoch_of(fields["StartTime"]),
        limit=seconds(fields["TimeLimit"]),
        ran=_ran(fields["RunTime"]),
        cpus=int(fields["NumCPUs"].partition("-")[0]),
        on=_places(line) if state != "PENDING" else (),
        het="HetJobId" in fields,
        part=fields.get("HetJobOffset", "0") != "0",
        reservation=fields.get("Reservation", "(null)").replace("(null)", ""),
    )


def _places(line: str) -> tuple[tuple[str, frozenset[int]], ...]:
    """n[1-2] CPU_IDs=0-1,3 to each node with its CPUs."""
    found = [(node, _cpus(ids)) for nodes, ids in _ON.findall(line) for node in expand(nodes)]
    return tuple(sorted(found, key=lambda one: one[0]))


@lru_cache(maxsize=4096)
def epoch_of(text: str) -> float:
    return epoch(text)


@lru_cache(maxsize=256)
def _cpus(text: str) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return frozenset(found)


def _ran(text: str) -> int:
    return 0 if text == _NOT_YET else seconds(text)


@lru_cache(maxsize=4096)
def seconds(text: str) -> int:
    """D-HH:MM:SS; UNLIMITED is INFINITE."""
    if not text[:1].isdigit():
        return INFINITE
    days, _, rest = text.rpartition("-")
    total = 0
    for part in rest.split(":"):
        total = total * 60 + int(part)
    return total + int(days or 0) * 86400
