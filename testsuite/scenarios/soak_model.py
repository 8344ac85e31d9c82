# SPDX-License-Identifier: GPL-2.0-or-later
"""Maui's priority of a pending job, calculated from maui.cfg and what Slurm says of the job.

Written from the manual's chapter on priority factors and D-PRI-1 to D-PRI-14, in exact fractions,
and sharing nothing with the plugin: the soak test holds one against the other. It knows the lines
that policies() writes and no others.
"""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass
from fractions import Fraction

PARTITIONS = ("batch", "long", "urgent", "never")
ACCOUNTS = ("physics", "biology")
# PriorityJobFactor in slurm.conf: a class's priority where CLASSCFG gives none.
JOB_FACTOR = {"batch": 0, "long": 35, "urgent": 0, "never": 0}

_COMPONENTS = {
    "CRED": ("USER", "GROUP", "ACCOUNT", "QOS", "CLASS"),
    "RES": ("NODE", "PROC", "MEM", "PS", "PE", "WALLTIME"),
    "SERV": ("QUEUETIME", "XFACTOR"),
}
_DEFAULTS = {"CREDWEIGHT": 1, "SERVWEIGHT": 1, "QUEUETIMEWEIGHT": 1}
_BASE = 2**30
_GREATEST = 10**9
_UNITS = {"K": Fraction(1, 1024), "M": Fraction(1), "G": Fraction(1024)}


@dataclass(frozen=True)
class Machine:
    procs: int
    memory: int


class Job:
    """A pending job, as `scontrol --oneliner show job` shows it.

    nodes: what it asks for at least; Slurm does not say, but shows an estimate.
    """

    nodes = 1

    def __init__(self, line: str) -> None:
        fields = dict(word.split("=", 1) for word in line.split() if "=" in word)
        self.id = int(fields["JobId"])
        # What is done to an array is done to all its tasks.
        self.key = int(fields.get("ArrayJobId", self.id))
        self.pending = fields["JobState"] == "PENDING"
        self.state = fields["JobState"]
        self.reason = fields["Reason"]
        # Slurm itself holds what cannot be launched, or can never run.
        self.held_by_slurm = self.reason.startswith(("launch_failed", "BadConstraints"))
        self.priority = int(fields["Priority"])
        self.partitions = fields["Partition"].split(",")
        self.user = fields["UserId"].split("(")[0]
        self._group = fields["GroupId"].split("(")[0]
        self._account = fields["Account"]
        self.nice = int(fields["Nice"])
        self._procs = int(re.match(r"\d+", fields["NumCPUs"])[0])  # type: ignore[index]
        self._memory_per_cpu = _megabytes(fields.get("MinMemoryCPU", "0"))
        self._memory_per_node = _megabytes(fields.get("MinMemoryNode", "0"))
        self._walltime = _seconds(fields["TimeLimit"])
        self._submitted = int(time.mktime(time.strptime(fields["SubmitTime"], "%Y-%m-%dT%H:%M:%S")))

    def factors(
        self, policy: Policy, partition: str, machine: Machine, now: int
    ) -> dict[str, Fraction]:
        queued = max(0, now - self._submitted)
        memory = self._memory_per_cpu * self._procs + self._memory_per_node * self.nodes
        share = max(Fraction(self._procs, machine.procs), memory / machine.memory)
        return {
            "USER": policy.credential("USER", self.user),
            "GROUP": policy.credential("GROUP", self._group),
            "ACCOUNT": policy.credential("ACCOUNT", self._account),
            "QOS": policy.credential("QOS", "DEFAULT"),  # without slurmdbd no job has one
            "CLASS": policy.credential("CLASS", partition) or Fraction(JOB_FACTOR[partition]),
            "NODE": Fraction(self.nodes),
            "PROC": Fraction(self._procs),
            "MEM": memory,
            "PS": Fraction(self._procs * self._walltime),
            "PE": share * machine.procs,
            "WALLTIME": Fraction(self._walltime),
            "QUEUETIME": Fraction(queued, 60),
            "XFACTOR": 1 + Fraction(queued, self._walltime),
        }


def _megabytes(text: str) -> Fraction:
    return Fraction(text.rstrip("KMG")) * _UNITS.get(text[-1], Fraction(1))


def _seconds(text: str) -> int:
    days, _, rest = text.rpartition("-")
    total = 0
    for part in rest.split(":"):
        total = total * 60 + int(part)
    return total + int(days or 0) * 86400


class Policy:
    """A maui.cfg."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._values: dict[str, str] = {}
        for line in text.splitlines():
            key, value = line.split(None, 1)
            self._values[key] = value

    @property
    def time_dependent(self) -> bool:
        return bool(self._number("QUEUETIMEWEIGHT") or self._number("XFACTORWEIGHT"))

    @property
    def rejects(self) -> bool:
        return self._on("REJECTNEGPRIOJOBS")

    def credential(self, kind: str, name: str) -> Fraction:
        for object_name in (name, "DEFAULT"):
            value = self._values.get(f"{kind}CFG[{object_name}]", "PRIORITY=0")
            if number := int(value.removeprefix("PRIORITY=")):
                return Fraction(number)
        return Fraction(0)

    def _number(self, key: str, partition: str = "") -> int:
        value = self._values.get(f"{key}[{partition}]", self._values.get(key))
        return _DEFAULTS.get(key, 0) if value is None else int(value)

    def _capped(self, value: Fraction, cap: str) -> Fraction:
        limit = self._number(cap)
        return min(value, Fraction(limit)) if limit > 0 else value

    def maui_priority(self, job: Job, partition: str, machine: Machine, now: int) -> int:
        factors = job.factors(self, partition, machine, now)
        total = Fraction(0)
        for component, names in _COMPONENTS.items():
            inner = sum(
                (
                    self._number(f"{name}WEIGHT", partition)
                    * self._capped(factors[name], f"{name}CAP")
                    for name in names
                ),
                Fraction(0),
            )
            inner = self._capped(inner, f"{component}CAP")
            total += self._number(f"{component}WEIGHT", partition) * inner
        if not self._on("ENABLENEGJOBPRIORITY"):
            total = max(total, Fraction(1))
        return int(min(total, Fraction(_GREATEST)))

    def priorities(
        self, job: Job, site: int, machine: Machine, now: int
    ) -> dict[str, int] | None:
        """What Slurm has to show in each of the job's partitions; None: Maui rejects the job."""
        numbers = {name: self.maui_priority(job, name, machine, now) for name in job.partitions}
        if self.rejects and all(number < 0 for number in numbers.values()):
            return None
        base = _BASE if self._on("ENABLENEGJOBPRIORITY") else 0
        return {
            name: min(max(number + base - job.nice + site, 1), 2**32 - 1)
            for name, number in numbers.items()
        }

    def _on(self, key: str) -> bool:
        return self._values.get(key) == "TRUE"


def _reservation(dice: random.Random, number: int) -> str:
    """They change no priority: it is enough that they are made, used and rolled."""
    words = [f"SRCFG[soak{number}]", f"RESOURCES=PROCS:{dice.choice((1, 2, -1))}"]
    words.append(dice.choice(("HOSTLIST=n1", "TASKCOUNT=1", "TASKCOUNT=3 HOSTLIST=ALL")))
    words.append(dice.choice(("PERIOD=INFINITY", "PERIOD=DAY DEPTH=3", "PERIOD=WEEK")))
    words.append(f"USERLIST={dice.choice(('daemon', 'bin-', '!bin', 'daemon*,bin='))}")
    words.append(dice.choice(("GROUPLIST=bin", "CLASSLIST=batch,urgent-", "TIMELIMIT=1:00*", "")))
    words.append(dice.choice(("FLAGS=SPACEFLEX", "FLAGS=SINGLEUSE", "FLAGS=BYNAME", "")))
    return " ".join(filter(None, words)) + "\n"


def random_policy(dice: random.Random) -> Policy:
    """Weights and priorities as a site might change them; fractions stay exact in doubles."""
    kind = dice.choice(("plain", "caps", "partitions", "negative", "rejecting", "waiting"))
    lines = {
        # Queue times are looked at between two iterations; the test asks for these itself.
        "RMPOLLINTERVAL": 15 if kind == "waiting" else dice.randint(1, 3),
        "QUEUETIMEWEIGHT": 0,
        "CREDWEIGHT": dice.randint(1, 3),
        "RESWEIGHT": dice.randint(1, 3),
    }
    for name in _COMPONENTS["CRED"]:
        lines[f"{name}WEIGHT"] = dice.randint(0, 4)
    for name, greatest in (("NODE", 50), ("PROC", 90), ("MEM", 3), ("WALLTIME", 2), ("PS", 1)):
        lines[f"{name}WEIGHT"] = dice.randint(0, greatest) if dice.random() < 0.8 else 0
    # A processor equivalent may be a fraction of an eighth here.
    lines["PEWEIGHT"] = 8 * dice.randint(0, 5)
    priorities = {
        **{f"USERCFG[{name}]": dice.randint(1, 9000) for name in ("daemon", "bin")},
        "USERCFG[DEFAULT]": dice.randint(0, 500),
        "GROUPCFG[bin]": dice.randint(1, 900),
        **{f"ACCOUNTCFG[{name}]": dice.randint(1, 900) for name in (*ACCOUNTS, "DEFAULT")},
        "QOSCFG[DEFAULT]": dice.randint(0, 300),
        "CLASSCFG[batch]": dice.randint(1, 200),
        "CLASSCFG[urgent]": dice.randint(1, 20000),
    }
    switches = {}
    if kind == "caps":
        lines |= {"CREDCAP": 700, "USERCAP": 300, "RESCAP": 4000, "PROCCAP": 3, "MEMCAP": 2500}
    elif kind == "partitions":
        lines |= {"PROCWEIGHT[urgent]": 70, "CREDWEIGHT[long]": -1, "RESWEIGHT[never]": 0}
    elif kind in ("negative", "rejecting"):
        switches["ENABLENEGJOBPRIORITY"] = "TRUE"
        priorities["CLASSCFG[never]"] = -(10**8)
        lines |= {"CLASSWEIGHT": 1, "PSWEIGHT": 0}
        if kind == "rejecting":
            switches["REJECTNEGPRIOJOBS"] = "TRUE"
        else:
            priorities["USERCFG[bin]"] = -dice.randint(1, 9000)
    elif kind == "waiting":
        # Prime to 60 and to every wall time: a sum is whole only where a double is exact, too.
        name = dice.choice(("QUEUETIMEWEIGHT", "XFACTORWEIGHT"))
        lines |= {name: dice.choice((61, 1009)), "PEWEIGHT": 0}
    return Policy(
        "".join(f"{key} {value}\n" for key, value in (lines | switches).items())
        + "".join(f"{key} PRIORITY={value}\n" for key, value in priorities.items())
        + "".join(_reservation(dice, number) for number in range(dice.randint(0, 3)))
    )
