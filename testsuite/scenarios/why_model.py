# SPDX-License-Identifier: GPL-2.0-or-later
"""Why a job waits, found without the engine: from what scontrol shows, /etc/group and the lines of a maui.cfg.

It knows as much of Maui and Slurm as test_why.py makes use of, and no more.
"""

from __future__ import annotations

import grp
import re
import time
from typing import Any

from harness import Cluster

Record = dict[str, str]
Verdict = tuple[str, dict[str, Any]]
ACTIVE = ("RUNNING", "SUSPENDED")


def records(text: str) -> list[Record]:
    """The lines of `scontrol --oneliner show ...`."""
    found = []
    for line in text.splitlines():
        pairs = re.findall(r"(?:^| )([A-Za-z]\w*(?:/\w+)?(?::\w+)?)=(.*?)(?= [A-Za-z][\w/:]*=|$)", line)
        if pairs:
            found.append({name: value.strip() for name, value in pairs})
    return found


def seconds(text: str) -> float:
    """1-02:03:04, 02:03:04, UNLIMITED"""
    if text in ("UNLIMITED", "Partition_Limit"):
        return float("inf")
    days, _, clock = text.rpartition("-")
    total = 0
    for part in clock.split(":"):
        total = 60 * total + int(part)
    return total + 86400 * int(days or 0)


def moment(text: str) -> float:
    return time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S"))


def names(text: str) -> set[str]:
    """n[1-3,5],m1"""
    found = set()
    for prefix, ranges, plain in re.findall(r"(\w+)\[([\d,-]+)\]|([^,\[\]]+)", text):
        if plain and plain != "(null)":
            found.add(plain)
        for one in ranges.split(",") if ranges else ():
            first, _, last = one.partition("-")
            found |= {f"{prefix}{n}" for n in range(int(first), int(last or first) + 1)}
    return found


class Model:
    def __init__(self, cluster: Cluster, policy: str) -> None:
        def show(what: str) -> list[Record]:
            return records(cluster.run(["scontrol", "--oneliner", "-a", "show", what]).stdout)

        self.policy = policy
        self.jobs = {self.label(job): job for job in show("job") if "JobId" in job}
        self.nodes = {node["NodeName"]: node for node in show("node")}
        self.partitions = {part["PartitionName"]: part for part in show("partition")}
        self.reservations = [row for row in show("reservation") if "ReservationName" in row]
        self.licenses = {row["LicenseName"]: int(row["Total"]) for row in show("licenses")}
        grp_jobs = cluster.run("sacctmgr -nP show assoc format=account,user,grpjobs").stdout
        self.grp_jobs = {
            words[0]: int(words[2])
            for words in (line.split("|") for line in grp_jobs.splitlines())
            if not words[1] and words[2]
        }
        self.now = time.time()
        pending = {name: job for name, job in self.jobs.items() if job["JobState"] == "PENDING"}
        found = {name: self.judge(job) for name, job in pending.items()}
        # Nothing but nodes and priorities holds these back.
        self.waiters = [pending[name] for name, verdict in found.items() if not verdict]
        self.verdicts = {name: verdict or self.place(pending[name]) for name, verdict in found.items()}

    @staticmethod
    def label(job: Record) -> str:
        task = job.get("ArrayTaskId")
        return f"{job['ArrayJobId']}_{task}" if task and "-" not in task and "," not in task else job["JobId"]

    # --- credentials

    @staticmethod
    def owner(job: Record, key: str) -> str:
        gid = int(re.search(r"\((\d+)\)", job["GroupId"])[1])
        return {
            "USER": job["UserId"].partition("(")[0],
            "GROUP": grp.getgrgid(gid).gr_name,
            "CLASS": job["Partition"],
            "QOS": job["QOS"],
        }[key]

    def running(self) -> list[Record]:
        return [job for job in self.jobs.values() if job["JobState"] in ACTIVE]

    def lines(self, parameter: str) -> list[tuple[str, str]]:
        """Each holder of USERCFG and its attributes."""
        return re.findall(rf"(?m)^{parameter}\[(\w+)\]\s+(.*)$", self.policy)

    # --- what stands against a job, in the order in which Maui looks

    def judge(self, job: Record) -> Verdict | None:
        for look in (self.hold, self.dependency, self.begin, self.qlist, self.limit, self.cap, self.partition,
                     self.slurm, self.license, self.asked):
            verdict = look(job)
            if verdict:
                return verdict
        return None

    @staticmethod
    def hold(job: Record) -> Verdict | None:
        if job["Priority"] != "0":
            return None
        if job["Reason"] == "JobHeldUser":
            return "user-hold", {"holder": job["UserId"].partition("(")[0]}
        return ("system-hold", {"holder": None}) if job["Reason"] == "JobHeldAdmin" else None

    def dependency(self, job: Record) -> Verdict | None:
        found = re.findall(r"(\w+):(\d+)", job["Dependency"])
        if not found:
            return None
        states = [self.jobs[other]["JobState"] for _, other in found]
        never = any(kind == "afterok" and state == "FAILED" for (kind, _), state in zip(found, states))
        return "dependency", {"never": never, "on": [(kind, other) for kind, other in found], "states": states}

    def begin(self, job: Record) -> Verdict | None:
        begin = moment(job["EligibleTime"]) if job["EligibleTime"] != "Unknown" else 0
        return ("begin-time", {"begin": int(begin)}) if begin > self.now else None

    def qlist(self, job: Record) -> Verdict | None:
        for holder, text in self.lines("USERCFG"):
            listed = re.search(r"QLIST=(\S+)", text)
            if listed and holder == self.owner(job, "USER") and job["QOS"] not in listed[1].split(","):
                return "qos", {"qos": job["QOS"]}
        return None

    def limit(self, job: Record) -> Verdict | None:
        greatest = re.search(r"(?m)^SYSTEMMAXPROCPERJOB (\d+)$", self.policy)
        if greatest and int(job["NumCPUs"]) > int(greatest[1]):
            return "limit", {"name": "SYSTEMMAXPROCPERJOB", "holder": None, "limit": int(greatest[1])}
        return self.exceeded(job, -1) or self.exceeded(job, 0)

    def exceeded(self, job: Record, side: int) -> Verdict | None:
        """The first limit that is exceeded: side 0 is the soft one of soft,hard, -1 the hard one."""
        for key in ("USER", "GROUP", "CLASS"):
            for holder, text in self.lines(f"{key}CFG"):
                for name, values in re.findall(r"(MAXJOB|MAXPROC)=([\d,]+)", text):
                    limit = int(values.split(",")[side])
                    own = [one for one in self.running() if self.owner(one, key) == holder]
                    size = (lambda one: int(one["NumCPUs"])) if name == "MAXPROC" else lambda one: 1
                    usage = sum(map(size, own))
                    if self.owner(job, key) == holder and usage + size(job) > limit:
                        return "limit", {
                            "name": name, "type": key.lower(), "holder": holder, "limit": limit, "usage": usage,
                            "level": "hard" if side else "soft",
                            "jobs": {self.label(one): size(one) for one in own},
                        }
        return None

    def cap(self, job: Record) -> Verdict | None:
        for holder, text in self.lines("GROUPCFG"):
            cap = re.search(r"FSTARGET=(\d+)\^", text)
            asked = int(job["NumCPUs"]) * seconds(job["TimeLimit"])
            if cap and self.owner(job, "GROUP") == holder and asked > int(cap[1]):
                return "fairshare-cap", {"type": "group", "name": holder, "cap": int(cap[1]), "request": asked}
        return None

    def partition(self, job: Record) -> Verdict | None:
        parts = [self.partitions[name] for name in job["Partition"].split(",")]
        if all(part["State"] in ("DOWN", "INACTIVE") for part in parts):
            return "partition", {"partition": parts[0]["PartitionName"], "state": parts[0]["State"]}
        if all(seconds(job["TimeLimit"]) > seconds(part["MaxTime"]) for part in parts):
            return "partition", {"partition": parts[0]["PartitionName"], "limit": seconds(parts[0]["MaxTime"]),
                                 "asked": seconds(job["TimeLimit"])}
        return None

    def slurm(self, job: Record) -> Verdict | None:
        same = [one for one in self.running() if one["Account"] == job["Account"]]
        if len(same) >= self.grp_jobs.get(job["Account"], len(same) + 1):
            return "slurm", {"reason": "AssocGrpJobsLimit", "account": job["Account"]}
        throttle = job.get("ArrayTaskThrottle")
        tasks = [one for one in self.running() if one.get("ArrayJobId") == job.get("ArrayJobId", "none")]
        if throttle and len(tasks) >= int(throttle):
            return "slurm", {"reason": "JobArrayTaskLimit"}
        return None

    @staticmethod
    def asks_for(job: Record) -> tuple[str, int]:
        name, _, count = job["Licenses"].partition(":")
        return name, int(count or 1)

    def license(self, job: Record) -> Verdict | None:
        name, count = self.asks_for(job)
        if name not in self.licenses:
            return None
        held = sum(self.asks_for(one)[1] for one in self.running() if self.asks_for(one)[0] == name)
        if held + count <= self.licenses[name]:
            return None
        return "license", {"license": name, "asked": count, "seen_in_use": held}

    @staticmethod
    def asks_for_reservation(job: Record) -> bool:
        return "Reservation" in job

    def asked(self, job: Record) -> Verdict | None:
        for row in self.reservations:
            if row["ReservationName"] == job.get("Reservation") and moment(row["StartTime"]) > self.now:
                return "reservation", {"reservation": row["ReservationName"], "start": int(moment(row["StartTime"]))}
        return None

    # --- nodes

    def admitted(self, job: Record, row: Record) -> bool:
        """By the lines of SRCFG; a reservation that is not Maui's admits only who asks for it."""
        name = row["ReservationName"]
        if job.get("Reservation") == name:
            return True
        text = " ".join(rest for holder, rest in self.lines("SRCFG") if f"{holder}.inf" == name)
        member = {
            "USERLIST": self.owner(job, "USER"), "CLASSLIST": job["Partition"],
        }
        listed = any(
            member[key] in value.split(",") for key, value in re.findall(r"(USERLIST|CLASSLIST)=(\S+)", text)
        )
        longest = re.search(r"TIMELIMIT=([\d:]+)\*", text)
        return (listed and "BYNAME" not in text
                and (not longest or seconds(job["TimeLimit"]) <= seconds(longest[1])))

    def reserving(self, job: Record, node: str) -> list[str]:
        end = self.now + seconds(job["TimeLimit"])
        return [
            row["ReservationName"]
            for row in self.reservations
            if node in names(row["Nodes"]) and moment(row["StartTime"]) < end
            and moment(row["EndTime"]) > self.now and not self.admitted(job, row)
        ]

    def obstacle(self, job: Record, name: str) -> str | None:
        """Of one node; None: it has room for a processor at least, or is empty if the job wants it whole."""
        node = self.nodes[name]
        asked = names(job.get("ReqNodeList", ""))
        needed = int(job["NumNodes"].partition("-")[0])
        features = set(job["Features"].replace("&", ",").split(",")) - {"(null)"}
        if re.search(r"DOWN|DRAIN", node["State"]):
            return "down"
        if name in names(job.get("ExcNodeList", "")):
            return "excluded"
        if len(asked) >= needed and name not in asked:
            return "nodelist"
        if not features <= set(node.get("ActiveFeatures", "").split(",")):
            return "features"
        if self.reserving(job, name):
            return "reserved"
        used = int(node["CPUAlloc"])
        full = used if self.wants_whole_nodes(job) else used >= int(node["CPUTot"])
        return "busy" if full else None

    @staticmethod
    def wants_whole_nodes(job: Record) -> bool:
        """From 26.05 on scontrol has a word of its own for it, and OverSubscribe=NO for others, too."""
        return job["Exclusive"] != "NO" if "Exclusive" in job else job["OverSubscribe"] == "NO"

    def counts(self, job: Record, partition: str) -> dict[str, int]:
        found: dict[str, int] = {"left": 0}
        for name in names(self.partitions[partition]["Nodes"]):
            obstacle = self.obstacle(job, name) or "left"
            found[obstacle] = found.get(obstacle, 0) + 1
        return found

    def room(self, job: Record, partition: str) -> bool:
        free = [name for name in names(self.partitions[partition]["Nodes"]) if not self.obstacle(job, name)]
        procs = sum(int(self.nodes[name]["CPUTot"]) - int(self.nodes[name]["CPUAlloc"]) for name in free)
        return len(free) >= int(job["NumNodes"].partition("-")[0]) and procs >= int(job["NumCPUs"])

    def place(self, job: Record) -> Verdict:
        partition = [name for name in job["Partition"].split(",") if self.partitions[name]["State"] == "UP"][0]
        room, needed = self.room(job, partition), int(job["NumNodes"].partition("-")[0])
        counts = self.counts(job, partition)
        named = len(names(job.get("ReqNodeList", ""))) >= needed
        lacks = counts["left"] + counts.get("busy", 0) < needed or (named and not room)
        if self.ahead(job) and not lacks:
            return "priority", {"name": partition, "count": self.ahead(job)}
        return ("scheduler", {}) if room else ("nodes", {"name": partition, "counts": counts})

    def own_nodes(self, job: Record) -> set[str]:
        """Those that it could get if nobody had them."""
        parts = [name for name in job["Partition"].split(",") if self.partitions[name]["State"] == "UP"]
        everywhere = set().union(*(names(self.partitions[name]["Nodes"]) for name in parts))
        return {name for name in everywhere if self.obstacle(job, name) in (None, "busy", "reserved")}

    def all_nodes(self, job: Record) -> set[str]:
        parts = [name for name in job["Partition"].split(",") if self.partitions[name]["State"] == "UP"]
        return set().union(*(names(self.partitions[name]["Nodes"]) for name in parts))

    def ahead(self, job: Record) -> int:
        """Those in partitions with the same nodes that come before it."""

        def key(one: Record) -> tuple[int, int]:
            return -int(one["Priority"]), int(one["JobId"])

        return sum(
            1 for one in self.waiters if key(one) < key(job) and self.all_nodes(one) & self.own_nodes(job)
        )
