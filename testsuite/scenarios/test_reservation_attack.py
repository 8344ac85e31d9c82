# SPDX-License-Identifier: GPL-2.0-or-later
"""Users without right try to get onto reserved nodes, in every way that Slurm offers them.

All other nodes are full most of the time, so that whatever starts has broken in. The truth is what
accounting has of every run of every job: none of an attacker's was on a reserved node while its
window was open. The same attempts by an insider succeed, so that the test can fail.
"""

from __future__ import annotations

import re
import shlex
import time
import unittest
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness import Cluster, replace_file
from plugin_files import of_another_release, replace
from reservation_model import (
    OPEN,
    PREEMPTION,
    epoch,
    expand,
    install,
    show_reservations,
    today,
    window,
)

ATTACKERS = ("daemon", "bin", "sys")
INSIDER = "games"  # by every kind of list
FAST = "RMPOLLINTERVAL 1\n"
VAULT = (
    "SRCFG[vault] HOSTLIST=n1,n2 PERIOD=INFINITY USERLIST=games GROUPLIST=man\n"
    "SRCFG[vault] ACCOUNTLIST=physics QOSLIST=high CLASSLIST=inner\n"
)
# Attackers are admitted to it: so they have our pass, and only our select plugin keeps them out of the vault.
LURE = "SRCFG[lure] HOSTLIST=n3 PERIOD=INFINITY TIMELIMIT=0:20:00\n"
SLURM_CONF = PREEMPTION + """\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2,bf_continue,\
bf_max_job_test=2000,default_queue_depth=2000
AccountingStorageEnforce=associations,qos
EnforcePartLimits=ALL
PartitionName=inner Nodes=ALL AllowAccounts=physics
PartitionName=other Nodes=n[1-2]
"""
ACCOUNTING = """\
sacctmgr -i add qos high,rich
sacctmgr -i add account physics,chemistry,biology
sacctmgr -i add user daemon,bin,sys account=chemistry,biology qos=normal,rich defaultqos=normal \
    defaultaccount=chemistry
sacctmgr -i add user games account=physics,chemistry,biology qos=normal,high,rich \
    defaultqos=normal defaultaccount=chemistry
"""
RUN = "--wrap 'sleep 600'"

# Submissions: {id} is a job of one's own that waits. Those of -t5 have the lure's pass, others not.
SUBMISSIONS: dict[str, tuple[str, ...]] = {
    "nodelist": (
        f"sbatch -t5 -w n1 {RUN}",
        f"sbatch -t60 -w n2 {RUN}",
        f"sbatch -t5 -N2 -w n1,n2 {RUN}",
        f"sbatch -t5 -x n3,n4 {RUN}",
    ),
    "reservation by name": (
        f"sbatch -t5 --reservation=vault.inf {RUN}",
        f"sbatch -t5 --reservation=vault {RUN}",
        f"sbatch -t5 --reservation=lure.inf,vault.inf {RUN}",
        f"sbatch -t5 --reservation=vault.inf --signal=R:USR1@0 {RUN}",
        f"SBATCH_RESERVATION=vault.inf sbatch -t5 {RUN}",
    ),
    "signal": tuple(
        f"sbatch {limit} -w {node} --signal={how} {RUN}"
        for limit in ("-t5", "-t60")
        for node, how in (
            ("n1", "R:USR1@0"),
            ("n2", "R:USR1@1"),
            ("n1", "R:USR1@60"),
            ("n2", "R:USR1@65535"),
            ("n1", "RB:USR1@0"),
        )
    ),
    "shape": (
        f"sbatch -t5 -N1 --exclusive --signal=R:USR1@0 {RUN}",
        f"sbatch -t5 -N2 --contiguous {RUN}",
        f"sbatch -t5 -N2 --contiguous --exclusive --signal=R:USR1@1 {RUN}",
        f"sbatch -t5 -N1 --switches=1@0 {RUN}",
        f"sbatch -t5 -N2 --spread-job {RUN}",
        f"sbatch -t5 -N2 --use-min-nodes -n8 {RUN}",
        f"sbatch -t5 -w n1 --oversubscribe --overcommit {RUN}",
        f"sbatch -t5 -w n1 --mem=0 {RUN}",
    ),
    "time": (
        f"sbatch -t60 --time-min=1 -w n1 {RUN}",
        f"sbatch -t60 --time-min=1 -w n1 --signal=R:USR1@0 {RUN}",
        f"sbatch -t5 --begin=now+2 -w n1 {RUN}",
        f"sbatch -t1 --deadline=now+1hour -w n2 {RUN}",
        f"sbatch -t0 -w n2 --signal=R:USR1@1 {RUN}",
    ),
    "array": (
        f"sbatch -t5 --array=0-3 -w n1 {RUN}",
        f"sbatch -t60 --array=0-3%2 -w n2 --signal=R:USR1@1 {RUN}",
    ),
    "heterogeneous": (
        "sbatch -t5 -w n1 -n1 : -w n2 -n1 --wrap 'sleep 600'",
        "sbatch -t60 -w n1 -n1 --signal=R:USR1@0 : -w n2 -n1 --signal=R:USR1@0 --wrap 'sleep 600'",
    ),
    "dependency": (
        f"sbatch -t5 --dependency=singleton -w n1 {RUN}",
        f"sbatch -t5 --dependency=after:{{id}} -w n1 {RUN}",
    ),
    "somebody else": (
        f"sbatch -t5 -w n1 -A physics {RUN}",
        f"sbatch -t5 -w n1 -q high {RUN}",
        f"sbatch -t5 -w n1 -p inner {RUN}",
        f"sbatch -t5 -w n1 -p other,inner {RUN}",
        f"sbatch -t5 -w n1 -p batch,other {RUN}",
        f"sbatch -t5 -w n1 -q rich -A biology {RUN}",
        f"sbatch -t5 -w n1 --uid=games {RUN}",
        f"sbatch -t5 -w n1 --gid=man {RUN}",
        f"sg man -c \"sbatch -t5 -w n1 {RUN}\" </dev/null",
        f"SLURM_JOB_USER=games USER=games LOGNAME=games sbatch -t5 -w n1 {RUN}",
        f"sbatch -t5 -w n1 --comment='x=FLAGS:ADVRES;x=SID:games' {RUN}",
        f"sbatch -t5 -w n1 --nice=-100000 --priority=TOP {RUN}",
    ),
    "interactive": (
        "salloc -t5 --immediate=1 -w n1 sleep 1",
        "salloc -t60 --immediate=1 -w n2 --signal=R:USR1@0 sleep 1",
        "srun -t5 --immediate=1 -w n1 sleep 1",
        "srun -t60 --immediate=1 -w n2 --signal=R:USR1@1 sleep 1",
        "srun -t5 --immediate=1 --reservation=vault.inf sleep 1",
    ),
    "changes": tuple(
        f"{how}: scontrol update job={{id}} {change}"
        for how in ("-t5", "-t60 --signal=R:USR1@1")
        for change in (
            "reservationname=vault.inf",
            "reservationname=vault",
            "reqnodelist=n1",
            "nodelist=n1",
            "timelimit=1",
            "timelimit=600",
            "account=physics",
            "qos=high",
            "partition=inner",
            "partition=other",
            "numnodes=2 excnodelist=n3,n4",
            "starttime=now priority=1000000",
        )
    ),
    "reservations": (
        "scontrol update reservation=vault.inf users+=daemon,bin,sys",
        "scontrol update reservation=vault.inf nodes=n4",
        "scontrol update reservation=vault.inf maxstartdelay=1",
        "scontrol update reservation=vault.inf endtime=now+1",
        "scontrol delete reservation=vault.inf",
        "scontrol create reservation=mine users=daemon,bin,sys nodes=n1 starttime=now duration=60 "
        "flags=overlap,maint,ignore_jobs",
        "scontrol update nodename=n1 state=drain reason=x",
        "scontrol reconfigure",
    ),
    "jobs of others": (
        "srun --jobid={victim} --overlap -w n1 -n1 --immediate=1 hostname",
        "scontrol update job={victim} numnodes=1",
        "sbatch -t5 --dependency=expand:{victim} -w n1 " + RUN,
        "scontrol requeue {victim}",
        "scontrol suspend {victim}",
        "sattach {victim}.0",
    ),
    "held": (
        f"id=$(sbatch --parsable -H -t5 -w n1 {RUN}); scontrol release $id",
        f"id=$(sbatch --parsable -H -t60 -w n2 --signal=R:USR1@0 {RUN}); scontrol release $id",
        f"id=$(sbatch --parsable -H -t5 -N1 {RUN}); scontrol update job=$id reqnodelist=n1; "
        "scontrol release $id",
        f"id=$(sbatch --parsable --begin=now+1hour -t5 -w n1 {RUN}); "
        "scontrol update job=$id starttime=now",
    ),
    "environment": (
        f"SBATCH_SIGNAL=R:USR1@0 sbatch -t60 -w n1 {RUN}",
        f"SBATCH_ACCOUNT=physics sbatch -t5 -w n1 {RUN}",
        f"SBATCH_QOS=high sbatch -t5 -w n2 {RUN}",
        f"SBATCH_PARTITION=inner sbatch -t5 -w n2 {RUN}",
        f"SBATCH_EXCLUSIVE=user SBATCH_OVERCOMMIT=1 sbatch -t5 -w n1 {RUN}",
        "SLURM_RESERVATION=vault.inf SLURM_ACCOUNT=physics srun -t5 --immediate=1 -w n1 sleep 1",
    ),
    "resources": (
        f"sbatch -t5 -w n1 --mem-per-cpu=1 --no-kill {RUN}",
        f"sbatch -t5 -w n2 --core-spec=1 {RUN}",
        f"sbatch -t5 -w n1 --gres=none --tmp=0 --mincpus=1 {RUN}",
        f"sbatch -t60 -w n2 --ntasks-per-node=1 --threads-per-core=1 --signal=R:USR1@1 {RUN}",
        f"sbatch -t5 -M maui -w n1 {RUN}",
    ),
}


@dataclass
class Attempt:
    kind: str
    user: str
    command: str


class AttackTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=4, maui_cfg=FAST, slurm_conf=SLURM_CONF, slurmdbd=True)
        )
        cls.cluster.run(ACCOUNTING)

    def setUp(self) -> None:
        self.cluster.cancel_all()
        self.counts: Counter[str] = Counter()
        self.opened = time.time()

    def guard(self, more: str = "", fill: tuple[str, ...] = ("n3", "n4")) -> int:
        """The reservations, with the nodes that are not the vault's full. Returns the insider's job
        in the vault, which leaves room beside it."""
        install(self.cluster, FAST)
        self.cluster.wait_for(lambda: not show_reservations(self.cluster), "no reservations")
        for node in fill:
            job = self.cluster.sbatch("-w", node, "--exclusive", "-t300", user=INSIDER)
            self.cluster.wait_for_state(job, "RUNNING")
        install(self.cluster, FAST + VAULT + LURE + more)
        self.wait_until_open()
        self.opened = time.time()
        victim = self.cluster.sbatch("-w", "n1", "-n1", "-t300", user=INSIDER)
        self.cluster.wait_for_state(victim, "RUNNING")
        return victim

    def wait_until_open(self, *names: str) -> None:
        wanted = {"vault.inf", "lure.inf", *names}

        def look() -> bool:
            found = show_reservations(self.cluster)
            return wanted <= set(found) and all(
                found[name]["MaxStartDelay"] == OPEN for name in wanted
            )

        self.cluster.wait_for(look, f"{wanted} to be open")

    # --- attempts

    def run_all(self, attempts: list[Attempt]) -> list[str]:
        """Each user's attempts in order, all users at the same time; what each one said."""
        shells: dict[str, list[str]] = {}
        for number, one in enumerate(attempts):
            line = f"out=$(timeout 20 sh -c {shlex.quote(one.command)} 2>&1); echo {number} $? $out"
            shells.setdefault(one.user, []).append(line)
        script = "".join(
            f"setpriv --reuid={user} --regid={user} --clear-groups "
            f"sh -c {shlex.quote(chr(10).join(lines))} &\n"
            for user, lines in shells.items()
        )
        answers = {}
        for line in self.cluster.run(script + "wait").stdout.splitlines():
            number, _, text = line.partition(" ")
            answers[int(number)] = text
        self.assertEqual(len(answers), len(attempts))
        for number, one in enumerate(attempts):
            status = "sent" if answers[number].startswith("0") else "refused"
            self.counts[f"{one.kind} {status}"] += 1
        return [answers[i] for i in range(len(attempts))]

    def attempts_of(self, user: str, victim: int) -> list[Attempt]:
        result = []
        for kind, commands in SUBMISSIONS.items():
            for command in commands:
                if kind == "changes":
                    how, _, command = command.partition(": ")
                    command = f"id=$(sbatch --parsable -N1 {how} {RUN}); {command}"
                elif "{id}" in command:
                    command = f"id=$(sbatch --parsable -N1 -t5 {RUN}); {command}"
                command = command.replace("{id}", "$id").replace("{victim}", str(victim))
                result.append(Attempt(kind, user, command))
        return result

    # --- what has happened

    def both_schedulers_looked(self) -> None:
        """An insider's job of the lowest priority, behind all others, has started."""
        job = self.cluster.sbatch("-w", "n2", "-n1", "-t1", "--nice=100000", user=INSIDER)
        self.cluster.wait_for_state(job, "RUNNING", timeout=120)
        self.cluster.scancel(job)

    def runs(self) -> list[tuple[str, str, float, float, set[str]]]:
        """Of accounting, once it has all that has ended: job, user, start, end and nodes."""
        text = self.cluster.run(
            "sacct -a -D -X -P -n -S now-1days -o JobID,User,Start,End,NodeList,State"
        ).stdout
        found = []
        for line in text.splitlines():
            job, user, start, end, nodes, _ = line.split("|")
            if not re.match(r"n[\[\d]", nodes) or start in ("Unknown", "None"):
                continue
            found.append(
                (job, user, epoch(start), epoch(end) if end[0].isdigit() else time.time(),
                 expand(nodes))
            )
        return found

    def check(self, nodes: set[str], since: float, until: float | None = None) -> None:
        """No attacker's run that was there between these times was on any of these nodes."""
        until = until or time.time()
        for row in self.cluster.squeue("-tR,CG,S"):
            if row["user"] in ATTACKERS and since <= time.time() < until:
                self.assertFalse(expand(row["nodes"]) & nodes, row)
        # slurmdbd is told in order: what began before this job is there when this one is.
        mark = self.cluster.sbatch("-w", "n1", "-n1", "-t1", wrap="true", user=INSIDER)
        self.cluster.wait_for_state(mark, "COMPLETED", timeout=120)
        runs = self.cluster.wait_for(
            lambda: (found := self.runs()) and any(r[0] == str(mark) for r in found) and found,
            "accounting to have it",
        )
        for job, user, start, end, on in runs:
            if user in ATTACKERS and on & nodes and start < until and end > since + 1:
                self.fail(f"job {job} of {user} was on {on} from {start - since:.0f} to "
                          f"{end - since:.0f} seconds after the window's begin")

    # --- the phases

    def test_1_everything_at_once(self) -> None:
        victim = self.guard()
        pid = self.cluster.pid()
        attempts = [one for user in ATTACKERS for one in self.attempts_of(user, victim)]
        self.assertGreaterEqual(len(attempts), 200)
        self.assertGreaterEqual(len({one.kind for one in attempts}), 16)
        self.run_all(attempts)
        self.both_schedulers_looked()
        self.check({"n1", "n2"}, self.opened)
        # Most wait: they were not turned down for a slip of the pen.
        pending = [row for row in self.cluster.squeue("-tPD") if row["user"] in ATTACKERS]
        self.assertGreater(len(pending), 150, self.counts)
        self.assertEqual(self.cluster.pid(), pid)
        found = show_reservations(self.cluster)
        self.assertEqual(found["vault.inf"]["Users"], "root")
        self.assertEqual(found["vault.inf"]["Nodes"], "n[1-2]")
        self.assertNotIn("mine", found)
        self.assertEqual(self.cluster.job(victim)["JobState"], "RUNNING")

        # Now while things happen to slurmctld, with all of these still waiting.
        self.disturbed()

    def disturbed(self) -> None:
        flood = [
            Attempt("flood", user, f"sbatch -t5 -w n{1 + i % 2} --signal=R:USR1@{i % 2} {RUN}")
            for user in ATTACKERS
            for i in range(5)
        ]
        lost = len(self.cluster.lost_in_reconfigure)
        for disturb in (
            self.cluster.reconfigure,
            lambda: install(self.cluster, FAST + VAULT.replace("n1,n2", "n[1-2]") + LURE),
            self.cluster.restart,
            lambda: self.cluster.restart(kill=True),
        ):
            pid = self.cluster.pid()
            self.run_all(flood)
            disturb()
            self.run_all(flood)
            self.wait_until_open()
            self.both_schedulers_looked()
            self.check({"n1", "n2"}, self.opened)
            self.assertGreater(self.cluster.pid(), 0)
            self.counts["restarted"] += self.cluster.pid() != pid
        self.assertEqual(self.counts["restarted"], 2 + len(self.cluster.lost_in_reconfigure) - lost)

    def test_2_the_same_by_an_insider(self) -> None:
        """So that the test above can fail: what it sends is not wrong in itself."""
        victim = self.guard()
        wanted = ("nodelist", "signal", "shape", "time", "array", "heterogeneous", "changes",
                  "held")
        inside = 0
        for one in self.attempts_of(INSIDER, victim):
            if one.kind not in wanted:
                continue
            if "update" in one.command and "nodelist=n1" not in one.command:
                continue
            # It would wait for a whole node where another's job is.
            if "--exclusive" in one.command or "--mem=0" in one.command or "-n8" in one.command:
                continue
            before = {row["id"] for row in self.cluster.squeue()}
            self.run_all([one])

            def runs() -> list[str]:
                return [
                    row["nodes"]
                    for row in self.cluster.squeue("-tR")
                    if row["id"] not in before and expand(row["nodes"]) <= {"n1", "n2"}
                ]

            with self.subTest(command=one.command):
                self.cluster.wait_for(runs, "the insider's job to run in the vault", timeout=20)
                inside += 1
            new = {row["id"].split("_")[0].split("+")[0] for row in self.cluster.squeue()}
            self.cluster.scancel(*map(int, new - {i.split("_")[0] for i in before}))
            self.cluster.wait_for(
                lambda: {row["id"] for row in self.cluster.squeue()} <= before, "it to be gone"
            )
        self.assertGreaterEqual(inside, 20)

    def test_3_from_a_free_node(self) -> None:
        """Attackers who run beside the vault: requeue, resize, steps, suspend and resume."""
        victim = self.guard(fill=("n3",))
        pid = self.cluster.pid()
        jobs = {}
        for user in ATTACKERS:
            jobs[user] = self.cluster.sbatch("-n1", "-t10", "--requeue", user=user)
            self.cluster.wait_for_state(jobs[user], "RUNNING")
            self.assertEqual(self.cluster.job(jobs[user])["NodeList"], "n4")
        attempts = []
        for user, job in jobs.items():
            for command in (
                f"sbatch -t5 -w n1 -n1 --dependency=expand:{job} {RUN}",
                f"sbatch -t5 -w n2 -n1 --signal=R:USR1@0 --dependency=expand:{job} {RUN}",
                f"scontrol update job={job} numnodes=2",
                f"scontrol update job={job} nodelist=n1,n4",
                f"scontrol update job={job} reqnodelist=n1",
                f"scontrol update job={job} timelimit=600",
                f"scontrol update job={job} reservationname=vault.inf",
                f"srun --jobid={job} --overlap -w n1 --immediate=1 hostname",
                f"srun --jobid={job} --overlap -N2 --immediate=1 hostname",
                f"srun --jobid={victim} --overlap -w n1 --immediate=1 hostname",
                f"sbatch -t5 -N3 -x n3 --signal=R:USR1@1 {RUN}",
                f"sbatch -t5 -n1 -w n4 --signal=R:USR1@1 : -n1 -w n1 --signal=R:USR1@1 {RUN}",
                f"scontrol suspend {job}",
                f"scontrol requeue {job}",
            ):
                attempts.append(Attempt("from a free node", user, command))
        said = self.run_all(attempts)
        for one, text in zip(attempts, said, strict=True):
            if one.command.startswith("srun"):
                self.assertFalse(text.startswith("0 "), (one, text))
        # Those that were requeued, with the vault named.
        for job in jobs.values():
            self.cluster.run(f"scontrol update job={job} starttime=now", check=False)
        self.both_schedulers_looked()
        for job in jobs.values():
            if self.cluster.job(job)["JobState"] == "RUNNING":
                self.cluster.run(f"scontrol suspend {job}; scontrol resume {job}")
        self.both_schedulers_looked()
        self.check({"n1", "n2"}, self.opened)
        self.assertEqual(self.cluster.pid(), pid)

    def test_4_races_at_the_begin_of_a_window(self) -> None:
        """Submissions, begin times and requeues around the second in which a window begins."""
        start = float(int(time.time()) + 90)
        self.guard(
            f"SRCFG[soon] HOSTLIST=n4 USERLIST=games {window(start, start + 600)}\n", fill=("n3",)
        )
        self.wait_until_open(f"soon.{today()}")
        pid = self.cluster.pid()
        jobs = [
            self.cluster.sbatch("-w", "n4", "-n1", "-t1", "--requeue", user=user, wrap="sleep 40")
            for user in ATTACKERS
        ]
        for job in jobs:
            self.cluster.wait_for_state(job, "RUNNING")
        for user in ATTACKERS:
            # These may not start any more: they would be there at the begin.
            waits = self.cluster.sbatch("-w", "n4", "-n1", "-t3", "--signal=R:USR1@0", user=user)
            self.assertEqual(self.cluster.job(waits)["JobState"], "PENDING")
        begin = [
            Attempt("begin", user, f"sbatch -t1 -w n4 -n1 {how} --begin=now+{i} {RUN}")
            for user in ATTACKERS
            for i in range(1, 100, 9)
            for how in ("", "--signal=R:USR1@1")
        ]
        self.run_all(begin)
        while time.time() < start + 5:
            self.run_all(
                [
                    Attempt("race", user, command)
                    for user, job in zip(ATTACKERS, jobs, strict=True)
                    for command in (
                        f"sbatch -t1 -w n4 -n1 --signal=R:USR1@0 {RUN}",
                        f"sbatch -t2 --time-min=1 -w n4 -n1 {RUN}",
                        "srun -t1 -w n4 -n1 --immediate=1 sleep 0.1",
                        f"scontrol requeue {job}; scontrol update job={job} starttime=now",
                    )
                ]
            )
        self.assertEqual(
            show_reservations(self.cluster)[f"soon.{today()}"]["State"], "ACTIVE"
        )
        self.both_schedulers_looked()
        self.check({"n1", "n2"}, self.opened)
        # Slurm ends jobs late: whoever started a minute before may be there for a while.
        late = [
            (job, user, start - began)
            for job, user, began, _, on in self.runs()
            if user in ATTACKERS and "n4" in on and start - 60 < began
            and began < start + 600 and began > self.opened
        ]
        self.assertEqual(late, [])
        self.assertEqual(self.cluster.pid(), pid)
        self.assertGreater(self.counts["race sent"], 20)

    def test_5_without_the_select_plugin(self) -> None:
        """PluginDir has lost the directory that stands first; or SelectType is Slurm's own again."""
        conf = self.cluster.dir / "etc" / "slurm.conf"
        with_select = conf.read_text(encoding="utf-8")
        if self.cluster.names_our_select():
            without = with_select.replace("SelectType=select/cons_tres_maui", "SelectType=select/cons_tres")
        else:
            without = with_select.replace(f"{self.select_directory()}:", "")
        self.assertNotEqual(without, with_select)
        self.closed(
            lambda: replace_file(conf, without),
            lambda: replace_file(conf, with_select),
        )

    def test_6_the_select_plugin_of_another_release(self) -> None:
        """Slurm passes over a plugin that was built for another micro release, which is no error to it,
        and takes its own of that name."""
        if self.cluster.names_our_select():
            self.skipTest("under a name of its own a plugin that does not fit ends slurmctld's start")
        plugin = self.select_directory() / "select_cons_tres.so"
        ours = plugin.read_bytes()
        self.addCleanup(replace, plugin, ours)
        self.closed(
            lambda: replace(plugin, of_another_release(plugin)), lambda: replace(plugin, ours)
        )

    def select_directory(self) -> Path:
        conf = (self.cluster.dir / "etc" / "slurm.conf").read_text(encoding="utf-8")
        (directories,) = re.findall(r"(?m)^PluginDir=(.*)$", conf)
        first = Path(directories.split(":")[0])
        self.assertEqual(first.name, "maui")
        return first

    def closed(self, remove: Callable[[], object], put_back: Callable[[], object]) -> None:
        """The instances are closed to everybody: nobody is there to look at who comes."""
        victim = self.guard()
        waiting = [
            Attempt("closed", user, command)
            for user in ATTACKERS
            for command in (
                f"sbatch -t5 -w n1 -n1 --signal=R:USR1@0 {RUN}",
                f"sbatch -t5 -w n2 -n1 --signal=R:USR1@1 {RUN}",
                f"sbatch -t60 -w n2 -n1 --signal=R:USR1@65535 {RUN}",
                f"sbatch -t5 -w n2 -n1 {RUN}",
            )
        ]
        self.run_all(waiting)
        self.cluster.wait_until_saved(victim)
        since = time.time()
        self.cluster.stop(kill=True)  # so that they are open in what Slurm has saved
        position = self.cluster.log_position()
        remove()
        try:
            self.cluster.start()
            self.cluster.wait_for(
                lambda: OPEN not in self.cluster.run("scontrol show reservation").stdout,
                "them to be closed",
            )
            self.assertEqual(len(show_reservations(self.cluster)), 2)
            self.run_all(waiting)
            insider = self.cluster.sbatch("-w", "n2", "-n1", "-t5", user=INSIDER)
            # That the schedulers have looked.
            free = [row["id"] for row in self.cluster.squeue("-tR") if row["nodes"] == "n4"]
            self.cluster.scancel(*map(int, free))
            probe = self.cluster.sbatch("-w", "n4", "-n1", "-t1", "--nice=100000", user=INSIDER)
            self.cluster.wait_for_state(probe, "RUNNING")
            self.assertEqual(self.cluster.job(insider)["JobState"], "PENDING")
            for row in self.cluster.squeue("-tR"):
                if row["user"] in ATTACKERS:
                    self.assertFalse(expand(row["nodes"]) & {"n1", "n2", "n3"}, row)
            self.assertTrue(
                self.cluster.log_contains("nobody gets into reservations: slurmctld has not loaded", position)
            )
        finally:
            self.cluster.stop()
            put_back()
            self.cluster.start()
        self.wait_until_open()
        self.cluster.wait_for_state(insider, "RUNNING")
        self.both_schedulers_looked()
        self.check({"n1", "n2"}, since)
