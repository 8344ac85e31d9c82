# SPDX-License-Identifier: GPL-2.0-or-later
"""maui showstats --month: sums of the files of windows, what is shared out by time, and what is missing."""

import calendar
import contextlib
import json
import os
import pathlib
import re
import tempfile

import cli_harness as harness

DAY = 86400
BERLIN = {"TZ": "Europe/Berlin"}


def _at(text):
    """Epoch seconds of "2026-11-01" in UTC."""
    return calendar.timegm(tuple(map(int, text.split("-"))) + (0, 0, 0))


def _window(start, *lines, length=DAY, counted=None, metric="DEDICATEDPS"):
    """A file's name and text. The length of a window is in its head."""
    body = "".join(f"{line}\n" for line in lines)
    known = f"# Counted until: {counted}\n" if counted else ""
    return f"FS.{start}", (f"# Fairshare Data File (Duration: {length} Seconds) Starting: Fri Aug 18 18:00:00\n# Metric: {metric}\n"
                           f"{known}\n{body}# End: {len(lines)}\n")


def _days(first, count, hours=24, **members):
    """So many windows of a day, in each of which bob used so many hours."""
    return dict(_window(first + i * DAY, f"User bob {hours * 3600}", f"TOTAL {hours * 3600}", **members) for i in range(count))


@contextlib.contextmanager
def _site(files, config="", interval="24:00:00"):
    with tempfile.TemporaryDirectory(prefix="maui-month.") as name:
        directory = pathlib.Path(name)
        (directory / "stats").mkdir()
        (directory / "cfg").write_text(f"FSPOLICY DEDICATEDPS\nFSINTERVAL {interval}\nFSDEPTH 2\nFSDECAY 0.5\nSTATDIR {directory}/stats\n{config}")
        for file, text in files.items():
            (directory / "stats" / file).write_text(text)
        yield directory


def _ask(maui, directory, now, *words, env=None):
    with harness.clock(now) as clock:
        return maui.run("showstats", *words, f"--configfile={directory}/cfg", env=clock | (env or {}))


def _data(maui, files, now, *words, env=None, code=0, **site):
    with _site(files, **site) as directory:
        done = _ask(maui, directory, now, "--json", *words, env=env)
    harness.check_code(done, code)
    return json.loads(done.stdout), done.stderr.decode()


def test_the_month_is_summed_without_decay_beyond_fsdepth(maui):
    files = _days(_at("2026-10-01"), 31, hours=1) | _days(_at("2026-11-01"), 30) | _days(_at("2026-12-01"), 2, hours=5)
    for word, hours in (("last", 720), ("2026-11", 720), ("2026-10", 31), ("this", 10)):
        data, errors = _data(maui, files, _at("2026-12-02") + DAY - 1, "-u", f"--month={word}")
        harness.equal((data["hours"], data["rows"], errors), (hours, [{"name": "bob", "hours": hours, "percent": 100}], ""), word)
        harness.equal((data["complete"], data["shared"], data["incomplete"]), (True, [], []), word)


def test_text_says_from_when_to_when(maui):
    name, text = _window(_at("2026-11-01"), "User alice 3600", "User bob 10800.5", "Account physics 7200", "TOTAL 14400.5")
    now = _at("2026-11-02") + 4000
    running = _window(_at("2026-11-02"), "User bob 3600", "TOTAL 3600", counted=now - 400)
    with _site({name: text, running[0]: running[1]}) as directory:
        done = _ask(maui, directory, now, "-u", "--month=this")
        harness.check_code(done, 0)
        harness.check_errors(done, None)
        harness.check_golden(done, "showstats-month.out")
        done = _ask(maui, directory, now, "--month=this")
        harness.equal(done.stdout.decode().splitlines()[-2:], ["                      Hours      %", "TOTAL                  5.00 100.00"], "the total alone")
        one = _ask(maui, directory, now, "-u", "bob", "--month=this").stdout.decode().splitlines()
        harness.equal([line.split()[0] for line in one[3:]], ["bob", "TOTAL"], "bob alone")


def test_a_window_over_the_bound_is_shared_out(maui):
    """In Berlin November begins an hour before the window of its first day in UTC, and so does December."""
    files = _days(_at("2026-10-31"), 32)
    data, errors = _data(maui, files, _at("2026-12-15"), "--month=2026-11", env=BERLIN)
    harness.equal(data["hours"], 720, "hours")
    harness.equal([(row["start"], row["end"], row["hours"], row["counted_hours"]) for row in data["shared"]],
                  [(_at("2026-10-31"), _at("2026-11-01"), 24, 1), (_at("2026-11-30"), _at("2026-12-01"), 24, 23)], "shared")
    harness.equal(len(re.findall("in proportion to time", errors)), 2, "notes")
    before, _ = _data(maui, files, _at("2026-12-15"), "--month=2026-10", env=BERLIN)
    after, _ = _data(maui, files, _at("2026-12-15"), "--month=2026-12", env=BERLIN)
    harness.equal(before["hours"] + data["hours"] + after["hours"], 32 * 24, "all of it is in some month")


def test_a_running_window_is_shared_out_as_far_as_it_is_counted(maui):
    """A week from 26 November on: five days of November and one of December are counted."""
    start = _at("2026-11-26")
    files = dict([_window(start, "User bob 21600", "TOTAL 21600", length=7 * DAY, counted=start + 6 * DAY)])
    data, _ = _data(maui, files, start + 6 * DAY + 60, "-u", "--month=last", interval="168:00:00")
    harness.equal(data["hours"], 5, "November's")
    data, _ = _data(maui, files, start + 6 * DAY + 60, "-u", "--month=this", interval="168:00:00")
    harness.equal((data["hours"], data["until"]), (1, start + 6 * DAY), "December's")
    harness.equal(data["incomplete"], [], "what is still to be counted is not missing")


def _lacks(data):
    return [(row["start"], row["end"], row["text"]) for row in data["incomplete"]]


def test_what_is_missing_is_named(maui):
    first, now = _at("2026-11-01"), _at("2026-11-21")
    files = _days(first, 20)
    whole = files.copy()
    for day in (0, 4, 5):
        del files[f"FS.{first + day * DAY}"]
    data, errors = _data(maui, files, now, "-u", "--month=this")
    harness.equal(_lacks(data), [(first, first + DAY, "no file has it"), (first + 4 * DAY, first + 6 * DAY, "no file has it")], "gaps")
    harness.equal((data["complete"], data["hours"]), (False, 17 * 24), "usage")
    harness.equal(len(re.findall("usage is incomplete from 2026-11-0", errors)), 2, "notes")
    # The engine has not written since.
    data, _ = _data(maui, whole, now + 5 * DAY, "-u", "--month=this")
    harness.equal((_lacks(data), data["until"]), ([(now, now + 5 * DAY, "no file has it")], now), "the end")
    name, text = _window(now - DAY, "User bob 3600", "TOTAL 3600", counted=now - DAY + 3600)
    data, _ = _data(maui, whole | {name: text}, now + DAY, "-u", "--month=this")
    harness.equal((_lacks(data), data["until"]), ([(now - DAY + 3600, now + DAY, "no file has it")], now - DAY + 3600), "a window's end")
    data, _ = _data(maui, {}, now, "-u", "--month=this")
    harness.equal((_lacks(data), data["until"], data["rows"]), ([(first, now, "no file has it")], None, []), "nothing at all")


def test_an_older_time_in_a_file_is_no_gap_if_later_windows_are_there(maui):
    """The engine writes a file only if something has changed."""
    first = _at("2026-11-01")
    files = _days(first, 20) | dict([_window(first + 3 * DAY, "User bob 86400", "TOTAL 86400", counted=first + 3 * DAY + 60)])
    data, _ = _data(maui, files, first + 20 * DAY - 1, "-u", "--month=this")
    harness.equal((data["incomplete"], data["hours"]), ([], 480), "a quiet day")


def test_what_cannot_be_used_is_named(maui):
    first, now = _at("2026-11-01"), _at("2026-11-04") - 1
    for name, text, why, code in (
            (f"FS.{first + DAY}", "# Fairshare Data File (Duration: 86400 Seconds) Starting: x\nUser bob x\n", "is damaged: line 2", 2),
            (*_window(first + DAY, *(f"User u{i} 5" for i in range(100)), "TOTAL 500", metric="DEDICATEDPES"), "counts DEDICATEDPES, and FSPOLICY is another", 0),
            (f"FS.{first + DAY}", "# Fairshare Data File\n# Version: 99\nUser bob 5\nTOTAL 5\n", "is later", 2)):
        data, errors = _data(maui, _days(first, 3) | {name: text}, now, "-u", "--month=this", code=code)
        harness.equal([lack[:2] for lack in _lacks(data)], [(first + DAY, first + 2 * DAY)], why)
        if why not in data["incomplete"][0]["text"] or why not in errors:
            raise harness.Failure(f"{why}: {data['incomplete']}, {errors}")
        harness.equal(data["hours"], 48, why)
    for suffix in ("damaged", "DEDICATEDPES", "DEDICATEDGRES[gpu]"):
        data, _ = _data(maui, _days(first, 3) | {f"FS.{first}.{suffix}": "x", f"FS.{first}.new": "x", "FS.x.damaged": "x", "idle": "x"}, now, "-u", "--month=this")
        harness.equal((_lacks(data), data["hours"]), ([(first, first + DAY, f"FS.{first}.{suffix} has usage of this window, which does not count")], 72), suffix)


def test_files_alone_that_do_not_count_have_no_rows(maui):
    first = _at("2026-11-01")
    data, _ = _data(maui, dict([_window(first, "User bob 5", "TOTAL 5", metric="DEDICATEDPES")]), first + DAY - 1, "-u", "--month=this")
    harness.equal((data["rows"], data["hours"], data["until"]), ([], 0, None), "usage")


def test_a_file_of_the_future_completes_no_window(maui):
    """The clock was ahead once, and is right again."""
    first, now = _at("2026-11-01"), _at("2026-11-02") + 43200
    files = _days(first, 1) | dict([_window(first + DAY, "User bob 7200", "TOTAL 7200", counted=now), _window(first + 9 * DAY, "TOTAL 3600")])
    data, errors = _data(maui, files, now, "-u", "--month=this")
    harness.equal((data["hours"], data["until"], data["shared"], errors), (26, now, [], ""), "usage")


def test_a_user_and_a_uid_of_the_same_digits_are_two_rows(maui):
    name, text = _window(_at("2026-11-01"), 'User "1001" 3600', "User 1001 7200", "QOS DEFAULT 3600", "QOS 7 7200", "TOTAL 10800")
    data, _ = _data(maui, {name: text}, _at("2026-11-02") - 1, "-u", "--month=this")
    harness.equal([(row["name"], row.get("unnamed"), row["hours"]) for row in data["rows"]], [("1001", None, 1), ("1001", True, 2)], "rows")
    with _site({name: text}) as directory:
        text = _ask(maui, directory, _at("2026-11-02") - 1, "-u", "--month=this").stdout.decode()
        harness.equal([line.split()[0] for line in text.splitlines()[3:5]], ['"1001"', "1001"], "names")
        text = _ask(maui, directory, _at("2026-11-02") - 1, "-q", "--month=this").stdout.decode()
        harness.equal([line.split()[0] for line in text.splitlines()[3:5]], ["7", "DEFAULT"], "QOS")


def test_wrong_usage_is_explained(maui):
    with _site(_days(_at("2026-11-01"), 1)) as directory:
        for words, pattern in ((["--month=2026-13"], "'2026-13' is not a month: write YYYY-MM, from 1971 on, or this, or last"),
                               (["--month=november"], "'november' is not a month"), (["--month=2026-12"], "--month=2026-12 has not begun"),
                               (["-u", "nosuch", "--month=this"], "there is no user nosuch"), (["--month=this", "bob"], "unexpected argument bob")):
            harness.check_refused(_ask(maui, directory, _at("2026-11-02") - 1, *words), pattern)
        done = _ask(maui, directory, _at("2026-11-02") - 1, "-u", "root", "--month=this")
        harness.check_code(done, 0)
        harness.check_errors(done, "NOTE:     user root has used nothing in this month")
        if os.getuid():
            (directory / "stats").chmod(0)
            harness.check_refused(_ask(maui, directory, _at("2026-11-02") - 1, "--month=this"), "the directory cannot be read")
            (directory / "stats").chmod(0o700)
        (directory / "cfg").write_text("FSPOLICY DEDICATEDPS\nSTATDIR stats\n")
        harness.check_refused(_ask(maui, directory, _at("2026-11-02") - 1, "--month=this"), "STATDIR")
