# SPDX-License-Identifier: GPL-2.0-or-later
"""The five examples of chapter 7.1.5.2 by name, scaled to six nodes, with the credentials they speak of.

The lines are the chapter's, but for names and counts of nodes and tasks. The clock is the cluster's own: so the
windows are the chapter's, too, business hours and weeks.
"""

from __future__ import annotations

from datetime import date, timedelta

from harness import Cluster
from reservation_model import (
    EXAMPLE_5,
    FAST,
    OPEN,
    SLURM_CONF,
    ReservationTest,
    expand,
    install,
    nodes_of,
    show_reservations,
)

CONF = """\
AccountingStorageEnforce=associations,qos
PartitionName=interactive Nodes=ALL
NodeName=n[1-2] Features=largememory,fddi
NodeName=n[3-4] Features=largememory
"""
# daemon: an ordinary user; bin: the helpdesk; sys: one of the operations group, by its group.
ACCOUNTING = """\
sacctmgr -i add qos high,low,special
sacctmgr -i add account public,jupiter,saturn,projectx,projecty
sacctmgr -i add user daemon,bin,sys,games account=public,jupiter,saturn,projectx,projecty \
    qos=normal,high,low,special defaultqos=normal defaultaccount=public
"""
WHOLE = ("-N1", "--exclusive")

BUSINESS_HOURS = """\
SRCFG[interactive] TASKCOUNT=6 RESOURCES=PROCS:1,MEM:512
SRCFG[interactive] PERIOD=DAY DAYS=MON,TUE,WED,THU,FRI
SRCFG[interactive] STARTTIME=9:00:00 ENDTIME=17:00:00
SRCFG[interactive] CLASSLIST=interactive
"""
HOST_CONSTRAINED = """\
SRCFG[interactive] DAYS=MON,TUE,WED,THU,FRI
SRCFG[interactive] PERIOD=DAY
SRCFG[interactive] STARTTIME=10:00:00 ENDTIME=15:00:00
SRCFG[interactive] RESOURCES=PROCS:2,MEM:256
SRCFG[interactive] HOSTLIST=n1,n2,n5,n6
SRCFG[interactive] TASKCOUNT=6
SRCFG[interactive] CLASSLIST=interactive
"""
STACKED = HOST_CONSTRAINED + """\
SRCFG[debug]       HOSTLIST=n1,n2,n3,n4
SRCFG[debug]       USERLIST=bin
SRCFG[debug]       GROUPLIST=sys,adm
SRCFG[debug]       PERIOD=INFINITY
"""
# With the chapter's blanks; its ACCCOUNTLIST is a slip of the pen. Slurm has no capital letters in names of accounts:
# sacctmgr makes projectx of the chapter's projectX: lists mean it all the same.
MULTIPLE_ACLS = """\
SRCFG[special] TASKCOUNT=3
SRCFG[special] PERIOD=WEEK
SRCFG[special] STARTTIME=1:08:00:00
SRCFG[special] ENDTIME=5:17:00:00
SRCFG[special] NODEFEATURES=largememory
SRCFG[special] TIMELIMIT=1:00:00*
SRCFG[special] QOSLIST=high low special-
SRCFG[special] ACCOUNTLIST=!projectX,!projectY
"""
SHARED_ACCESS = EXAMPLE_5.format(nodes=2)


class Examples(ReservationTest):
    """Six nodes of four CPUs. The first week of June 2026 begins on Sunday, May 31."""

    # A week later for each test: Slurm looks at nothing while its clock is behind what it was.
    week = 0

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(
                nodes=6,
                maui_cfg=FAST,
                slurm_conf=SLURM_CONF + CONF,
                slurmdbd=True,
                clock="2026-05-24T12:00:00",
                time_zone="America/New_York",
            )
        )
        cls.cluster.run(ACCOUNTING)

    def setUp(self) -> None:
        super().setUp()
        Examples.week += 1

    def at(self, day: str, clock: str) -> None:
        """day: MON to FRI and so on, of this test's week."""
        number = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT").index(day)
        self.cluster.set_clock(f"{self.day(number, '%Y-%m-%d')}T{clock}")

    def day(self, number: int, form: str = "%Y%m%d") -> str:
        """Of this test's week: 0 is Sunday, 1 Monday."""
        return (date(2026, 5, 31) + timedelta(days=number + 7 * (self.week - 1))).strftime(form)

    def submit(self, *options: str, user: str = "daemon", wrap: str = "sleep 1000") -> int:
        return super().submit("-o/dev/null", *options, user=user, wrap=wrap)

    def instances(self, *names: str) -> dict[str, dict[str, str]]:
        """Until these are there and open, and no others."""
        found: dict[str, dict[str, str]] = {}

        def look() -> bool:
            nonlocal found
            found = show_reservations(self.cluster)
            return found.keys() == set(names) and all(
                one["MaxStartDelay"] == OPEN for one in found.values()
            )

        try:
            self.cluster.wait_for(look, f"the reservations {sorted(names)}")
        except AssertionError as error:
            raise AssertionError(f"{error}\nthere are {found}") from None
        return found

    def cores(self, one: dict[str, str]) -> int:
        return int(one["CoreCnt"])

    def test_1_basic_business_hours(self) -> None:
        """Six tasks of one processor, on business days only; who does not ask for the class finds six
        processors fewer from nine to five."""
        self.at("THU", "08:00:00")
        install(self.cluster, FAST + BUSINESS_HOURS)
        # Today's and tomorrow's; DEPTH 2 reaches to Friday.
        found = self.instances(f"interactive.{self.day(4)}", f"interactive.{self.day(5)}")
        thursday = found[f"interactive.{self.day(4)}"]
        text = self.day(4, "%Y-%m-%d")
        self.assertEqual((thursday["StartTime"], thursday["EndTime"]),
                         (f"{text}T09:00:00", f"{text}T17:00:00"))
        self.assertEqual([self.cores(one) for one in found.values()], [6, 6])
        # Before nine, and gone by then: everybody has all.
        everywhere = self.submit("-N6", "--exclusive", "-t30", user="games")
        self.cluster.wait_for_state(everywhere, "RUNNING")
        self.cluster.scancel(everywhere)
        # Not gone by then: too wide, as six processors are missing then. Who is of the class may.
        late = self.submit("-N6", "--exclusive", "-t120", user="games")
        self.waits(late, but=("-n1",))
        self.cluster.scancel(late)
        self.assertEqual(len(self.lands("-N6", "--exclusive", "-t120", "-pinteractive")), 6)
        self.cluster.cancel_all()

        self.at("THU", "09:30:00")
        self.cluster.wait_for(
            lambda: show_reservations(self.cluster)[f"interactive.{self.day(4)}"]["State"] == "ACTIVE",
            "it to be active",
        )
        # 24 processors, and six of them are for the class.
        outsider = self.submit("-n19", "-t30", user="games")
        self.waits(outsider, but=("-n1",))
        self.cluster.scancel(outsider)
        most = self.submit("-n18", "-t30", user="games")
        self.cluster.wait_for_state(most, "RUNNING")
        more = self.submit("-n1", "-t30", user="games")
        self.cluster.wait_for(
            lambda: self.cluster.job(more)["Reason"] not in ("None", ""), "both schedulers to look"
        )
        self.assertEqual(self.cluster.job(more)["JobState"], "PENDING")
        # Slurm's schedulers keep what such a job waits for from those behind it.
        self.cluster.scancel(more)
        insider = self.submit("-n6", "-t30", "-pinteractive", user="bin")
        self.cluster.wait_for_state(insider, "RUNNING")
        # The class's are drawn to what is reserved.
        self.assertLessEqual(expand(self.cluster.job(insider)["NodeList"]), nodes_of(thursday))
        self.cluster.cancel_all()

        # Friday evening: the next ones are Monday's, beyond DEPTH.
        self.at("FRI", "17:30:00")
        self.instances()
        self.at("SAT", "12:00:00")
        self.instances()
        everywhere = self.submit("-N6", "--exclusive", "-t30", user="games")
        self.cluster.wait_for_state(everywhere, "RUNNING")

    def test_2_host_constrained(self) -> None:
        """Six tasks of two processors on four hosts of four: three of them are enough."""
        self.at("MON", "11:00:00")
        install(self.cluster, FAST + HOST_CONSTRAINED)
        found = self.instances(f"interactive.{self.day(1)}", f"interactive.{self.day(2)}")
        monday = found[f"interactive.{self.day(1)}"]
        self.assertEqual(self.cores(monday), 12)
        self.assertEqual(nodes_of(monday), {"n1", "n2", "n5"})
        self.assertTrue(monday["EndTime"].endswith("T15:00:00"))
        blocked = [self.submit("-w", node, "-n1", "-t30", user="games") for node in nodes_of(monday)]
        self.waits(*blocked, but=("-w", "n6"))
        self.cluster.scancel(*blocked)
        self.assertEqual(self.lands("-N3", "--exclusive", "-t30", user="games"), {"n3", "n4", "n6"})
        self.assertEqual(
            self.lands("-N3", "--exclusive", "-t30", "-pinteractive"), {"n1", "n2", "n5"}
        )
        self.cluster.cancel_all()
        # A busy host of the list is not taken when another one is free.
        install(self.cluster, FAST)
        self.instances()
        busy = self.submit("-w", "n1", "--exclusive", "-t600", user="games")
        self.cluster.wait_for_state(busy, "RUNNING")
        install(self.cluster, FAST + HOST_CONSTRAINED)
        found = self.instances(f"interactive.{self.day(1)}", f"interactive.{self.day(2)}")
        self.assertEqual(nodes_of(found[f"interactive.{self.day(1)}"]), {"n2", "n5", "n6"})

    def test_3_reservation_stacking(self) -> None:
        """n1 and n2 are in both: there a job needs the class, and to be of the helpdesk or of the group."""
        self.at("TUE", "11:00:00")
        install(self.cluster, FAST + STACKED)
        found = self.instances(
            "debug.inf", f"interactive.{self.day(2)}", f"interactive.{self.day(3)}"
        )
        self.assertEqual(nodes_of(found["debug.inf"]), {"n1", "n2", "n3", "n4"})
        self.assertEqual(self.cores(found["debug.inf"]), 16)
        window = nodes_of(found[f"interactive.{self.day(2)}"])
        # Which three of the four hosts hold six tasks is NODEALLOCATIONPOLICY's matter.
        self.assertEqual(len(window), 3)
        both, alone = min(window & {"n1", "n2"}), min(window & {"n5", "n6"})
        limit = "-t30"
        blocked = [
            self.submit("-w", both, "-n1", limit, "-pinteractive"),
            self.submit("-w", both, "-n1", limit, user="bin"),
            self.submit("-w", "n3", "-n1", limit, "-pinteractive"),
            self.submit("-w", alone, "-n1", limit, user="bin"),
        ]
        # No node is free of both; the helpdesk of the class may go everywhere.
        probe = self.submit("-w", "n4", "-n1", "-t5", "--nice=1000", user="bin")
        self.cluster.wait_for_state(probe, "RUNNING")
        for job in blocked:
            self.cluster.wait_for(
                lambda job=job: self.cluster.job(job)["Reason"] not in ("None", ""), "a reason"
            )
            self.assertEqual(self.cluster.job(job)["JobState"], "PENDING")
        self.cluster.scancel(*blocked)
        self.assertEqual(self.lands("-w", both, "-n1", limit, "-pinteractive", user="bin"), {both})
        self.assertEqual(self.lands("-w", both, "-n1", limit, "-pinteractive", user="sys"), {both})
        self.assertEqual(self.lands("-w", "n3", "-n1", limit, user="sys"), {"n3"})
        self.assertEqual(self.lands("-w", alone, "-n1", limit, "-pinteractive"), {alone})
        # In the evening there is the one alone.
        self.at("TUE", "15:30:00")
        self.assertEqual(self.lands("-w", both, "-n1", limit, user="bin"), {both})

    def test_4_multiple_acl_types(self) -> None:
        """An hour at the most, and one of: QOS high, low or (in the last resort) special, or an account
        that is neither of the two projects."""
        self.at("MON", "07:00:00")
        install(self.cluster, FAST + MULTIPLE_ACLS)
        found = self.instances(f"special.{self.day(0)}", f"special.{self.day(7)}")
        one = found[f"special.{self.day(0)}"]
        monday, friday = (self.day(i, "%Y-%m-%d") for i in (1, 5))
        self.assertEqual((one["StartTime"], one["EndTime"]),
                         (f"{monday}T08:00:00", f"{friday}T17:00:00"))
        nodes = nodes_of(one)
        self.assertEqual(len(nodes), 3)
        self.assertLessEqual(nodes, {"n1", "n2", "n3", "n4"})
        first, second, third = sorted(nodes)
        # Three hours from seven on have two in common with it: too long. Two hours are not.
        long = self.submit("-w", first, "-n1", "-t180", "-qhigh")
        self.waits(long, but=("-w", "n5"))
        self.assertEqual(self.lands("-w", second, "-n1", "-t119", "-qhigh"), {second})
        self.cluster.cancel_all()

        self.at("WED", "12:00:00")
        blocked = [
            # too long, of whatever QOS
            self.submit("-w", first, "-n1", "-t61", "-qhigh"),
            # listed with !, though the QOS is listed, too
            self.submit("-w", first, "-n1", "-t30", "-qhigh", "-Aprojectx"),
            self.submit("-w", first, "-n1", "-t30", "-Aprojecty"),
        ]
        self.waits(*blocked, but=("-w", "n5"))
        self.cluster.scancel(*blocked)
        for qos in ("high", "low", "special"):
            self.assertEqual(self.lands("-w", first, "-n1", "-t60", f"-q{qos}"), {first})
        # any other account satisfies the list of accounts
        self.assertEqual(self.lands("-w", first, "-n1", "-t60"), {first})
        self.cluster.cancel_all()
        # Affinity: high goes there first, special only when nothing else is left.
        (spare,) = {"n1", "n2", "n3", "n4"} - nodes
        self.assertLess(self.lands(*WHOLE, "-t60", "-qhigh"), nodes)
        free = {"n5", "n6", spare}
        for _ in range(3):
            (node,) = self.lands(*WHOLE, "-t60", "-qspecial")
            self.assertIn(node, free)
            free.remove(node)
        self.assertLess(self.lands(*WHOLE, "-t60", "-qspecial"), nodes)
        self.cluster.cancel_all()

        # Twelve hours from Friday at four: an hour of them is in common.
        self.at("FRI", "16:00:30")
        self.assertEqual(self.lands("-w", third, "-n1", "-t720", "-qlow"), {third})

    def test_5_limited_shared_access(self) -> None:
        """jupiter's nodes; saturn's jobs go there in the last resort."""
        install(self.cluster, FAST + SHARED_ACCESS)
        found = self.instances("jupiter.inf")
        self.assertEqual(nodes_of(found["jupiter.inf"]), {"n1", "n2"})
        blocked = self.submit("-w", "n1", "-n1")
        self.waits(blocked, but=("-w", "n5"))
        self.cluster.scancel(blocked)
        self.assertEqual(self.lands(*WHOLE, "-Ajupiter"), {"n1"})
        for node in ("n3", "n4", "n5", "n6"):
            self.assertEqual(self.lands(*WHOLE, "-Asaturn"), {node})
        outsider = self.submit(*WHOLE)
        self.assertEqual(self.lands(*WHOLE, "-Asaturn"), {"n2"})
        self.assertEqual(self.cluster.job(outsider)["JobState"], "PENDING")
