# SPDX-License-Identifier: GPL-2.0-or-later
"""Standing reservations and the calendar, in clusters with a clock of their own: midnights with real
jobs, days on which clocks change, and clocks that are set.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from harness import Cluster
from reservation_model import (
    FAST,
    OPEN,
    SLURM_CONF,
    ReservationTest,
    install,
    nodes_of,
    show_reservations,
)

DAY = timedelta(days=1)
Reservations = dict[str, dict[str, str]]


def date(when: datetime) -> str:
    return f"{when:%Y%m%d}"


def kept(one: dict[str, str]) -> dict[str, str]:
    """What does not change by time alone."""
    return {key: value for key, value in one.items() if key != "State"}


class ClockTest(ReservationTest):
    """What both kinds of test share; each has a cluster of its own."""

    def submit(self, *options: str, user: str = "daemon", wrap: str = "sleep 1000") -> int:
        # A Slurm that was killed, and has forgotten old jobs, gives their numbers again: slurm-5.out
        # may be somebody else's.
        return super().submit("-o/dev/null", *options, user=user, wrap=wrap)

    def instances(self, names: set[str], timeout: float = 90) -> Reservations:
        """Until these are there, and no others, and all are open."""
        found: Reservations = {}

        def look() -> bool:
            nonlocal found
            found = show_reservations(self.cluster)
            return found.keys() == names and all(
                one["MaxStartDelay"] == OPEN for one in found.values()
            )

        try:
            self.cluster.wait_for(look, f"the reservations {sorted(names)}", timeout)
        except AssertionError as error:
            raise AssertionError(f"{error}\nthere are {sorted(found)}") from None
        return found


class Midnight(ClockTest):
    """It is always a Saturday's: so days and weeks roll."""

    CFG = (
        "SRCFG[day] HOSTLIST=n1 PERIOD=DAY DEPTH=2 USERLIST=daemon\n"
        "SRCFG[hours] HOSTLIST=n1 PERIOD=DAY DEPTH=2 USERLIST=daemon\n"
        "SRCFG[hours] STARTTIME=0:00:00 ENDTIME=17:00:00\n"
        "SRCFG[float] HOSTLIST=n2,n3 TASKCOUNT=1 PERIOD=DAY DEPTH=2 USERLIST=daemon\n"
        "SRCFG[week] HOSTLIST=n2 PERIOD=WEEK DEPTH=2 USERLIST=daemon\n"
    )
    # Each night is another one, later than those before: a Slurm whose clock goes back by weeks
    # looks at nothing until it has come there again.
    nights = 0

    CLUSTER = dict(
        nodes=4,
        maui_cfg=FAST,
        slurm_conf=SLURM_CONF,
        clock="2026-06-06T12:00:00",
        time_zone="Europe/Berlin",
    )

    def setUp(self) -> None:
        super().setUp()
        Midnight.nights += 1
        self.saturday = datetime(2026, 6, 6) + self.nights * 7 * DAY
        self.sunday = self.saturday + DAY
        self.at("23:50:00")
        install(self.cluster, FAST + self.CFG)
        self.before = self.on_saturday()
        self.life = self.cluster.life()
        # In the day's, over midnight; and the one that must not get in there at any time.
        self.insider = self.submit("-w", "n1", "-n1", "-t120")
        self.cluster.wait_for_state(self.insider, "RUNNING")
        self.outsider = self.submit("-w", "n1", "-n1", "-t120", user="bin")
        self.waits(self.outsider, but=("-w", "n4"))

    def at(self, clock: str) -> None:
        self.cluster.set_clock(f"{self.saturday:%Y-%m-%d}T{clock}")

    def after_midnight(self) -> bool:
        return self.cluster.time() >= self.sunday.replace(tzinfo=ZoneInfo("Europe/Berlin")).timestamp()

    def on_saturday(self, timeout: float = 90) -> Reservations:
        days = {
            f"{name}.{date(self.saturday + i * DAY)}" for name in ("day", "float") for i in (0, 1)
        }
        weeks = {f"week.{date(self.saturday - 6 * DAY + i * 7 * DAY)}" for i in (0, 1)}
        # The hours of Saturday are over.
        return self.instances(days | weeks | {f"hours.{date(self.sunday)}"}, timeout)

    def on_sunday(self, timeout: float = 90) -> Reservations:
        days = {
            f"{name}.{date(self.sunday + i * DAY)}"
            for name in ("day", "float", "hours")
            for i in (0, 1)
        }
        weeks = {f"week.{date(self.sunday + i * 7 * DAY)}" for i in (0, 1)}
        return self.instances(days | weeks, timeout)

    def check_rolled(self, after: Reservations) -> None:
        """What was there is the same one, on the same nodes; the new one has all of its time."""
        for name in self.before.keys() & after.keys():
            self.assertEqual(kept(after[name]), kept(self.before[name]), name)
        self.assertEqual(len(self.before.keys() & after.keys()), 4)
        today, monday = date(self.sunday), self.sunday + DAY
        midnight = f"{self.sunday:%Y-%m-%dT00:00:00}"
        # Had it been made anew it would begin after midnight.
        for name in ("day", "hours", "float", "week"):
            self.assertEqual(after[f"{name}.{today}"]["StartTime"], midnight)
            self.assertEqual(after[f"{name}.{today}"]["State"], "ACTIVE")
        self.assertEqual(after[f"day.{date(monday)}"]["StartTime"], f"{monday:%Y-%m-%dT00:00:00}")
        self.assertEqual(
            after[f"day.{date(monday)}"]["EndTime"], f"{monday + DAY:%Y-%m-%dT00:00:00}"
        )
        self.assertEqual(nodes_of(after[f"day.{date(monday)}"]), {"n1"})

    def check_jobs(self) -> None:
        """The one that ran runs on, one more gets in, and the outsider does not."""
        job = self.cluster.job(self.insider)
        self.assertEqual((job["JobState"], job["Restarts"]), ("RUNNING", "0"))
        self.assertEqual(self.lands("-w", "n1", "-n1", "-t5"), {"n1"})
        self.waits(self.outsider, but=("-w", "n4"))

    def test_it_comes(self) -> None:
        self.at("23:59:57")
        after = self.on_sunday()
        self.assertTrue(self.after_midnight())
        self.check_rolled(after)
        self.check_jobs()
        self.assertEqual(self.cluster.life(), self.life)

    def test_reconfigure_right_at_it(self) -> None:
        self.at("23:59:57")
        count = 0
        while not self.after_midnight() or count < 5:
            self.cluster.reconfigure()
            count += 1
        for _ in range(3):
            self.cluster.reconfigure()
        self.check_rolled(self.on_sunday())
        self.check_jobs()
        self.assertEqual(self.cluster.life(), self.life)

    def disturbed(self, disturb: Callable[[], None]) -> None:
        """With all that there is on disk."""
        self.cluster.wait_until_saved(self.outsider)
        names = [name.encode() for name in self.before]

        def all_saved() -> bool:
            saved = self.cluster.saved("resv_state")
            return all(name in saved for name in names)

        self.cluster.wait_for(all_saved, "Slurm's state")
        disturb()
        self.check_rolled(self.on_sunday())
        self.check_jobs()

    def test_a_restart_over_it(self) -> None:
        self.disturbed(lambda: self.over_it(kill=False))

    def test_a_kill_over_it(self) -> None:
        self.disturbed(lambda: self.over_it(kill=True))

    def over_it(self, kill: bool) -> None:
        self.at("23:59:50")
        self.cluster.stop(kill=kill)
        self.cluster.set_clock(f"{self.sunday:%Y-%m-%d}T00:00:30")
        self.cluster.start()

    def test_a_kill_right_after_it(self) -> None:
        """While it rolls, or a moment before or after."""

        def kill() -> None:
            self.at("23:59:58")
            self.cluster.wait_for(self.after_midnight, "midnight")
            self.cluster.restart(kill=True)

        self.disturbed(kill)

    def test_the_clock_is_set_back_over_it_and_forward(self) -> None:
        self.at("23:59:57")
        after = self.on_sunday()
        second = self.submit("-w", "n1", "-n1", "-t60")  # in Sunday's
        self.cluster.wait_for_state(second, "RUNNING")
        self.cluster.set_clock(f"{self.saturday:%Y-%m-%d}T23:55:00")
        back = self.on_saturday()
        for name in back.keys() & after.keys():
            self.assertEqual(kept(back[name]), kept(after[name]), name)
        # What is made again has the rest of its time.
        self.assertEqual(
            back[f"day.{date(self.saturday)}"]["EndTime"], f"{self.sunday:%Y-%m-%dT00:00:00}"
        )
        self.assertEqual(nodes_of(back[f"day.{date(self.saturday)}"]), {"n1"})
        # Slurm's schedulers stand still until the clock is where it was. Who asks for nodes at once is
        # answered without them.
        self.cluster.scancel(self.outsider)
        self.assertEqual(self.asks_at_once("daemon"), 0)
        self.assertNotEqual(self.asks_at_once("bin"), 0)
        self.assertEqual(self.cluster.life(), self.life)
        # A new slurmctld schedules.
        self.cluster.restart()
        self.life = self.cluster.life()
        self.assertEqual({name: kept(one) for name, one in self.on_saturday().items()},
                         {name: kept(one) for name, one in back.items()})
        self.outsider = self.submit("-w", "n1", "-n1", "-t120", user="bin")
        self.check_jobs()
        self.cluster.set_clock(f"{self.sunday:%Y-%m-%d}T00:05:00")
        self.check_rolled(self.on_sunday())
        self.check_jobs()
        self.assertEqual(self.cluster.job(second)["JobState"], "RUNNING")
        self.assertEqual(self.cluster.life(), self.life)

    def asks_at_once(self, user: str) -> int:
        """The status of an allocation on n1 that does not wait."""
        return self.cluster.run(
            ["salloc", "--immediate=5", "-w", "n1", "-n1", "-t5", "true"], user=user, check=False
        ).returncode


class Until(ClockTest):
    """UNTIL: instances get shorter, end, and do not come again."""

    CFG = (
        "SRCFG[ever] HOSTLIST=n1 PERIOD=INFINITY USERLIST=daemon UNTIL=2026-06-06\n"
        "SRCFG[day] HOSTLIST=n2 PERIOD=DAY DEPTH=3 USERLIST=daemon UNTIL=2026-06-07_06:00:00\n"
        "SRCFG[gone] HOSTLIST=n2 PERIOD=DAY DEPTH=3 USERLIST=daemon UNTIL=2026-06-05\n"
        "SRCFG[some] HOSTLIST=n[1-3],n5 EXCLUDEHOSTLIST=n[1-2] PERIOD=INFINITY USERLIST=daemon\n"
    )

    CLUSTER = dict(
        nodes=5,
        maui_cfg=FAST,
        slurm_conf=SLURM_CONF,
        clock="2026-06-06T23:50:00",
        time_zone="Europe/Berlin",
    )

    def test_nothing_is_left_after_it(self) -> None:
        install(self.cluster, FAST + self.CFG)
        found = self.instances({"ever.inf", "day.20260606", "day.20260607", "some.inf"})
        self.assertEqual(found["ever.inf"]["EndTime"], "2026-06-07T00:00:00")
        self.assertEqual(found["day.20260606"]["EndTime"], "2026-06-07T00:00:00")
        self.assertEqual(found["day.20260607"]["EndTime"], "2026-06-07T06:00:00")
        self.assertEqual(nodes_of(found["some.inf"]), {"n3", "n5"})
        outsider = self.submit("-w", "n1", "-n1", "-t5", user="bin")
        self.waits(outsider)
        self.cluster.set_clock("2026-06-06T23:59:57")
        self.instances({"day.20260607", "some.inf"})
        self.cluster.wait_for_state(outsider, "RUNNING", "COMPLETED")
        self.assertGreaterEqual(
            self.cluster.time(), datetime(2026, 6, 7, tzinfo=ZoneInfo("Europe/Berlin")).timestamp()
        )
        self.cluster.set_clock("2026-06-07T05:59:57")
        self.instances({"some.inf"})
        # Nothing comes back, by a restart or on the next day.
        self.cluster.restart()
        self.instances({"some.inf"})
        self.cluster.set_clock("2026-06-08T12:00:00")
        self.assertEqual(self.lands("-w", "n2", "-n1", "-t1"), {"n2"})
        self.instances({"some.inf"})
        # A later end makes them again.
        install(self.cluster, FAST + self.CFG.replace("2026-06-07_06:00:00", "2026-06-09"))
        self.instances({"day.20260608", "day.20260609", "some.inf"})


class ChangingClocks(ClockTest):
    """Windows are what a clock on the wall shows. Expected is what Python's calendar says, and by
    hand how long the windows are on the day of the change."""

    WINDOWS = {
        # name: start and end, hours after midnight
        "office": (9.0, 17.0),
        "night": (1.0, 4.0),
        "whole": (0.0, 24.0),
        "late": (22.0, 24.0),
        # It begins in the hour that is left out, or comes twice.
        "gap": (2.25, 5.0),
        "half": (1.75, 5.0),
    }
    DEPTH = 5
    CFG = "".join(
        f"SRCFG[{name}] HOSTLIST=n1 PERIOD=DAY DEPTH=5 USERLIST=daemon "
        f"STARTTIME={int(start)}:{round(start % 1 * 60):02}:00 ENDTIME={int(end)}:00:00\n"
        for name, (start, end) in WINDOWS.items()
    ) + (
        "SRCFG[week] HOSTLIST=n1 PERIOD=WEEK DEPTH=3 USERLIST=daemon\n"
        "SRCFG[workdays] HOSTLIST=n1 PERIOD=WEEK DEPTH=3 USERLIST=daemon\n"
        "SRCFG[workdays] STARTTIME=1:08:00:00 ENDTIME=5:17:00:00\n"
    )

    def expected(self, zone: ZoneInfo, day: datetime) -> dict[str, tuple[datetime, datetime]]:
        """All instances two days before this one, at its begin."""
        first = day - 2 * DAY
        sunday = first - timedelta(days=(first.weekday() + 1) % 7)
        result = {}
        for name, (start, end) in self.WINDOWS.items():
            for i in range(self.DEPTH):
                midnight = first + i * DAY
                result[f"{name}.{date(midnight)}"] = (
                    midnight + timedelta(hours=start), midnight + timedelta(hours=end)
                )
        for i in range(3):
            begin = sunday + i * 7 * DAY
            result[f"week.{date(begin)}"] = (begin, begin + 7 * DAY)
            result[f"workdays.{date(begin)}"] = (
                begin + timedelta(days=1, hours=8), begin + timedelta(days=5, hours=17)
            )
        return {name: (instant(zone, a), instant(zone, b)) for name, (a, b) in result.items()}

    def run_zone(self, name: str, days: dict[str, dict[str, str]]) -> None:
        """days: the day of a change, and how long that day's windows are, as Slurm writes it."""
        zone = ZoneInfo(name)
        first = datetime.fromisoformat(min(days)) - 2 * DAY
        with Cluster(
            nodes=2, maui_cfg=FAST, slurm_conf=SLURM_CONF, clock=f"{first:%Y-%m-%dT00:00:30}",
            time_zone=name,
        ) as self.cluster:
            for text, lengths in sorted(days.items()):
                with self.subTest(zone=name, day=text):
                    self.run_day(zone, datetime.fromisoformat(text), lengths)
            self.assertNotIn("error: maui: reservation", self.cluster.log_text())

    def run_day(self, zone: ZoneInfo, day: datetime, lengths: dict[str, str]) -> None:
        install(self.cluster, FAST)
        self.instances(set())
        self.cluster.set_clock(f"{day - 2 * DAY:%Y-%m-%dT00:00:30}")
        install(self.cluster, FAST + self.CFG)
        expected = self.expected(zone, day)
        found = self.instances(set(expected))
        for name, (start, end) in expected.items():
            one = found[name]
            self.assertEqual(one["EndTime"], f"{end:%Y-%m-%dT%H:%M:%S}", name)
            if start.timestamp() > self.cluster.time():
                self.assertEqual(one["StartTime"], f"{start:%Y-%m-%dT%H:%M:%S}", name)
                self.assertEqual(seconds(one["Duration"]), end.timestamp() - start.timestamp())
        for name, length in lengths.items():
            self.assertEqual(found[f"{name}.{date(day)}"]["Duration"], length, name)
        self.through_the_change(zone, day, expected, found)

    def through_the_change(
        self,
        zone: ZoneInfo,
        day: datetime,
        expected: dict[str, tuple[datetime, datetime]],
        before: Reservations,
    ) -> None:
        """What is there stays as it is while the clocks change."""
        self.cluster.set_clock(f"{day:%Y-%m-%dT00:59:30}")
        # Three days more have come, of each: those of the two days that have passed are gone.
        names = {n for n, (_, end) in expected.items() if end.timestamp() > self.cluster.time()}
        for name in self.WINDOWS:
            names |= {f"{name}.{date(day + i * DAY)}" for i in range(self.DEPTH)}
        sunday = day - timedelta(days=(day.weekday() + 1) % 7)
        names |= {f"{name}.{date(sunday + 14 * DAY)}" for name in ("week", "workdays")}
        found = self.instances(names)
        self.assertEqual({n: kept(found[n]) for n in found.keys() & before.keys()},
                         {n: kept(before[n]) for n in found.keys() & before.keys()})
        for clock in ("01:59:58", "03:00:30"):
            self.cluster.set_clock(f"{day:%Y-%m-%d}T{clock}")
            job = self.cluster.sbatch("-w", "n1", "-n1", "-t1", wrap="sleep 3", user="daemon")
            self.cluster.wait_for_state(job, "RUNNING", "COMPLETED")
            self.cluster.wait_for_state(job, "COMPLETED")
            self.assertEqual({n: kept(one) for n, one in self.instances(names).items()},
                             {n: kept(one) for n, one in found.items()})

    def setUp(self) -> None:
        pass  # each test has a cluster of its own

    def tearDown(self) -> None:
        pass

    def test_berlin(self) -> None:
        self.run_zone(
            "Europe/Berlin",
            {
                "2026-03-29": {
                    "office": "08:00:00", "night": "02:00:00", "whole": "23:00:00",
                    "late": "02:00:00",
                    "gap": "02:00:00",  # from 03:00, to which the clock goes from 02:00
                    "half": "02:15:00",
                },
                "2026-10-25": {
                    "office": "08:00:00", "night": "04:00:00", "whole": "1-01:00:00",
                    "late": "02:00:00",
                    "gap": "03:45:00",  # from the first 02:15
                    "half": "04:15:00",
                },
            },
        )

    def test_lord_howe(self) -> None:
        """Half an hour."""
        self.run_zone(
            "Australia/Lord_Howe",
            {
                "2026-04-05": {  # 02:00 to 01:30
                    "office": "08:00:00", "night": "03:30:00", "whole": "1-00:30:00",
                    "late": "02:00:00", "gap": "02:45:00", "half": "03:45:00",
                },
                "2026-10-04": {  # 02:00 to 02:30
                    "office": "08:00:00", "night": "02:30:00", "whole": "23:30:00",
                    "late": "02:00:00", "gap": "02:30:00", "half": "02:45:00",
                },
            },
        )

    def test_kolkata(self) -> None:
        """Five and a half hours ahead, all year."""
        lengths = {
            "office": "08:00:00", "night": "03:00:00", "whole": "1-00:00:00",
            "late": "02:00:00", "gap": "02:45:00", "half": "03:15:00",
        }
        self.run_zone("Asia/Kolkata", {"2026-03-29": lengths, "2026-10-25": lengths})


def instant(zone: ZoneInfo, local: datetime) -> datetime:
    """When a clock on the wall shows this, for the first time; when it jumps over it, if it does."""
    when = local.replace(tzinfo=zone)
    shown = datetime.fromtimestamp(when.timestamp(), zone)
    if shown.replace(tzinfo=None) == local:
        return when
    minute = timedelta(minutes=1)
    while datetime.fromtimestamp(when.timestamp(), zone).replace(tzinfo=None) != local:
        local += minute
        when = local.replace(tzinfo=zone)
    return when


def seconds(duration: str) -> float:
    """Slurm's [DAYS-]HH:MM:SS."""
    days, hours, minutes, rest = map(int, re.findall(r"\d+", f"0-{duration}")[-4:])
    return ((days * 24 + hours) * 60 + minutes) * 60 + rest
