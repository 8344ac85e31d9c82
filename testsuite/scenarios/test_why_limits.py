# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui why` of jobs that a limit of an association or a QOS holds back: what it allows and what is used of it are those of
sacctmgr and `scontrol show assoc_mgr`."""

from __future__ import annotations

import json
import re
import unittest
from typing import Any, NamedTuple

from harness import Cluster, replace_file

POLICY = "RMPOLLINTERVAL 1\n"
SLURM_CONF = """\
AccountingStorageEnforce=associations,limits,qos,safe
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=5,bf_min_prio_reserve=1
PartitionName=batch Nodes=ALL Default=YES
PartitionName=lent Nodes=ALL
"""
USERS = ("daemon", "bin")
ACCOUNTS = {
    "tight": "GrpJobs=1",
    "narrow": "GrpTRES=cpu=3",
    "spent": "GrpTRESMins=cpu=100",
    "ahead": "GrpTRESRunMins=cpu=100",
    "plain": "",
}
QOS = {"few": "MaxJobsPerUser=1", "wide": "MaxTRESPerUser=cpu=3", "small": "MaxTRESPerJob=cpu=2", "lent": "GrpTRES=cpu=2"}
SET_UP = "\n".join(
    [f"sacctmgr -i add qos {name} set {limits}" for name, limits in QOS.items()]
    + [f"sacctmgr -i add account {name} {'set ' + limits if limits else ''}" for name, limits in ACCOUNTS.items()]
    # "below" has no limit of its own: that of "tight" above it holds its jobs back.
    + ["sacctmgr -i add account below parent=tight"]
    + [f"sacctmgr -i add user {user} account={','.join(ACCOUNTS)},below defaultaccount=plain qos=normal,few,wide,small"
       " defaultqos=normal" for user in USERS]
)


class Case(NamedTuple):
    """A job that waits, and the limit that it waits for."""

    options: tuple[str, ...]
    reason: str
    field: str  # of scontrol show assoc_mgr
    record: str  # a pattern of the record that has it
    whose: str
    words: str  # of the text; {} is what is used
    needed: float
    tres: str = ""


ASSOC, UNTIL = "Account={} UserName= ", ("-t60",)
CASES = {
    "jobs": Case(("-Atight", *UNTIL), "AssocGrpJobsLimit", "GrpJobs", ASSOC.format("tight"), "account tight",
                 "account tight may run 1 job at a time (GrpJobs), runs {}", 1),
    "above": Case(("-Abelow", *UNTIL), "AssocGrpJobsLimit", "GrpJobs", ASSOC.format("tight"), "account tight",
                  "account tight may run 1 job at a time (GrpJobs), runs {}", 1),
    "cpus": Case(("-Anarrow", "-n2", *UNTIL), "AssocGrpCpuLimit", "GrpTRES", ASSOC.format("narrow"), "account narrow",
                 "account narrow may hold 3 CPUs at a time (GrpTRES=cpu), holds {}; this job needs 2", 2, "cpu"),
    "spent": Case(("-Aspent", "-n2", *UNTIL), "AssocGrpCPUMinutesLimit", "GrpTRESMins", ASSOC.format("spent"), "account spent",
                  "account spent may use 100 CPU minutes (GrpTRESMins=cpu), has used {}; this job may need 120", 120, "cpu"),
    "outstanding": Case(("-Aahead", "-n2", *UNTIL), "AssocGrpCPURunMinutesLimit", "GrpTRESRunMins", ASSOC.format("ahead"),
                        "account ahead", "account ahead may have 100 CPU minutes outstanding (GrpTRESRunMins=cpu), has {}; "
                        "this job needs 120", 120, "cpu"),
    "user's jobs": Case(("-qfew", *UNTIL), "QOSMaxJobsPerUserLimit", "MaxJobsPU", "QOS=few", "user daemon in QOS few",
                        "user daemon in QOS few may run 1 job at a time (MaxJobsPerUser), runs {}", 1),
    "user's cpus": Case(("-qwide", "-n2", *UNTIL), "QOSMaxCpuPerUserLimit", "MaxTRESPU", "QOS=wide", "user daemon in QOS wide",
                        "user daemon in QOS wide may hold 3 CPUs at a time (MaxTRESPerUser=cpu), holds {}; this job needs 2",
                        2, "cpu"),
    "job's cpus": Case(("-qsmall", "-n4", *UNTIL), "QOSMaxCpuPerJobLimit", "MaxTRESPJ", "QOS=small", "QOS small",
                       "QOS small may hold 2 CPUs in a job (MaxTRESPerJob=cpu); this job asks for 4", 4, "cpu"),
    "partition's": Case(("-plent", "-n2", *UNTIL), "QOSGrpCpuLimit", "GrpTRES", "QOS=lent", "QOS lent",
                        "QOS lent may hold 2 CPUs at a time (GrpTRES=cpu), holds {}; this job needs 2", 2, "cpu"),
}


class WhyLimitsTest(unittest.TestCase):
    cluster: Cluster
    jobs: dict[str, int]

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=4, cpus=8, maui_cfg=POLICY, slurm_conf=SLURM_CONF, slurmdbd=True)
        )
        cls.cluster.run(SET_UP)
        cls.cluster.wait_for(
            lambda: "Account=below UserName=bin" in cls.cluster.run("scontrol -o show assoc_mgr users=bin").stdout,
            "slurmctld to know the associations",
        )
        cls.configure("PartitionName=lent", "Nodes=ALL QOS=lent")
        cls.cluster.wait_for(lambda: cls.cluster.partition("lent")["QoS"] == "lent", "the partition's QOS")
        cls.fill()
        cls.jobs = {name: cls.cluster.sbatch(*case.options, user="daemon") for name, case in CASES.items()}
        cls.wait_for_reasons()

    @classmethod
    def fill(cls) -> None:
        """Jobs that use the limits up; those of another user count for an account, and not for a user."""
        submit, long = cls.cluster.sbatch, ("-t30",)
        done = submit("-Aspent", "-n2", "-t1", wrap="sleep 2", user="bin")
        running = [
            submit("-Abelow", "-n1", *long, user="bin"),
            submit("-Anarrow", "-n2", *long, user="bin"),
            submit("-Aahead", "-n1", *long, user="bin"),
            submit("-qfew", "-n1", *long, user="daemon"),
            submit("-qfew", "-n1", *long, user="bin"),
            submit("-qwide", "-n2", *long, user="daemon"),
            submit("-qwide", "-n1", *long, user="bin"),
            submit("-plent", "-n1", *long, user="bin"),
        ]
        for job in running:
            cls.cluster.wait_for_state(job, "RUNNING")
        cls.cluster.wait_for_state(done, "COMPLETED")

    # --- both sides

    def why(self, name: str, user: str = "root") -> list[dict[str, Any]]:
        done = self.cluster.run(["maui", "why", "--json", str(self.jobs[name])], user=user)
        found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
        return found

    def figures(self, name: str, user: str = "root") -> list[dict[str, Any]]:
        return [row for row in self.why(name, user) if (row["part"], row["kind"]) == ("cause", "slurm-limit")]

    def shown(self, case: Case) -> tuple[float, float | None]:
        """What slurmctld allows, and what is used; of minutes whole ones."""
        lines = self.cluster.run("scontrol -o show assoc_mgr").stdout.splitlines()
        line = next(line for line in lines if re.search(case.record, line))
        if case.field.endswith("PU"):
            uid = self.cluster.run("id -u daemon").stdout.strip()
            # From 23.11 on it is named, too: daemon(1)={
            line = re.search(rf" (?:daemon\()?{uid}\)?=\{{(.*?)\}}", line).group(1)  # type: ignore[union-attr]
        value = re.search(rf"(?:^| ){case.field}=(\S*)", line).group(1)  # type: ignore[union-attr]
        if case.tres:
            value = dict(item.split("=", 1) for item in value.split(","))[case.tres]
        allowed, used = re.fullmatch(r"(\d+)(?:\((\d+)[\d.]*\))?", value).groups()  # type: ignore[union-attr]
        return float(allowed), None if used is None else float(used)

    # --- agreement

    def test_each_limit_is_told_with_what_is_used_of_it(self) -> None:
        for name, case in CASES.items():
            with self.subTest(case=name):
                before = self.shown(case)
                rows = self.figures(name)
                allowed, used = self.shown(case)
                self.assertEqual([row["facts"]["whose"] for row in rows], [case.whose], rows)
                facts = rows[0]["facts"]
                self.assertEqual((facts["allowed"], facts["needed"], facts["tres"] or ""), (allowed, case.needed, case.tres))
                if used is None:
                    self.assertIsNone(facts["used"])
                else:
                    # The minutes of what runs go by meanwhile.
                    self.assertIn(int(facts["used"]), range(int(min(before[1] or 0, used)), int(max(before[1] or 0, used)) + 1))
                self.assertEqual(rows[0]["text"], case.words.format(f"{facts['used']:.2f}".rstrip("0").rstrip(".")
                                                                    if used is not None else ""))
        self.assertGreater(self.figures("spent")[0]["facts"]["used"], 0)

    def test_sacctmgr_has_the_same_limits(self) -> None:
        told = self.cluster.run("sacctmgr -nP show qos format=name,maxjobsperuser,maxtresperuser,maxtresperjob,grptres").stdout
        rows = {line.split("|")[0]: line.split("|")[1:] for line in told.splitlines()}
        self.assertEqual([int(rows["few"][0])], [row["facts"]["allowed"] for row in self.figures("user's jobs")])
        for name, qos, column in (("user's cpus", "wide", 1), ("job's cpus", "small", 2), ("partition's", "lent", 3)):
            self.assertEqual(rows[qos][column], f"cpu={self.figures(name)[0]['facts']['allowed']}")

    def test_a_user_sees_the_same(self) -> None:
        for name in CASES:
            self.assertEqual([row["facts"]["whose"] for row in self.figures(name, "daemon")], [CASES[name].whose], name)

    def test_what_is_private_is_said_to_be_hidden(self) -> None:
        self.set_private("usage")
        self.addCleanup(self.set_private, "none")
        for name in ("jobs", "cpus", "spent"):
            found = self.why(name, "daemon")
            causes = [row for row in found if (row["part"], row["kind"]) == ("cause", "slurm-limit")]
            self.assertEqual([row["facts"].get("used") for row in causes], [None], causes)
            hidden = [row["text"] for row in found if (row["part"], row["kind"]) == ("unseen", "slurm-limit")]
            self.assertRegex("\n".join(hidden), r"slurmctld hides associations from you \(PrivateData\)")
            self.assertEqual([row["facts"]["whose"] for row in self.figures(name)], [CASES[name].whose], "root")

    @classmethod
    def configure(cls, name: str, value: str) -> None:
        """A line of slurm.conf; a partition's QOS would end slurmctld before there is any."""
        conf = cls.cluster.dir / "etc" / "slurm.conf"
        lines = [line for line in conf.read_text(encoding="utf-8").splitlines() if not line.startswith(name)]
        replace_file(conf, "\n".join([*lines, f"{name}{'=' if '=' not in name else ' '}{value}"]) + "\n")
        cls.cluster.reconfigure()

    @classmethod
    def wait_for_reasons(cls) -> None:
        for name, case in CASES.items():
            cls.cluster.wait_for(
                lambda job=cls.jobs[name], reason=case.reason: cls.cluster.job(job)["Reason"] == reason,  # type: ignore[misc]
                f"job {cls.jobs[name]} ({name}) to wait: {case.reason}",
            )

    def set_private(self, what: str) -> None:
        self.configure("PrivateData", what)
        self.cluster.wait_for(lambda: self.cluster.config()["PrivateData"] == what, f"PrivateData={what}")
        self.wait_for_reasons()
