# SPDX-License-Identifier: GPL-2.0-or-later
"""maui fs: verify, show and import of FS files, good and bad; fixtures/stats are the original's own."""

import contextlib
import json
import os
import pathlib
import pwd
import re
import resource
import shutil
import subprocess
import tempfile

import cli_harness as harness
import fake_service as fake

_munge = harness.munge
STATS = harness.FIXTURES / "stats"
FILES = ["FS.1699963200", "FS.1700049600", "FS.1700136000"]
INTERVAL = 43200
AT = "--at=1700140000"
CONFIG = "--configfile=fs.cfg"
MANUAL = "# Fairshare Data File (Duration: 43200 Seconds) Starting: Thu Nov 16 12:00:00\n"
SOUND = MANUAL + "\nUser root 10.000\nTOTAL 20.00\n"


@contextlib.contextmanager
def _directory(**files):
    """A directory with FS.<start> files: FS_1700136000="text"."""
    with tempfile.TemporaryDirectory(prefix="maui-fs.") as name:
        path = pathlib.Path(name)
        for file, text in files.items():
            (path / file.replace("FS_", "FS.")).write_bytes(text if isinstance(text, bytes) else text.encode())
        yield path


def _verify(maui, path, code, errors, *options):
    done = maui.run("fs", "verify", *options, path)
    harness.check_code(done, code)
    harness.check_errors(done, errors)
    return done


def _import(maui, path, *options, config=CONFIG, **keywords):
    """No engine is at port 1."""
    return maui.run("fs", "import", config, path, "--host=127.0.0.1", "--port=1", *options, **keywords)


def _names(path):
    return sorted(entry.name for entry in path.iterdir())


# ---- verify


def test_verify_tells_of_each_file(maui):
    done = maui.run("fs", "verify", "stats")
    harness.check_golden(done, "fs-verify.out")
    if done.returncode not in (0, 1):  # a machine may know a user bob, and no group staff
        raise harness.Failure(f"exit code {done.returncode}")


def test_verify_lists_strangers_when_asked_to(maui):
    with _directory(FS_1700136000=MANUAL + "User no_such_user 1\nUser root 1\nUser 4294967290 1\nGroup no_such_group 1\n"
                    "TOTAL 3\n") as path:
        _verify(maui, path, 1, "does not know 2 of 3 users(.|\n)*does not know 1 of 1 groups")
        done = _verify(maui, path, 1, "there is no user no_such_user on this machine\n(.|\n)*there is no group no_such_group on this machine\n", "-v")
        harness.check_errors(done, "there is no user 4294967290 on this machine")


def test_verify_of_sound_files_is_exit_code_0(maui):
    with _directory(FS_1700136000=SOUND) as path:
        _verify(maui, path, 0, None)


def test_verify_warns_of_what_may_surprise(maui):
    for text, name, pattern in (
            (SOUND, "FS_777", "its name is not a multiple of its duration, 43200 seconds"),
            (MANUAL + "User root 30\nTOTAL 20\n", "FS_1700136000", r"the users have used 30.000 together, more than the total of 20.000"),
            (SOUND + "Tree root 1\n", "FS_1700136000", "1 line of an unknown type"),
            ("User root 1\nTOTAL 1\n", "FS_1700136000", "it does not say how long")):
        with _directory(**{name: text}) as path:
            _verify(maui, path, 1, rf"FS\.\d+: warning: {pattern}")
    with _directory(FS_0=SOUND, FS_86400=SOUND.replace("43200", "86400"), FS_172800=SOUND.replace("43200", "86400")) as path:
        done = _verify(maui, path, 1, "FS.86400: warning: its window has 86400 seconds, where older ones have 43200")
        harness.equal(done.stderr.count(b"\n"), 1, "lines of warnings")


def test_usage_of_a_user_who_has_two_lines_counts_once(maui):
    with _directory(FS_1700136000=MANUAL + "User root 15\nUser root 20\nTOTAL 20\n") as path:
        _verify(maui, path, 0, None)


def test_verify_of_damaged_files_is_exit_code_2_with_line_and_column(maui):
    for text, place in ((SOUND[:-1], "4:12"), (MANUAL + "User root x\n", "2:11"), (MANUAL + "User root -1\nTOTAL 1\n", "2:11"),
                        (MANUAL + "User root nan\nTOTAL 1\n", "2:11"), (MANUAL + "User root inf\nTOTAL 1\n", "2:11"),
                        (MANUAL + "User root 1e999\nTOTAL 1\n", "2:11"), (MANUAL + "User root 1\n", "3:1"),
                        (MANUAL + "User " + "n" * 10000 + " 1\nTOTAL 1\n", "2:6"), ("", "1:1"), (b"\0" * 100 + b"\n", "1:1"),
                        (SOUND + "# End: 7\n", "5:2")):
        with _directory(FS_1700136000=text) as path:
            done = _verify(maui, path, 2, rf"^{path}/FS.1700136000:{place}: error: .")
            if b"damaged" not in done.stdout:
                raise harness.Failure(harness.text_of(done))


LATER = MANUAL + "# Version: 2\nall is new\n"
LATER_WORDS = "a later Slurm-Maui wrote it: it has version 2 of its format, and this one reads 1"


def test_a_file_of_a_later_version_is_no_damaged_one(maui):
    with _directory(FS_1700136000=SOUND, FS_1700092800=LATER) as path:
        done = _verify(maui, path, 2, f"FS.1700092800: error: {LATER_WORDS}")
        if not re.search(rb"^FS.1700092800 .* later$", done.stdout, re.M):
            raise harness.Failure(harness.text_of(done))
        done = maui.run("fs", "show", CONFIG, AT, path)
        harness.check_code(done, 2)
        harness.check_errors(done, f"^ERROR:    {path}/FS.1700092800: {LATER_WORDS}: its window counts as empty\n$")
        done = _import(maui, path, "--to", path / "to")
        harness.check_code(done, 1)
        harness.check_errors(done, LATER_WORDS)
        harness.equal(_names(path / "to"), ["FS.1700136000"], "files")


def test_import_replaces_no_file_of_a_later_version(maui):
    with _directory(FS_1700136000=SOUND) as path:
        kept = path / "to/FS.1700136000"
        kept.parent.mkdir()
        kept.write_text(LATER)
        for force in ((), ("--force",), ("--force", "--dry-run")):
            done = _import(maui, path, "--to", path / "to", *force)
            harness.check_code(done, 1)
            harness.equal(done.stdout.decode().splitlines()[0], f"FS.1700136000    skipped: {LATER_WORDS}", "what is said")
            harness.equal(kept.read_text(), LATER, "the file")


def test_a_file_cut_anywhere_is_damaged_or_sound_but_no_crash(maui):
    """In one directory, for speed: a file for each length, its name the length."""
    text = (STATS / FILES[0]).read_bytes()
    with _directory(**{f"FS_{size}": text[:size] for size in range(len(text))}) as path:
        done = maui.run("fs", "verify", "--json", path)
        harness.check_code(done, 2)
        found = json.loads(done.stdout)["files"]
        harness.equal(len(found), len(text), "number of files")
        header = text.index(b"\n") + 1
        sound = [file["start"] for file in found if file["state"] == "sound"]
        harness.equal(sound, [header, header + 1], "sizes that are sound: an empty window's file")
        done = _import(maui, path, "--to", path / "to", "--json")
        harness.check_code(done, 1)
        harness.equal(json.loads(done.stdout)["imported"], 0, "number of imported files")


def test_verify_names_files_that_cannot_be_read(maui):
    with _directory(FS_1700136000=SOUND) as path:
        (path / "FS.1").mkdir()
        os.mkfifo(path / "FS.2")
        (path / "FS.3").symlink_to("nowhere")
        (path / "FS.4").symlink_to("FS.4")
        (path / "FS.43200").symlink_to("FS.1700136000")
        done = _verify(maui, path, 2, "FS.1: error: is a directory")
        for pattern in ("FS.2: error: is a FIFO", "FS.3: error: cannot be read: No such file",
                        "FS.4: error: cannot be read: Too many levels"):
            harness.check_errors(done, pattern)
        harness.equal(done.stdout.count(b"unreadable"), 4, "number of unreadable files")


def test_other_files_are_passed_over(maui):
    with _directory(FS_1700136000=SOUND) as path:
        for name in ("FS.1700136000.damaged", "FS.017", "FS.x", "FS.99999999999999999999", "events.1", "a\x1b[2J", "FS.-5"):
            (path / name).write_text("x")
        done = _verify(maui, path, 0, "NOTE:     passed over, .*: FS.-5, FS.017, FS.1700136000.damaged, .* and 2 more\n")
        if b"\x1b" in done.stderr:
            raise harness.Failure("an escape character in the output")
        harness.check_errors(maui.run("fs", "verify", "-v", path), "events.1")
        harness.equal(len(json.loads(maui.run("fs", "verify", "--json", path).stdout)["passed_over"]), 7, "passed over")


def test_a_directory_without_files_or_none_is_exit_code_2(maui):
    with _directory(other="x") as path:
        _verify(maui, path, 2, "error: it has no FS.<time> file")
        for name in (path / "missing", path / "other", ""):
            for command in (["verify"], ["show", CONFIG], ["import", CONFIG, "--to", path / "to"]):
                done = maui.run("fs", *command, name)
                harness.check_refused(done, "ERROR:    .*the directory cannot be read: (No such file|Not a directory)")
        done = _import(maui, path, "--to", path / "to")
        harness.check_code(done, 2)
        harness.equal(_names(path), ["other"], "files")


def test_verify_as_json(maui):
    with _directory(FS_1700136000=SOUND, FS_1700092800="x") as path:
        done = maui.run("fs", "verify", "--json", path)
        harness.check_code(done, 2)
        harness.check_errors(done, None)
        found = json.loads(done.stdout)
        harness.equal(list(found), ["schema", "directory", "errors", "warnings", "files", "problems", "passed_over"], "members")
        harness.equal((found["schema"], found["errors"], found["warnings"]), ("maui.fs-verify/1", 1, 0), "numbers")
        harness.equal(found["files"], [{"name": "FS.1700092800", "start": 1700092800, "state": "damaged"},
                                       {"name": "FS.1700136000", "start": 1700136000, "state": "sound", "dialect": "manual",
                                        "duration": INTERVAL, "counted": None, "metric": None, "entries": 2,
                                        "total": 20}], "files")
        problem = found["problems"][0]
        harness.equal((problem["severity"], problem["line"], problem["column"]), ("error", 1, 2), "problem")


def test_a_million_lines_do_not_take_long(maui):
    lines = "".join(f"User u{i} 1\n" for i in range(1000000))
    with _directory(FS_1700136000=MANUAL + lines + "TOTAL 1000000\n") as path:
        done = _verify(maui, path, 1, "only the first 10000 of 1000000 users were looked up")
        if b" 1000001 " not in done.stdout:
            raise harness.Failure(harness.text_of(done))
        done = _import(maui, path, "--to", path / "to")
        harness.check_code(done, 0)
        harness.equal((path / "to/FS.1700136000").read_bytes().count(b"\n"), 1000000 + 4, "lines")


# ---- show


def test_show_is_the_table_of_diagnose(maui):
    done = maui.run("fs", "show", CONFIG, AT, "stats")
    harness.check_code(done, 0)
    harness.check_golden(done, "diagnose-f.out")
    harness.check_errors(done, None)


def test_show_rolls_with_the_time(maui):
    done = maui.run("fs", "show", CONFIG, f"--at={1700140000 + 2 * INTERVAL}", "-v", "stats")
    harness.check_golden(done, "fs-show.later.out")
    done = maui.run("fs", "show", CONFIG, "--at=1800000000", "stats")
    harness.check_code(done, 0)
    harness.check_errors(done, "NOTE:     stats has no file of the windows that count")


def test_show_as_json(maui):
    found = json.loads(maui.run("fs", "show", CONFIG, AT, "--json", "stats").stdout)
    harness.equal(found["schema"], "maui.fs-show/1", "schema")
    harness.equal((found["at"], found["counted"], found["directory"]), (1700140000, None, "stats"), "what is not the engine's")
    bob = found["credentials"]["user"][1]
    usage = 357211.179 + 0.8**2 * 935795.457 + 0.8**4 * 983246.716
    if abs(bob["usage"] - usage) > 1e-6 or (bob["target"], bob["mark"]) != (10, "-"):
        raise harness.Failure(f"bob is {bob}")
    harness.equal([row["name"] for row in found["credentials"]["user"]], ["ann", "bob", "DEFAULT"], "users")


def test_show_goes_on_without_damaged_files_and_says_so(maui):
    with _directory() as path:
        shutil.copytree(STATS, path, dirs_exist_ok=True)
        (path / FILES[1]).write_text("User\n")
        done = maui.run("fs", "show", CONFIG, AT, path)
        harness.check_code(done, 2)
        harness.check_errors(done, f"^ERROR:    {path}/{FILES[1]}: line 1, column 5: .*: its window counts as empty\n$")
        if b"bob" not in done.stdout:
            raise harness.Failure(harness.text_of(done))


def test_show_notes_what_does_not_fit_the_policy(maui):
    with _directory(cfg="FSINTERVAL 6:00:00\n") as path:
        done = maui.run("fs", "show", f"--configfile={path / 'cfg'}", "--at=1700136001", "stats")
        harness.check_code(done, 0)
        harness.check_errors(done, "FS.1700136000 has a window of 43200 seconds, but FSINTERVAL is 21600\n(.|\n)*FSPOLICY is not set")


def test_show_needs_a_policy_and_a_directory(maui):
    for arguments, pattern in (([], "which maui.cfg"), (["stats"], "which maui.cfg"), ([CONFIG], "STATDIR .* StateSaveLocation"),
                               (["--configfile=errors.cfg", "stats"], "errors.cfg has 3 errors: `maui check errors.cfg`"),
                               (["--configfile=/nonexistent", "stats"], "No such file"), (["a", "b"], "one directory"),
                               (["--at=now", "stats"], "--at=now: a time is a number of seconds"), (["--at=-1", "stats"], "--at=-1"),
                               (["--at=99999999999999999999", "stats"], "--at=9"), (["--at=", "stats"], "--at=")):
        done = maui.run("fs", "show", *arguments)
        harness.check_refused(done, pattern)


def test_an_absolute_statdir_is_the_default_directory(maui):
    with _directory() as path:
        shutil.copytree(STATS, path / "stats")
        config = path / "maui.cfg"
        config.write_text((harness.FIXTURES / "fs.cfg").read_text() + f"STATDIR {path}/stats\n")
        done = maui.run("fs", "show", f"--configfile={config}", AT)
        harness.check_code(done, 0)
        harness.check_golden(done, "diagnose-f.out")


# ---- import


def test_import_writes_our_dialect_and_the_same_table(maui):
    with _directory() as path:
        done = _import(maui, "stats", "--to", path / "to")
        harness.check_code(done, 0)
        harness.check_golden(done, "fs-import.out")
        harness.equal(_names(path / "to"), FILES, "files")
        for name in FILES:
            if (path / "to" / name).stat().st_mode & 0o777 != 0o600:
                raise harness.Failure(f"the mode of {name}")
        harness.equal((path / "to" / FILES[2]).read_text(), MANUAL.replace(": 43", ":  43") + "\nUser bob 357211.179\n"
                      "Group staff 541656.334\nAccount acme 981652.401\nQOS hi 158260.846\nClass batch 313894.870\n"
                      "TOTAL 1963304.801\n# End: 6\n", "text")
        done = maui.run("fs", "show", CONFIG, AT, path / "to")
        harness.check_golden(done, "diagnose-f.out")


HEADER = "JobID|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|User|Group|Account|QOS|Partition|AllocCPUS|ReqTRES\n"
# Across the boundary of two windows; still running, 100 s before the list was made; never run; a step.
LIST = HEADER + """\
1|1700130000|1700130000|1700135900|1700136100|200|60|bob|staff|acme|hi|batch|4|cpu=4
2|1700136000|1700136000|1700137000|Unknown|100|UNLIMITED|ann||acme||batch|2|cpu=2
3|1700136000|1700136000|Unknown|Unknown|0|60|ann|staff|||batch|0|cpu=2
1.batch|1700135900|1700135900|1700135900|1700136100|200||||||||
"""


def _import_list(maui, text, *options, config=CONFIG):
    with _directory() as path:
        (path / "list").write_text(text)
        done = _import(maui, path / "list", "--sacct", "--to", path / "to", *options, config=config)
        to = path / "to"
        return done, {entry.name: entry.read_text() for entry in to.iterdir()} if to.exists() else {}


def test_import_makes_windows_of_what_sacct_lists(maui):
    done, files = _import_list(maui, LIST)
    harness.check_code(done, 0)
    harness.equal(done.stdout.decode().splitlines(),
                  ["FS.1700092800    imported", "FS.1700136000    imported", "2 imported, 0 skipped, 0 damaged"], "what is said")
    # The last second of the job that runs: the engine counts it from there on.
    says = "\n# Metric: DEDICATEDPS\n# Counted until: 1700137100\n\n"
    old = "User bob 400.000\nGroup staff 400.000\nAccount acme 400.000\nQOS hi 400.000\nClass batch 400.000\nTOTAL 400.000\n# End: 6\n"
    new = ("User ann 200.000\nUser bob 400.000\nGroup staff 400.000\nAccount acme 600.000\nQOS hi 400.000\n"
           "Class batch 600.000\nTOTAL 600.000\n# End: 7\n")
    for name, text in (("FS.1700092800", old), ("FS.1700136000", new)):
        head, _, usage = files[name].partition(says)
        harness.equal(head.startswith("# Fairshare Data File (Duration:  43200 Seconds)"), True, files[name])
        harness.equal(usage, text, name)


def test_import_of_a_list_replaces_nothing_unless_forced(maui):
    with _directory(FS_1700136000=SOUND) as path:
        (path / "list").write_text(LIST)
        done = _import(maui, path / "list", "--sacct", "--to", path)
        harness.check_code(done, 1)
        harness.equal(done.stdout.decode().splitlines()[-1], "1 imported, 1 skipped, 0 damaged", "summary")
        harness.equal((path / "FS.1700136000").read_text(), SOUND, "the file")
        harness.check_code(_import(maui, path / "list", "--sacct", "--to", path, "--force"), 0)
        harness.equal("TOTAL 600.000" in (path / "FS.1700136000").read_text(), True, "replaced")


COUNTED = "# Metric: DEDICATEDPS\n# Counted until: 1700137000\n# Steady clock: 5000 ms 1b4e28ba-2fa1-11d2-883f-0016d3cca427\n"


def test_import_of_a_list_adds_nothing_to_what_the_engine_has_counted(maui):
    """Its newest file says from when on it counts, and would have it count the list's jobs again."""
    with _directory(FS_1700136000=MANUAL + COUNTED + "User bob 9.000\nTOTAL 9.000\n# End: 2\n",
                    FS_1700049600=MANUAL + COUNTED + "User eve 7.000\nTOTAL 7.000\n# End: 2\n",
                    FS_1700006400=MANUAL + COUNTED + "TOTAL 0.000\n# End: 1\n") as path:
        (path / "list").write_text(LIST)
        before = {file.name: file.read_text() for file in path.iterdir()}
        done = _import(maui, path / "list", "--sacct", "--to", path)
        harness.check_code(done, 2)
        harness.check_errors(done, r"FS\.1700136000 has usage that was counted before: nothing is imported\. --force ")
        harness.equal({file.name: file.read_text() for file in path.iterdir()}, before, "the files")
        done = _import(maui, path / "list", "--sacct", "--to", path, "--force")
        harness.check_code(done, 0)
        for start in (1700006400, 1700049600, 1700092800, 1700136000):
            text = (path / f"FS.{start}").read_text()
            harness.equal("\n# Counted until: 1700137100\n" in text, True, text)
            harness.equal("Steady clock" in text, False, text)
        harness.equal("User eve 7.000\nTOTAL 7.000\n" in (path / "FS.1700049600").read_text(), True, "the list says nothing of it")


def test_import_of_a_list_counts_what_a_job_ran_beyond_its_limit(maui):
    done, files = _import_list(maui, HEADER + "1|1700136000|1700136000|1700136000|1700136085|85|1|bob||||batch|2|cpu=2\n")
    harness.check_code(done, 0)
    harness.equal("User bob 170.000\n" in files["FS.1700136000"], True, files)


def test_import_of_a_list_tells_what_it_cannot_do(maui):
    for text, words in (("", "no job in it has run"), (HEADER, "no job in it has run"), ("JobID|User\n1|bob\n", "")):
        done, files = _import_list(maui, text)
        harness.check_code(done, 2)
        harness.check_errors(done, words)
        harness.equal(files, {}, "nothing is written")
    done, files = _import_list(maui, LIST + "4|then|1|1|2|1|1|bob|staff|acme|hi|batch|4|cpu=4\n")
    harness.check_code(done, 1)
    harness.check_errors(done, "list:6:3: ")
    harness.equal(len(files), 2, "the others")
    done, files = _import_list(maui, LIST, "--dry-run")
    harness.check_code(done, 0)
    harness.equal((done.stdout.decode().splitlines()[-1], files), ("2 would be imported, 0 skipped, 0 damaged", {}), "a dry run")
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as config:
        config.write("FSPOLICY UTILIZEDPS\n")
        config.flush()
        done, files = _import_list(maui, LIST, config=f"--configfile={config.name}")
        harness.check_code(done, 2)
        harness.check_errors(done, "FSPOLICY of maui.cfg is UTILIZEDPS: --sacct counts processors, as DEDICATEDPS does")
        harness.equal(files, {}, "nothing is written")


def test_import_gives_the_files_to_the_user_of_slurm(maui):
    if os.getuid() != 0:
        return
    nobody = pwd.getpwnam("nobody")
    with _directory() as path:
        harness.check_code(_import(maui, "stats", "--to", path / "to", "--slurm-user=nobody"), 0)
        for file in (path / "to", *(path / "to").iterdir()):
            harness.equal((file.stat().st_uid, file.stat().st_gid), (nobody.pw_uid, nobody.pw_gid), f"owner of {file}")
        done = _import(maui, "stats", "--to", path / "root")
        harness.check_errors(done, "SlurmUser is not known, so the files belong to root")


def test_import_replaces_nothing_unless_forced(maui):
    with _directory(FS_1700136000=SOUND) as path:
        (path / FILES[1]).symlink_to("elsewhere")
        done = _import(maui, "stats", "--to", path)
        harness.check_code(done, 1)
        harness.equal(done.stdout.decode().splitlines()[-1], "1 imported, 2 skipped, 0 damaged", "summary")
        harness.equal((path / FILES[2]).read_text(), SOUND, "the file that was there")
        done = _import(maui, "stats", "--to", path, "--force")
        harness.check_code(done, 0)
        harness.equal(_names(path), FILES, "files")
        if (path / FILES[1]).is_symlink() or (path / FILES[2]).read_text() == SOUND:
            raise harness.Failure("a file is still the old one")


def test_import_replaces_windows_without_usage(maui):
    """The engine writes such files when it starts; nothing can be lost with them."""
    counted = "# Counted until: 1700140000\n"
    header = MANUAL.replace("Fairshare Data", "FS Data")
    for text in (MANUAL + counted + "\nTOTAL 0.000\n# End: 1\n", MANUAL + "TOTAL 0\n# Said by hand\n", "total 0\n", header,
                 header + "\nsched x 0.000\n", MANUAL.replace("43200", "86400") + "TOTAL 0\n"):
        with _directory(FS_1700136000=text, FS_1700222400=text) as path:
            done = _import(maui, "stats", "--dry-run", "--to", path)
            harness.check_code(done, 0)
            harness.equal((path / FILES[2]).read_text(), text, "the file that was there")
            done = _import(maui, "stats", "--to", path)
            harness.check_code(done, 0)
            harness.check_golden(done, "fs-import.out")
            harness.equal(_names(path), [*FILES, "FS.1700222400"], "files")
            harness.equal((path / "FS.1700222400").read_text(), text, "a file that Maui's directory has not")
            harness.check_golden(maui.run("fs", "show", CONFIG, AT, path), "diagnose-f.out")


def test_import_replaces_nothing_else_that_seems_empty(maui):
    for text in (MANUAL + "User root 0.000\nTOTAL 0.000\n", MANUAL + "TOTAL 0.001\n", MANUAL + "TOTAL 5\nTOTAL 0\n",
                 MANUAL + "Tree root 5\nTOTAL 0\n", MANUAL, MANUAL + "TOTAL 0", MANUAL + "# End: 1\n", "",
                 MANUAL + "TOTAL -0.001\n"):
        with _directory(FS_1700136000=text) as path:
            for options in ([], ["--dry-run"]):
                done = _import(maui, "stats", "--to", path, *options)
                harness.check_code(done, 1)
                if b"FS.1700136000    skipped: there is one already (--force" not in done.stdout:
                    raise harness.Failure(f"{text!r}: {harness.text_of(done)}")
            harness.equal((path / FILES[2]).read_text(), text, "the file that was there")
    with _directory(empty=MANUAL + "TOTAL 0\n") as path:
        (path / FILES[0]).symlink_to("empty")
        os.mkfifo(path / FILES[1])
        (path / FILES[2]).mkdir()
        done = _import(maui, "stats", "--to", path)
        harness.check_code(done, 1)
        harness.equal(done.stdout.decode().splitlines()[-1], "0 imported, 3 skipped, 0 damaged", "summary")


def test_import_without_writing(maui):
    with _directory(FS_1700136000=SOUND) as path:
        done = _import(maui, "stats", "--dry-run", "--to", path)
        harness.check_code(done, 1)
        harness.check_golden(done, "fs-import.dry.out")
        harness.equal(_names(path), [FILES[2]], "files")
        done = _import(maui, "stats", "--dry-run", "--to", path / "missing")
        harness.check_code(done, 0)
        harness.equal(_names(path), [FILES[2]], "files")


def test_import_of_what_still_counts(maui):
    with _directory() as path:
        done = _import(maui, "stats", "--recent", "--to", path)
        harness.check_code(done, 0)
        harness.equal(done.stdout.decode().splitlines()[-1], "0 imported, 3 skipped, 0 damaged", "summary")


def test_import_skips_damaged_files_and_windows_that_never_count(maui):
    with _directory(FS_1700136000=SOUND, FS_1700092800="User x\n", FS_1700049600=MANUAL.replace("Fairshare", "FS"),
                    FS_777=SOUND) as path:
        done = _import(maui, path, "--to", path / "to")
        harness.check_code(done, 1)
        harness.check_golden(done, "fs-import.damaged.out")
        harness.check_errors(done, f"{path}/FS.1700092800:1:7: error: the usage is missing")
        harness.equal(_names(path / "to"), ["FS.1700049600", "FS.1700136000"], "files")
        harness.equal((path / "to/FS.1700049600").read_text().splitlines()[-2:], ["TOTAL 0.000", "# End: 1"], "an empty window")


def test_import_as_json(maui):
    with _directory() as path:
        done = _import(maui, "stats", "--json", "--to", path)
        found = json.loads(done.stdout)
        harness.equal(list(found), ["schema", "from", "to", "dry_run", "imported", "skipped", "damaged", "files", "problems"],
                      "members")
        harness.equal((found["schema"], found["imported"]), ("maui.fs-import/1", 3), "numbers")
        harness.equal(found["files"][0], {"name": FILES[0], "action": "imported", "text": ""}, "a file")


def test_import_refuses_windows_of_another_length(maui):
    with _directory(cfg="FSPOLICY DEDICATEDPS\n") as path:
        done = _import(maui, "stats", "--to", path / "to", config=f"--configfile={path / 'cfg'}")
        harness.check_code(done, 2)
        harness.check_quiet(done)
        harness.check_errors(done, "43200 seconds, but FSINTERVAL is 86400: nothing is imported. "
                                   "maui.cfg needs the line: FSINTERVAL 12:00:00")
        harness.equal(_names(path), ["cfg"], "files")


def test_import_needs_a_target(maui):
    done = _import(maui, "stats")
    harness.check_code(done, 2)
    harness.check_errors(done, "StateSaveLocation, which is not known(.|\n)*--to names the directory")
    for arguments in ([], ["a", "b"]):
        done = maui.run("fs", "import", *arguments)
        harness.check_code(done, 2)
        harness.check_errors(done, "which directory")


def test_import_into_what_is_no_directory(maui):
    with _directory(file="x") as path:
        for name, pattern in (("file", "Not a directory"), ("missing/to", "No such file")):
            done = _import(maui, "stats", "--to", path / name)
            harness.check_code(done, 2)
            harness.check_errors(done, f"cannot open the directory .*: {pattern}")


def _limited():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_import_onto_a_full_disk(maui):
    with _directory() as path:
        done = subprocess.run(
            [maui.program, "fs", "import", CONFIG, STATS, "--to", path, "--host=127.0.0.1", "--port=1"],
            cwd=harness.FIXTURES, env={"SLURM_CONF": "/nonexistent/slurm.conf"}, capture_output=True, check=False,
            preexec_fn=_limited)
        harness.check_code(done, 2)
        harness.check_errors(done, f"ERROR:    cannot write {path}/{FILES[0]}: File too large")
        harness.equal(_names(path), [], "files")


def _with_engine(maui, data, *arguments, answer=None):
    with fake.FakeService(_munge, answer or fake.good(data)) as service:
        done = maui.run("fs", "import", "stats", "--host=127.0.0.1", f"--port={service.port}",
                        f"--munge-socket={_munge.socket}", f"--slurm-user={os.getuid()}", *arguments)
        return done, service.requests


def test_import_refuses_while_the_engine_would_overwrite(maui):
    with _directory() as path:
        (path / "link").symlink_to(path)
        config = path / "maui.cfg"
        config.write_text((harness.FIXTURES / "fs.cfg").read_text() + f"STATDIR {path}\n")
        own = f"--configfile={config}"
        for data, options in (({"directory": str(path)}, [own]), ({"directory": "/elsewhere"}, [own]),
                              ({"directory": str(path)}, [CONFIG, "--to", path]),
                              ({"directory": str(path / "link")}, [CONFIG, "--to", path]),
                              ({"directory": None}, [own, "--to", path]), ({}, [CONFIG, "--to", path])):
            done, _ = _with_engine(maui, data, *options)
            harness.check_refused(done, "the engine runs .* stop slurmctld first")
        done, _ = _with_engine(maui, {}, own, answer=fake.raw(b"HTTP/1.0 400\n"))
        harness.check_code(done, 2)
        harness.check_errors(done, "whether the engine runs is not certain")
        harness.equal(_names(path), ["link", "maui.cfg"], "files")


def test_import_beside_a_running_engine(maui):
    with _directory() as path:
        done, requests = _with_engine(maui, {"directory": "/elsewhere"}, CONFIG, "--to", path)
        harness.check_code(done, 0)
        harness.equal(requests[0]["command"], "diagnose-fairshare", "command")
        done, requests = _with_engine(maui, {}, CONFIG, "--to", path, "--dry-run")
        harness.equal(requests, [], "requests")


def test_wrong_usage_is_explained(maui):
    for arguments, pattern in (([], "fs verify, fs show, or fs import"), (["frob"], "fs has no frob"), (["verify"], "which directory"),
                               (["verify", "a", "b"], "which directory"), (["verify", "-x", "a"], "invalid option"),
                               (["import", "--to"], "requires"), (["-q"], "invalid option")):
        done = maui.run("fs", *arguments)
        harness.check_refused(done, pattern)
    done = maui.run("fs", "--json", "verify", "stats")
    harness.equal(json.loads(done.stdout)["schema"], "maui.fs-verify/1", "schema")
