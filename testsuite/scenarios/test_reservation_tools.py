# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui showres`, `maui diagnose -r`, `maui res explain`: reservations as Slurm and maui.cfg have
them, and who gets in."""

from __future__ import annotations

import unittest
from typing import Any

from harness import USERS, Cluster, replace_file

FIRST, SECOND = USERS

# Of four nodes: n1 and n2 for two users, n3 for short jobs; n4 is to be asked for by name.
POLICY = f"""\
RMPOLLINTERVAL 1
SRCFG[pair]  HOSTLIST=n[1-2] PERIOD=INFINITY USERLIST={FIRST},{SECOND}-
SRCFG[short] HOSTLIST=n3 DEPTH=2 CLASSLIST=batch TIMELIMIT=1:00:00*
SRCFG[named] HOSTLIST=n4 PERIOD=INFINITY USERLIST={FIRST} FLAGS=BYNAME CHARGEACCOUNT=physics
SRCFG[large] TASKCOUNT=9 PERIOD=INFINITY USERLIST=root PRIORITY=7 OWNER=USER:root
SRCFG[never] HOSTLIST=n4 USERLIST=root STARTTIME=20:00:00 ENDTIME=06:00:00
"""
PRIVATE = "PrivateData=jobs\n"

Row = dict[str, Any]


class ReservationToolsTest(unittest.TestCase):
    cluster: Cluster
    jobs: dict[str, int]

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=4, cpus=2, maui_cfg=POLICY, slurm_conf=PRIVATE)
        )
        cls.cluster.wait_for(lambda: "pair.inf" in cls.reservations(), "reservations to be made")
        cls.cluster.run(
            "scontrol create reservation ReservationName=maint StartTime=now+5hours Duration=60"
            " Users=root Nodes=n4 Flags=MAINT"
        )
        cls.jobs = {
            user: cls.cluster.sbatch("-N4", "-t90", user=user) for user in (FIRST, SECOND, "root")
        }

    @classmethod
    def reservations(cls, *words: str) -> dict[str, Row]:
        data = cls.cluster.maui("showres", "--json", *words)
        return {row["name"]: row for row in data["reservations"]}

    def text(self, *words: str, user: str | None = None) -> str:
        return self.cluster.run(["maui", *words], user=user).stdout

    def explain(self, whose: str, asking: str | None = None) -> Row:
        job = str(self.jobs[whose])
        return self.cluster.maui("res", "explain", "--json", job, user=asking)

    def slurms(self) -> dict[str, dict[str, str]]:
        """What scontrol says of reservations."""
        lines = self.cluster.run("scontrol --oneliner show reservations").stdout.splitlines()
        rows = [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]
        return {row["ReservationName"]: row for row in rows}

    # --- showres

    def test_reservations_are_those_of_slurm(self) -> None:
        rows, slurms = self.reservations(), self.slurms()
        there = {name: row for name, row in rows.items() if row["there"]}
        self.assertEqual(set(there), set(slurms))
        for name, row in there.items():
            self.assertEqual(row["nodes"], slurms[name]["Nodes"])
            self.assertEqual(row["node_count"], int(slurms[name]["NodeCnt"]))
            self.assertEqual(row["procs"], int(slurms[name]["CoreCnt"]))
            self.assertEqual(row["users"], slurms[name]["Users"])
        ours = {name: row["standing"] for name, row in rows.items() if row["ours"]}
        short = sorted(name for name, standing in ours.items() if standing == "short")
        self.assertEqual(len(short), 2)  # today's and tomorrow's
        self.assertEqual(
            {name: standing for name, standing in ours.items() if standing != "short"},
            {"pair.inf": "pair", "named.inf": "named", "large.inf": "large"},
        )
        self.assertEqual(list(rows)[-1], "maint")
        maint = rows["maint"]
        self.assertEqual((maint["ours"], maint["slurm_flags"]), (False, "MAINT,SPEC_NODES"))
        self.assertEqual((rows["pair.inf"]["end"], rows["pair.inf"]["open"]), (None, True))

    def test_what_is_missing_is_told_with_its_reason(self) -> None:
        large = self.reservations("large")["large.inf"]
        self.assertEqual((large["there"], large["tasks"], large["missing"]), (False, 0, 9))
        self.assertIn("held by other reservations", large["text"])
        done = self.cluster.run(["maui", "showres"])
        self.assertIn("NOTE:     reservation large.inf is not there: 0 of 9 tasks; ", done.stderr)
        self.assertNotIn("large", done.stdout)

    def test_names_are_those_of_instances_and_of_standing_reservations(self) -> None:
        self.assertEqual(len(self.reservations("short")), 2)
        self.assertEqual(set(self.reservations("pair.inf")), {"pair.inf"})
        self.assertEqual(self.reservations("pair.20200101"), {})
        self.assertIn("\n\n0 reservations located\n", self.text("showres", "nobody"))

    def test_nodes_have_a_line_for_each_reservation(self) -> None:
        data = self.cluster.maui("showres", "-n", "--json")
        names = [row["name"] for row in data["reservations"]]
        found = [(node["node"], names[node["reservation"]].split(".")[0]) for node in data["nodes"]]
        self.assertEqual(
            found,
            [
                ("n1", "pair"),
                ("n2", "pair"),
                ("n3", "short"),
                ("n3", "short"),
                ("n4", "named"),
                ("n4", "maint"),
            ],
        )
        self.assertTrue(self.text("showres", "-n", "pair").endswith("\n2 nodes reserved\n"))

    # --- checknode, why, queue

    def test_a_node_tells_who_gets_into_ours_and_not_slurms_user(self) -> None:
        rows = {
            row["name"]: row
            for row in self.cluster.maui("checknode", "--json", "n4")["reservation_list"]
        }
        named, maint = rows["named.inf"], rows["maint"]
        self.assertEqual((named["ours"], named["standing"], named["open"]), (True, "named", True))
        self.assertEqual((named["acl"], named["acl_omitted"]), ([f"USER=={FIRST}+"], 0))
        self.assertEqual((maint["ours"], "acl" in maint), (False, False))
        text = self.text("checknode", "n4")
        self.assertRegex(text, rf"(?m)^  User 'named.inf'.*-> +INFINITY .*\n    ACL: USER=={FIRST}\+ $")
        self.assertRegex(text, r"(?m)^  User 'maint'.*\n    Users: root$")

    def test_what_never_ends_has_no_end_anywhere(self) -> None:
        queue = {row["name"]: row for row in self.cluster.maui("queue")["reservations"]}
        self.assertNotIn("end", queue["pair.inf"])
        self.assertIn("end", queue["maint"])
        node = self.cluster.maui("checknode", "--json", "n1")
        self.assertEqual([row["end"] for row in node["reservation_list"]], [None])
        job = str(self.jobs["root"])
        told = [self.text(*words) for words in (["why", job], ["checknode", "n1"], ["showres"],
                                                ["diagnose", "-r"], ["checkjob", "-v", job], ["showbf", "-v"], ["showq"], ["showq", "-i"])]
        self.assertIn("reservation pair.inf never ends", told[0])
        start = self.cluster.run(["maui", "showstart", job], check=False)
        self.assertEqual(start.returncode, 1, start.stdout)
        self.assertIn("reservations that never end are in its way", start.stdout)
        for text in told:
            self.assertNotRegex(text, r"2037|Oct 24")

    # --- diagnose -r

    def test_diagnosis_has_the_lines_of_the_original(self) -> None:
        text = self.text("diagnose", "-r")
        self.assertTrue(text.startswith("Diagnosing Reservations\nResID "))
        for line in (
            f"    ACL: USER=={FIRST}+:=={SECOND}- ",
            "    ACL: CLASS==batch+ DURATION<=1:00:00+* ",
            "    CL:  RES==pair.inf ",
            "    Attributes (HostList='n[1-2]')",
            "    Flags: STANDINGRES BYNAME",
            "    Period: INFINITY  Depth: 1  Access: DEDICATED  Owner: USER==root",
            "    Period: INFINITY  Depth: 1  Access: DEDICATED  ChargeAccount: physics",
            "WARNING:  standing reservation 'never': it is never made: maui check says why",
            "    Flags: MAINT,SPEC_NODES",
        ):
            self.assertIn(line, text.splitlines())
        # n1 to n4: what is in force now
        self.assertTrue(text.endswith("\nActive Reserved Processors: 8\n"))

    # --- res explain

    def test_a_job_is_told_by_which_entry_it_gets_in(self) -> None:
        data = self.explain(FIRST)
        rows = {row["name"].split(".")[0]: row for row in data["reservations"]}
        self.assertEqual((data["pass"], data["walltime"]), ("engine", 5400))
        self.assertEqual(set(rows), {"pair", "short", "named"})
        pair = rows["pair"]
        self.assertEqual((pair["admitted"], pair["meets"]), (True, True))
        self.assertEqual(pair["affinity"], "positive")
        self.assertEqual(pair["text"], f"USER=={FIRST}+ gives access")
        self.assertEqual((rows["short"]["admitted"], rows["short"]["affinity"]), (False, None))
        self.assertIn("DURATION<=1:00:00+* is required", rows["short"]["text"])
        self.assertEqual(rows["named"]["text"], "it must be asked for by name")
        self.assertFalse(rows["named"]["admitted"])
        self.assertEqual(self.explain(SECOND)["reservations"][0]["affinity"], "negative")
        self.assertFalse(self.explain("root")["reservations"][0]["admitted"])
        text = self.text("res", "explain", str(self.jobs["root"]))
        self.assertIn(" no list names the job\n", text)

    def test_jobs_of_others_are_not_told_of(self) -> None:
        self.assertEqual(self.explain(FIRST, FIRST)["user"], FIRST)
        done = self.cluster.run(
            ["maui", "res", "explain", str(self.jobs[FIRST])], user=SECOND, check=False
        )
        self.assertEqual(done.returncode, 5)
        self.assertIn("no such job, or it is not yours to see", done.stderr)
        self.assertIn("pair.inf", self.text("showres", user=SECOND))

    # --- changes; by their names the last of all tests

    def test_x_what_an_administrator_takes_away_comes_back(self) -> None:
        self.cluster.run("scontrol delete reservation named.inf")
        self.cluster.wait_for(
            lambda: self.reservations()["named.inf"]["there"], "the reservation to be made again"
        )

    def test_y_without_a_line_in_maui_cfg_it_is_gone(self) -> None:
        lines = [line for line in POLICY.splitlines() if "SRCFG[short]" not in line]
        self.cluster.write_maui_cfg("\n".join(lines) + "\n")
        self.cluster.reconfigure()
        self.cluster.wait_for(
            lambda: not self.reservations("short") and "short" not in self.text("diagnose", "-r"),
            "the reservations to be gone",
        )

    def test_yy_one_in_use_that_maui_cfg_has_no_more_goes_with_its_job(self) -> None:
        job = self.cluster.sbatch("-N1", "-wn1", "-t10", user=FIRST)
        self.cluster.wait_for_state(job, "RUNNING")
        lines = [line for line in POLICY.splitlines() if "SRCFG[pair]" not in line]
        self.cluster.write_maui_cfg("\n".join(lines) + "\n")
        self.cluster.reconfigure()
        warning = "WARNING:  reservation 'pair.inf': it is no longer in maui.cfg: "
        self.cluster.wait_for(lambda: warning in self.text("diagnose", "-r"), "the policy")
        data = self.cluster.maui("res", "explain", "--json", str(job))
        pair = next(row for row in data["reservations"] if row["name"] == "pair.inf")
        self.assertEqual((pair["meets"], pair["admitted"]), (True, False))
        self.assertIn("it is no longer in maui.cfg", pair["text"])
        self.cluster.scancel(job)
        self.cluster.wait_for(lambda: not self.reservations("pair.inf"), "it to be gone")
        self.cluster.write_maui_cfg(POLICY)
        self.cluster.reconfigure()
        self.cluster.wait_for(lambda: self.reservations("pair"), "it to be made again")

    def test_z_privatedata_reservations_leaves_them_to_administrators(self) -> None:
        path = self.cluster.dir / "etc" / "slurm.conf"
        text = path.read_text(encoding="utf-8").replace(PRIVATE, "PrivateData=reservations\n")
        replace_file(path, text)
        self.cluster.reconfigure()

        def is_refused(*words: str) -> bool:
            done = self.cluster.run(["maui", *words], user=FIRST, check=False)
            return done.returncode == 5 and "PrivateData leaves the reservations" in done.stderr

        job = str(self.jobs[FIRST])
        for words in (["showres"], ["diagnose", "-r"], ["res", "explain", job]):
            self.cluster.wait_for(lambda: is_refused(*words), f"{words} to be refused")
        self.assertIn("pair.inf", self.text("showres"))
