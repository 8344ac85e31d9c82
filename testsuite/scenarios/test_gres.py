# SPDX-License-Identifier: GPL-2.0-or-later
"""Limits on GPUs of two types, another GRES and licenses: jobs of several users, however they ask."""

from __future__ import annotations

import json
import re

from gres_case import SLURM_CONF, GresCase
from test_limits import SLOW, settle


class Gres(GresCase):
    def test_however_a_job_asks(self) -> None:
        self.configure("USERCFG[DEFAULT] MAXGRES[gpu]=5\n")
        self.expect((("--gres=gpu:a100:2",), ""))
        full = "MAXGRES[gpu] limit of 5 for user daemon (2 in use, {} asked for)"
        self.expect(
            (("--gres=gpu:4",), full.format(4)),
            (("--gres=gpu:h100:4",), full.format(4)),
            (("-N2", "-n2", "--gres=gpu:2"), full.format(4)),
            (("--gpus=4",), full.format(4)),
            (("--gpus=h100:4",), full.format(4)),
            (("-N2", "-n2", "--gpus-per-node=2"), full.format(4)),
            (("-n4", "--gpus-per-task=1"), full.format(4)),
            (("-N1", "--sockets-per-node=1", "--gpus-per-socket=4"), full.format(4)),
            (("--gres=tape:2",), ""),
            (("--gpus=h100:3",), ""),
            (("--gpus=1",), "MAXGRES[gpu] limit of 5 for user daemon (5 in use, 1 asked for)"),
            ((), ""),
        )
        self.expect((("--gpus=5", "-N2", "-n2"), ""), user="bin")

    def in_use(self) -> tuple[int, int]:
        """By daemon: of gpu, and of gpu:a100 among them."""
        data = self.cluster.maui("diagnose", "-u", "daemon", "--json")
        usage = {limit["name"]: limit["usage"] for limit in data["credentials"][0]["limits"]}
        return usage["MAXGRES[gpu]"], usage["MAXGRES[gpu:a100]"]

    def given(self, job: int) -> tuple[int, int]:
        """The same, by Slurm's record of the job."""
        text = self.cluster.run(["scontrol", "-d", "show", "job", str(job)]).stdout
        has = re.search(r"JOB_GRES=(\S*)", text)
        gpus = re.findall(r"gpu:(\w+):(\d+)", has[1] if has else "")
        return sum(int(count) for _, count in gpus), sum(int(count) for kind, count in gpus if kind == "a100")

    def test_what_counts_before_and_after_the_start(self) -> None:
        """However it is asked for: what a waiting job asks for, and what a running one was given. These
        differ where Slurm gives more nodes than were asked for, whole nodes, or a type that was not."""
        self.configure(
            "QUEUETIMEWEIGHT 0\nRESWEIGHT 1\nGRESWEIGHT[gpu] 1\nGRESWEIGHT[gpu:a100] 1000\n"
            "USERCFG[daemon] MAXGRES[gpu]=1000 MAXGRES[gpu:a100]=1000\n"
        )
        two = ("-N2", "-n4")
        for options, asked, given in (
            (("--gres=gpu:2",), (2, 0), 2),
            (("--gres=gpu:a100:2",), (2, 2), 2),
            (("--gres=gpu:a100:1,tape:1",), (1, 1), 1),
            (("--gres=gpu:1", *two), (2, 0), 2),
            (("--gpus=3",), (3, 0), 3),
            (("--gpus=a100:3",), (3, 3), 3),
            (("--gpus=5", *two), (5, 0), 5),
            (("--gpus-per-node=2", *two), (4, 0), 4),
            (("--gpus-per-node=a100:2", *two), (4, 4), 4),
            (("--gpus-per-task=1", "-n3"), (3, 0), 3),
            (("--gpus-per-task=a100:1", "-n3"), (3, 3), 3),
            (("--gpus-per-task=2", *two), (8, 0), 8),
            (("--sockets-per-node=1", "--gpus-per-socket=2", "-N1"), (2, 0), 2),
            (("--gres=gpu:1", "-n32"), (1, 0), 2),
            (("--exclusive", "-N1", "--nodelist=n1"), (0, 0), 4),
            (("--exclusive", "-N1", "--gres=gpu:1", "--nodelist=n3"), (1, 0), 4),
            (("--gres=tape:1",), (0, 0), 0),
        ):  # fmt: skip
            self.cluster.cancel_all()
            job = self.submit("--begin=now+1hour", *options)
            points = asked[0] + 1000 * asked[1]
            self.assertEqual(int(self.cluster.job(job)["Priority"]), max(points, 1), options)
            self.cluster.run(["scontrol", "update", f"job={job}", "starttime=now"])
            self.cluster.wait_for_state(job, "RUNNING")
            self.assertEqual(self.given(job)[0], given, options)
            self.assertEqual(self.in_use(), self.given(job), options)

    def test_what_will_be_given_counts_at_the_start(self) -> None:
        """More nodes than were asked for, whole nodes, a type that was not: no instant is over a limit."""
        self.configure("USERCFG[daemon] MAXGRES[gpu]=3 MAXGRES[gpu:a100]=1\n")
        over = "MAXGRES[gpu] limit of 3 for user daemon (0 in use, 4 asked for)"
        self.expect(
            (("--exclusive", "-N1", "--nodelist=n3"), over),
            (("--exclusive", "-N1", "--gres=gpu:1", "--nodelist=n4"), over),
            (("-n64", "--gres=gpu:1"), over),
            (
                ("--gpus=2", "--nodelist=n1"),
                "MAXGRES[gpu:a100] limit of 1 for user daemon (0 in use, 2 asked for)",
            ),
            (("--gpus=2", "--nodelist=n3"), ""),
        )
        self.expect((("--exclusive", "-N1", "--nodelist=n1"), ""), user="bin")

    def test_a_type(self) -> None:
        self.configure("USERCFG[daemon] MAXGRES[gpu:a100]=3\n")
        self.expect(
            (("--gres=gpu:h100:4",), ""),
            (("--gres=gpu:a100:2",), ""),
            (("--gres=gpu:a100:2",), "MAXGRES[gpu:a100] limit of 3 for user daemon (2 in use, 2 asked for)"),
            (("--gres=gpu:a100:1",), ""),
        )

    def test_what_was_given_counts_once_it_runs(self) -> None:
        """A job that names no type is given one."""
        self.configure("USERCFG[daemon] MAXGRES[gpu:a100]=3\n")
        self.expect((("--gres=gpu:2", "--nodelist=n1"), ""))
        self.cluster.install()  # which counts active jobs again
        self.expect(
            (("--gres=gpu:a100:2",), "MAXGRES[gpu:a100] limit of 3 for user daemon (2 in use, 2 asked for)")
        )

    def test_licenses_and_others(self) -> None:
        self.configure("USERCFG[daemon] MAXGRES[license:matlab]=3 MAXGRES[tape]=1\n")
        self.expect(
            (("-Lmatlab:2",), ""),
            (
                ("-Lmatlab:2",),
                "MAXGRES[license:matlab] limit of 3 for user daemon (2 in use, 2 asked for)",
            ),
            (("-Lmatlab",), ""),
            (("--gres=tape:1",), ""),
            (("--gres=tape:1",), "MAXGRES[tape] limit of 1 for user daemon (1 in use, 1 asked for)"),
        )

    def asked(self, job: int) -> tuple[str, str]:
        record = self.cluster.job(job)
        return record.get("TresPerNode", "").replace("gres/", "gres:"), record.get("Licenses", "")

    def test_the_comment_asks(self) -> None:
        self.configure("USERCFG[daemon] MAXGRES[gpu]=3\n")
        for options, nodes, licenses in (
            (("--comment=x=GRES:gpu:a100:2",), "gres:gpu:a100:2", "(null)"),
            (("--comment=mine x=GRES:gpu,tape:2;PREF:fast", "-c2"), "gres:gpu,gres:tape:2", "(null)"),
            (("--comment=x=GRES:license:matlab:2",), "", "matlab:2"),
            (("--comment=x=gres(tape)", "-Lmatlab"), "gres:tape", "matlab"),
        ):
            job = self.submit(*options)
            self.cluster.wait_for_state(job, "RUNNING")
            self.assertEqual(self.asked(job), (nodes, licenses), options)
        self.expect(
            (("--comment=x=GRES:gpu:2",), "MAXGRES[gpu] limit of 3 for user daemon (3 in use, 2 asked for)"),
        )  # fmt: skip
        for options, why in (
            (("--comment=x=GRES:",), "a name is missing"),
            (("--comment=x=GRES:gpu,",), "a name is missing"),
            (("--comment=x=GRES:license:",), "a name is missing"),
            (("--comment=x=GRES:gpu", "--gpus=1"), "options ask for GRES, too"),
            (("--comment=x=GRES:tape", "--gres=gpu:1"), "options ask for GRES, too"),
            (("--comment=x=GRES:fpga",), "Invalid generic resource"),
            (("--comment=x=GRES:license:fpga",), "Invalid license"),
        ):
            done = self.cluster.run(["sbatch", "-n1", *options, "--wrap", "true"], check=False)
            self.assertIn(why, done.stderr, options)
            self.assertNotEqual(done.returncode, 0, options)

    def test_a_changed_comment_asks_for_something_else(self) -> None:
        self.configure("")
        job = self.submit("--hold", "--comment=x=GRES:gpu:1")

        def changed(text: str, *more: str) -> str:
            return self.cluster.run(["scontrol", "update", f"JobId={job}", f"Comment={text}", *more], check=False).stderr

        changed("x=GRES:tape:2")
        self.assertEqual(self.asked(job)[0], "gres:tape:2")
        changed("x=GRES:tape:2 as before", "Gres=gpu:3")
        self.assertEqual(self.asked(job)[0], "gres:gpu:3")
        changed("none")
        self.assertEqual(self.asked(job)[0], "gres:gpu:3")
        self.cluster.run(["scontrol", "release", str(job)])
        self.cluster.wait_for_state(job, "RUNNING")
        self.assertIn("Job is no longer pending execution", changed("x=GRES:gpu:1"))
        self.assertEqual(self.asked(job)[0], "gres:gpu:3")

    def test_pairs_the_system_and_one_job(self) -> None:
        self.configure(
            "CLASSCFG[batch] MAXGRES[gpu,USER]=3 MAXGRES[gpu,USER:bin]=1\nSYSCFG MAXGRES[gpu]=5\n"
            "USERCFG[sys] MAXGRESPERJOB[gpu]=1\n"
        )
        self.expect(
            (("--gpus=2",), ""),
            (
                ("--gpus=2",),
                "MAXGRES[gpu,USER] limit of 3 for user daemon in class batch (2 in use, 2 asked for)",
            ),
        )
        self.expect(
            (
                ("--gpus=2",),
                "MAXGRES[gpu,USER] limit of 1 for user bin in class batch (0 in use, 2 asked for)",
            ),
            user="bin",
        )
        self.expect(
            (("--gpus=2",), "MAXGRESPERJOB[gpu] limit of 1 for user sys (2 asked for)"),
            (("--gpus=1",), ""),
            (("--gpus=1",), ""),
            (("--gpus=1",), ""),
            (("--gpus=1",), "MAXGRES[gpu] limit of 5 for the system (5 in use, 1 asked for)"),
            user="sys",
        )

    def wait_behind(self, maui_cfg: str) -> None:
        """Nobody's job of a whole node starts."""
        self.cluster.cancel_all()
        self.cluster.install("RMPOLLINTERVAL 1\nQUEUETIMEWEIGHT 0\n" + maui_cfg)
        blocker = self.cluster.sbatch("-N4", "--ntasks-per-node=8", "-t60", "--mem=10")
        self.cluster.wait_for_state(blocker, "RUNNING")

    def blocked(self, job: int) -> str:
        for row in self.cluster.maui("diagnose", "-q", "--json")["jobs"]:
            if row["job"] == job:
                return str(row["text"])
        return ""

    def test_who_is_over_a_soft_limit_goes_behind(self) -> None:
        self.wait_behind("CREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[DEFAULT] PRIORITY=100 MAXGRES[gpu]=2,8\n")
        whole = ("-n16", "-N1")
        self.cluster.wait_for_state(self.submit("--gpus=2"), "RUNNING")
        over = self.submit("--gpus=2", *whole)
        within = self.submit("--gpus=2", *whole, user="bin")
        text = "soft MAXGRES[gpu] limit of 2 for user daemon (2 in use, 2 asked for)"
        self.cluster.wait_for(lambda: self.blocked(over) == text, "the limit to be told")
        self.assertEqual(self.blocked(within), "")
        first, second = (int(self.cluster.job(job)["Priority"]) for job in (within, over))
        self.assertLess(second, first, "the one over it is older")
        self.cluster.scancel(next(int(row["id"]) for row in self.cluster.squeue() if row["user"] == "root"))
        for job in (within, over):
            self.cluster.wait_for_state(job, "RUNNING")

    def test_only_so_many_are_waited_for(self) -> None:
        self.wait_behind("USERCFG[DEFAULT] MAXIGRES[gpu]=3\n")
        whole = ("-n16", "-N1")
        jobs = [self.submit(*options, *whole) for options in (("--gpus=2",), ("--gpus=2",), ("--gpus=1",), ())]
        self.cluster.wait_for(lambda: self.blocked(jobs[1]), "the limit to be told")
        self.assertEqual(
            [self.blocked(job) for job in jobs],
            ["", "MAXIGRES[gpu] limit of 3 for user daemon (2 eligible, 2 asked for)", "", ""],
        )

    def test_outstanding_seconds(self) -> None:
        self.configure("USERCFG[daemon] MAXGS[gpu]=2000\n")
        self.expect((("--gpus=2",), ""))
        job = self.submit("--gpus=2")
        self.assertRegex(
            settle(self.cluster, [job])[job],
            r"^MAXGS\[gpu\] limit of 2000 for user daemon \(1[12]\d\d in use, 1200 asked for\)$",
        )
        self.expect((("--gpus=2", "-t5"), ""))

    def test_arrays_and_heterogeneous_jobs(self) -> None:
        self.configure("USERCFG[daemon] MAXGRES[gpu]=3\n")
        array = self.submit("--array=0-3", "--gpus=1")
        self.cluster.wait_for(
            lambda: sum(row["state"] == "RUNNING" for row in self.cluster.squeue()) == 3, "three tasks to run"
        )
        self.cluster.scancel(array)
        self.cluster.cancel_all()
        text = "MAXGRES[gpu] limit of 3 for user daemon (0 in use, 4 asked for)"
        self.cluster.run("sbatch -n1 --gpus=2 : -n1 --gpus=2 --wrap='sleep 1000'", user="daemon")
        self.cluster.wait_for(
            lambda: [row["reason"] for row in self.cluster.squeue("-tPD")] == [text] * 2,
            "both parts to say why they wait",
        )
        self.cluster.cancel_all()
        self.cluster.run("sbatch -n1 --gpus=1 : -n1 --gres=gpu:a100:2 --wrap='sleep 1000'", user="daemon")
        self.cluster.wait_for(
            lambda: [row["state"] for row in self.cluster.squeue()] == ["RUNNING"] * 2, "both parts to run"
        )
        self.expect((("--gpus=1",), "MAXGRES[gpu] limit of 3 for user daemon (3 in use, 1 asked for)"))

    def test_another_maui_cfg_and_a_restart(self) -> None:
        """Numbers of names change with the file, what is in use does not."""
        self.configure("USERCFG[daemon] MAXGRES[gpu]=3\n")
        self.expect((("--gres=gpu:a100:2,tape:1",), ""))
        self.cluster.install(SLOW + "USERCFG[daemon] MAXGRES[tape]=1 MAXGRES[gpu:a100]=2 MAXGRES[gpu]=9\n")
        self.expect(
            (("--gres=tape:1",), "MAXGRES[tape] limit of 1 for user daemon (1 in use, 1 asked for)"),
            (
                ("--gres=gpu:a100:1",),
                "MAXGRES[gpu:a100] limit of 2 for user daemon (2 in use, 1 asked for)",
            ),
        )
        self.cluster.restart()
        self.expect((("--gpus=8", "-N2", "-n2"), "MAXGRES[gpu] limit of 9 for user daemon (2 in use, 8 asked for)"))

    def test_who_has_them(self) -> None:
        self.configure("USERCFG[daemon] MAXGRES[gpu]=3\n")
        first = self.submit("--gpus=2")
        self.submit()
        settle(self.cluster, [first])
        job = self.submit("--gpus=2")
        settle(self.cluster, [job])
        told = self.cluster.run(["maui", "why", str(job)]).stdout
        self.assertIn("MAXGRES[gpu] limit of 3 for user daemon (2 in use, 2 asked for)", told)
        self.assertIn(f"in use by job {first} of daemon (2)", told)
        self.assertRegex(self.cluster.run(["maui", "diagnose", "-u", "daemon"]).stdout, r"MAXGRES\[gpu\]")
        self.assertRegex(
            self.cluster.run(["maui", "checkjob", str(first)]).stdout, r"\nAllocated GRES:  gpu\S*:2\n"
        )

    def test_whatif_and_metrics_count_them(self) -> None:
        self.configure("USERCFG[daemon] MAXGRES[gpu]=3 MAXGRES[gpu:a100]=3\n")
        self.expect(
            (("--gpus=a100:2",), ""),
            (("--gpus=2",), "MAXGRES[gpu] limit of 3 for user daemon (2 in use, 2 asked for)"),
        )
        waiting = self.cluster.squeue("-tPD")[0]["id"]
        other = self.cluster.maui_cfg.with_name("other.cfg")
        for maui_cfg, freed, blocked in (
            ("USERCFG[daemon] MAXGRES[gpu:a100]=3 MAXGRES[gpu]=4\n", [waiting], []),
            ("USERCFG[daemon] MAXGRES[gpu]=2\n", [], []),
            ("SYSCFG MAXGRES[gpu:a100]=1\n", [waiting], []),
        ):
            other.write_text(SLOW + maui_cfg, encoding="utf-8")
            data = self.cluster.maui("whatif", "--json", str(other))
            for name, jobs in (("freed_jobs", freed), ("newly_blocked_jobs", blocked)):
                self.assertEqual([str(job["job"]) for job in data[name]], jobs, (maui_cfg, data))
        told = self.cluster.run(["maui", "metrics"]).stdout
        for name, metric, limit, used in (("gpu", "gres", 3, 2), ("gpu:a100", "gres", 3, 2)):
            labels = rf'\{{(?=[^}}]*name="daemon")(?=[^}}]*limit="MAXGRES\[{name}\]")[^}}]*\}}'
            self.assertRegex(told, rf"(?m)^maui_limit_usage{labels} {used}$")
            self.assertRegex(told, rf'(?m)^maui_limit{labels} {limit}$')

    def test_showq_showbf_and_checkjob_show_them(self) -> None:
        self.configure("")
        asks = ("--gpus-per-node=a100:2", "-N1")
        job = self.submit(*asks, "--gres=tape:1")
        self.cluster.wait_for_state(job, "RUNNING")
        told = self.cluster.run(["maui", "showq"]).stdout
        self.assertRegex(told, r"\n +2 of +16 gpu +Active \(12\.50%\)\n +1 of +8 tape +Active \(12\.50%\)\n")
        told = self.cluster.run(["maui", "showbf", "-A"]).stdout
        self.assertRegex(told, r"63 procs available .*  \(gpu: 14, tape: 7\)\n")
        for asked, nodes in (("gpu:3", 3), ("gpu:a100:4", 1), ("gpu:h100:4", 2), ("tape:2", 3), ("gpu:5", 0)):
            windows = self.cluster.maui("showbf", "-A", "--json", f"--gres={asked}")["windows"]
            self.assertEqual([window["nodes"] for window in windows], [nodes] if nodes else [], asked)
        told = self.cluster.run(["maui", "checkjob", str(job)]).stdout
        self.assertRegex(told, r"PerNode: \S*gpu:a100:2")

    def test_at_every_moment(self) -> None:
        """However many jobs start in one pass, and end."""
        self.configure("SYSCFG MAXGRES[gpu]=5\nUSERCFG[DEFAULT] MAXGRES[gpu]=3\n")
        jobs = {}
        for i in range(12):
            user = ("daemon", "bin", "sys")[i % 3]
            jobs[self.submit(f"--gpus={1 + i % 2}", user=user)] = (user, 1 + i % 2)
        verdicts: dict[int, str] = {}

        def some_run() -> bool:
            """A job may still say what held it back before the last one that ran has gone."""
            verdicts.update(settle(self.cluster, list(jobs)))
            return any(not verdicts[job] for job in jobs)

        while jobs:
            self.cluster.wait_for(some_run, "a job to run")
            running = [job for job in jobs if not verdicts[job]]
            self.assertLessEqual(sum(jobs[job][1] for job in running), 5)
            for user in ("daemon", "bin", "sys"):
                self.assertLessEqual(sum(jobs[job][1] for job in running if jobs[job][0] == user), 3)
            self.cluster.scancel(running[0])
            del jobs[running[0]]

    def nodes_of(self, count: int, *options: str, user: str = "daemon") -> set[str]:
        """Where jobs run that come one after the other."""
        nodes = set()
        for _ in range(count):
            job = self.submit(*options, user=user)
            settle(self.cluster, [job])
            nodes.add(self.cluster.job(job)["NodeList"])
        return nodes

    def test_jobs_without_gpus_stay_off_nodes_that_have_them(self) -> None:
        """Two nodes have a100: they come last, until the others are full."""
        self.configure(
            "NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF='-100*CGRES[gpu:a100] - JOBCOUNT'\n"
        )
        self.assertEqual(self.nodes_of(2, "-n8"), {"n3", "n4"})
        self.assertEqual(self.nodes_of(2, "-n8", user="bin"), {"n3", "n4"})
        self.assertEqual(self.nodes_of(2, "-n8", "--gres=gpu:1"), {"n1", "n2"})
        told = self.cluster.run(["maui", "checknode", "n1"]).stdout
        self.assertIn("CGRES[gpu:a100]", told)
        self.assertRegex(told, "Configured Resources: .* gpu: 4  gpu:a100: 4  tape: 2\n")
        self.assertRegex(told, "Dedicated  Resources: .* gpu: 1  gpu:a100: 1  tape: 0\n")
        self.assertIn("[gpu 4:4][gpu:h100 4:4]", self.cluster.run(["maui", "diagnose", "-n"]).stdout)

    def test_what_is_left_of_gpus_decides(self) -> None:
        """The fullest node first."""
        self.configure(
            "NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF='-AGRES[gpu] + AGRES[gpu:h100]'\n"
        )
        first = self.nodes_of(1, "--gres=gpu:a100:2")
        self.assertLess(first, {"n1", "n2"})
        self.assertEqual(self.nodes_of(1, "--gres=gpu:a100:1", user="bin"), first)
        node = next(iter(first))
        terms = {
            term["component"]: term["factor"]
            for term in json.loads(self.cluster.run(["maui", "checknode", node, "--json"]).stdout)["terms"]
        }
        self.assertEqual(terms, {"AGRES[gpu]": 1, "AGRES[gpu:h100]": 0})

    def reserved(self, name: str, nodes: set[str]) -> dict[str, str]:
        """A reservation of one of these sets of nodes, as Slurm has it."""
        found = {}

        def look() -> bool:
            for line in self.cluster.run("scontrol --oneliner show reservations").stdout.splitlines():
                words = dict(word.split("=", 1) for word in line.split() if "=" in word)
                found[words.get("ReservationName", "")] = words
            return found.get(name, {}).get("Nodes") in nodes

        self.cluster.wait_for(look, f"{name} on one of {nodes}")
        return found[name]

    def test_reservations_of_tasks_with_gpus_are_whole_nodes(self) -> None:
        self.configure(
            "SRCFG[one] PERIOD=INFINITY USERLIST=daemon TASKCOUNT=2 RESOURCES=PROCS:1;GRES=gpu:h100:2\n"
            "SRCFG[all] PERIOD=INFINITY USERLIST=daemon TASKCOUNT=3 RESOURCES=PROCS:1;GRES=gpu:a100:2\n"
        )
        one = self.reserved("one.inf", {"n3", "n4"})["Nodes"]
        self.reserved("all.inf", {"n[1-2]"})
        other = "n3" if one == "n4" else "n4"
        self.assertEqual(self.nodes_of(2, "--gres=gpu:h100:2", user="bin"), {other})
        job = self.submit("--gres=gpu:h100:2", user="bin")
        self.cluster.wait_for(
            lambda: self.cluster.job(job)["Reason"] != "None", "Slurm to have looked at the job"
        )
        self.assertEqual(self.cluster.job(job)["JobState"], "PENDING")
        told = self.cluster.run(["maui", "diagnose", "-r"]).stdout
        self.assertIn("Task Resources: PROCS: 1  GRES: gpu:h100:2", told)
        done = self.cluster.run(["maui", "check", str(self.cluster.maui_cfg)], check=False)
        self.assertIn("GRES choose the nodes, which are reserved whole", done.stdout + done.stderr)

    def test_weights_in_the_priority(self) -> None:
        """What is asked for counts, of each GRES by its own weight."""
        weights = "RMPOLLINTERVAL 1\nQUEUETIMEWEIGHT 0\nRESWEIGHT 2\nPROCWEIGHT 10\nGRESWEIGHT[gpu] 100\nGRESWEIGHT[gpu:h100] 50\n"
        self.cluster.cancel_all()
        self.cluster.install(weights + "GRESWEIGHT[license:matlab] 7\nGRESCAP 500\n")
        jobs = {}
        for options, points in (
            ((), 0), (("--gpus=2",), 200), (("--gres=gpu:a100:2",), 200), (("--gpus=h100:2",), 300),
            (("--gres=tape:1",), 0), (("-Lmatlab:2", "--gpus=1"), 114), (("--gpus=8", "-N2", "-n2"), 500),
        ):
            for user in ("daemon", "bin"):
                jobs[self.submit("--begin=now+1hour", *options, user=user)] = (2 if "-N2" in options else 1, points)
        for _ in range(2):
            for job, (procs, points) in jobs.items():
                self.assertEqual(int(self.cluster.job(job)["Priority"]), 2 * (10 * procs + points), job)
            self.cluster.wait_for_iterations(2)
        rows = {int(row["id"]): row for row in self.cluster.sprio()}
        for job, (procs, points) in jobs.items():
            self.assertEqual(rows[job]["jobsize"], 2 * (10 * procs + points), job)
        told = self.cluster.run(["maui", "priority", str(max(jobs))]).stdout
        self.assertRegex(told, r"(?i)gres.*500")
        self.cluster.install(weights.replace("gpu] 100", "gpu] 1000"))
        heavier = [job for job, (_, points) in jobs.items() if points == 200]
        self.cluster.wait_for(
            lambda: {int(self.cluster.job(job)["Priority"]) for job in heavier} == {2 * (10 + 2000)},
            "the new weight to count",
        )

    def test_a_heavier_job_starts_first(self) -> None:
        self.configure("QUEUETIMEWEIGHT 0\nRESWEIGHT 1\nGRESWEIGHT[gpu] 100\n")
        whole = ("-N4", "-n64")
        blocker = self.cluster.sbatch(*whole, "-t60")
        self.cluster.wait_for_state(blocker, "RUNNING")
        light = self.cluster.sbatch(*whole, "-t1", wrap="true", user="bin")
        heavy = self.cluster.sbatch(*whole, "-t1", "--gpus-per-node=1", wrap="true", user="daemon")
        self.cluster.scancel(blocker)
        for job in (light, heavy):
            self.cluster.wait_for_state(job, "COMPLETED")
        self.assertLessEqual(self.cluster.job(heavy)["EndTime"], self.cluster.job(light)["StartTime"])

    def test_unknown_names_are_errors_of_check(self) -> None:
        """Wherever they stand."""
        self.configure("")
        of_nodes = (
            "PEGRES[{}] TRUE\n",
            "NODECFG[DEFAULT] PRIORITYF='PREF - 3*CGRES[{}]'\n",
            "NODECFG[n1] PRIORITYF='AGRES[{}]'\n",
            "NODECFG[n1] MAXGRES[{}]=1\n",
            "SRCFG[x] TASKCOUNT=1 USERLIST=bin RESOURCES=PROCS:1;GRES={}:1\n",
        )
        of_all = (
            "USERCFG[daemon] MAXGRES[{}]=3\n",
            "CLASSCFG[batch] MAXGS[{},USER:bin]=3\n",
            "SYSCFG MAXIGRES[{}]=3\n",
            "RESWEIGHT 1\nGRESWEIGHT[{}] 3\n",
            "FSPOLICY DEDICATEDGRES[{}]\n",
        )
        names = {"gpu": True, "gpu:a100": True, "tape": True, "license:matlab": True, "gpus": False,
                 "gpu:v100": False, "license:ansys": False, "GPU": False}  # fmt: skip
        for line in of_all + of_nodes:
            self.cluster.write_maui_cfg(line.format("gpu"))
            done = self.cluster.run(["maui", "check", "--offline", str(self.cluster.maui_cfg)], check=False)
            self.assertRegex(done.stdout, r"warning: .*not checked: whether Slurm has a GRES gpu \(--offline\)", line)
            self.assertEqual(done.returncode, 1, done)
        for name, known in names.items():
            for line in of_all + (() if name.startswith("license:") else of_nodes):
                self.cluster.write_maui_cfg(line.format(name))
                done = self.cluster.run(["maui", "check", str(self.cluster.maui_cfg)], check=False)
                told = done.stdout + done.stderr
                self.assertEqual(f"Slurm has no GRES {name}:" in told, not known, (line, told))
                self.assertNotIn("whether Slurm has a GRES", told, line)



class SeldomTried(GresCase):
    slurm_conf = SLURM_CONF.replace("bf_interval=3", "bf_interval=8")

    def test_a_type_that_was_not_asked_for_holds_no_job_for_ever(self) -> None:
        """Over a soft limit only by the GPUs that it would get, and tried by backfill alone."""
        self.configure("USERCFG[daemon] MAXGRES[gpu:h100]=1,4\n")
        self.cluster.run("sbatch -n1 --gpus=2 : -n1 --gpus=h100:1 --wrap='sleep 1000'", user="daemon")
        self.cluster.wait_for(
            lambda: [row["state"] for row in self.cluster.squeue()] == ["RUNNING"] * 2, "both parts to run", timeout=90
        )
