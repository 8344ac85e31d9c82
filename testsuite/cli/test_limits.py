# SPDX-License-Identifier: GPL-2.0-or-later
"""maui diagnose -q, -u, -g, -a, -c, -Q: the original's lines, what is ours, and whatever the engine says, no crash."""

import json

import cli_harness as harness
import fake_service as fake
import limits_data as ld

_munge = harness.munge

TYPES = {"-u": ("user", ld.users), "-g": ("group", ld.groups), "-a": ("account", ld.accounts),
         "-c": ("class", ld.classes), "-Q": ("qos", ld.qos)}

# Of the original. Its jobs have names, and its QOS one that stands for all.
CAPTURES = {
    "-u": """\
Displaying user information...
Name         Priority        Flags         QDef      QOSList*        PartitionList Target  Limits

carol               0       [NONE]       [NONE]       [NONE]                [NONE]   0.00  [NONE]
alice             100       [NONE]       [NONE]       [NONE]                [NONE]  20.00  [NONE]
bob               -50       [NONE]       [NONE]       [NONE]                [NONE]  30.00  [NONE]
root                0       [NONE]       [NONE]       [NONE]                [NONE]   0.00  [NONE]
DEFAULT             0       [NONE]       [NONE]       hi:low                [NONE]   0.00  MAXIJOB=4
dave                0       [NONE]       [NONE]       [NONE]                [NONE]   0.00  [NONE]

""",
    "-g": """\
Displaying group information...
Name         Priority        Flags         QDef      QOSList*        PartitionList Target  Limits

staff               0       [NONE]       [NONE]       [NONE]                [NONE]   0.00  MAXPROC=20,24
phys                0       [NONE]       [NONE]       [NONE]                [NONE]   0.00  [NONE]
DEFAULT             0       [NONE]       [NONE]       [NONE]                [NONE]   0.00  [NONE]

""",
    "-a": """\
Displaying account information...
Name         Priority        Flags         QDef      QOSList*        PartitionList Target  Limits

B                   0       [NONE]       [NONE]       [NONE]                [NONE]   0.00  [NONE]
A                   0       [NONE]       [NONE]       [NONE]                [NONE]   0.00  [NONE]
DEFAULT             0       [NONE]       [NONE]       [NONE]                [NONE]   0.00  [NONE]

""",
    "-c": """\
Class/Queue Status

Name           Priority Flags        QDef              QOSList* PartitionList        Target Limits

batch                 0 [NONE]       [NONE]             [NONE]  [NONE]                0.00  [NONE]
interactive           0 [NONE]       [NONE]             [NONE]  [NONE]                0.00  [NONE]

""",
    "-Q": """\
QOS Status

System QOS Settings:  QList: DEFAULT (Def: DEFAULT)  Flags: 0

Name                * Priority QTWeight QTTarget XFWeight XFTarget     QFlags   JobFlags Limits

DEFAULT                      0        0        0        0     0.00     [NONE]     [NONE] [NONE]
hi                         100        0        0        0     0.00     [NONE]     [NONE]  MAXJOB=3 OMAXNODE=20
  Users:     DEFAULT
low                        -10        0        0        0     0.00     [NONE]     [NONE] [NONE]
  Users:     DEFAULT

""",
    "-q": """\
Diagnosing blocked jobs (policylevel SOFT  partition ALL)

job 1 violates active SOFT MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
job 2 violates active SOFT MAXPROC limit of 20 for group staff  (R: 16, U: 12)
job 4 violates active SOFT MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
job 6 violates active SOFT MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
job 10 violates active SOFT MAXPROC limit of 20 for group staff  (R: 16, U: 12)
job 12 violates active SOFT MAXPROC limit of 20 for group staff  (R: 16, U: 12)
job 14 violates active SOFT MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
job 16 violates active SOFT MAXPROC limit of 20 for group staff  (R: 16, U: 12)
job 23 violates active SOFT MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
job 24 violates active SOFT MAXPROC limit of 20 for group staff  (R: 16, U: 12)
job 28 violates active SOFT MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
job 29 violates active SOFT MAXJOB limit of 3 for qos hi  (R: 1, U: 3)

""",
}


def _ask(maui, answer, *arguments):
    with fake.FakeService(_munge, answer) as service:
        done = maui.run("diagnose", *arguments, f"--port={service.port}", "--host=127.0.0.1",
                        f"--munge-socket={_munge.socket}", f"--slurm-user={fake.os.getuid()}")
        return done, service.requests


def _golden(maui, data, golden, *arguments, errors=None):
    done, requests = _ask(maui, fake.good(data), *arguments)
    harness.check_code(done, 0)
    harness.check_golden(done, golden)
    harness.check_errors(done, errors)
    return requests


def test_prints_the_original_to_the_character(maui):
    for option, make in [(option, make) for option, (_, make) in TYPES.items()] + [("-q", ld.sample)]:
        done, _ = _ask(maui, fake.good(make()), option)
        harness.check_code(done, 0)
        harness.equal(done.stdout.decode(), CAPTURES[option], f"diagnose {option}")
        harness.check_errors(done, None)


def test_blocked_jobs_have_messages_of_all_kinds(maui):
    more = "^NOTE:     7 more jobs are blocked: ask by -t, --user or job\n$"
    requests = _golden(maui, ld.all_kinds(), "diagnose-q.kinds.out", "-q", errors=more)
    harness.equal(requests[0]["command"], "diagnose-blocked", "command")
    harness.equal(requests[0]["arguments"], {}, "arguments")
    _golden(maui, ld.all_kinds(), "diagnose-q.verbose.out", "-q", "-v", errors=more)


def test_the_level_is_that_of_the_engine(maui):
    data = ld.jobs(level="hard", partition="fast")
    requests = _golden(maui, data, "diagnose-q.empty.out", "-q", "-l", "Hard", "-t", "fast")
    harness.equal(requests[0]["arguments"], {"level": "hard", "partition": "fast"}, "arguments")
    for options, arguments in ((["-l", "SOFT"], {"level": "soft"}), (["-u", "bob"], {"user": "bob"}),
                               (["--user=bob", "17", "18_3"], {"user": "bob", "jobs": [17, 18]})):
        _, requests = _ask(maui, fake.good(ld.all_kinds()), "-q", *options)
        harness.equal(requests[0]["arguments"], arguments, f"arguments of {options}")


def test_blocked_jobs_can_be_asked_for_by_number(maui):
    for name, rows in (("17", [17]), ("18_3", [19]), ("18_5", [18]), ("18", [19, 18])):
        done, _ = _ask(maui, fake.good(ld.all_kinds()), "-q", "--json", name)
        harness.equal([job["job"] for job in json.loads(done.stdout)["jobs"]], rows, f"jobs of {name}")
    done, _ = _ask(maui, fake.good(ld.all_kinds()), "-q", "99")
    harness.check_code(done, 0)
    harness.check_errors(done, "NOTE:     job 99 is not blocked, or is not yours to see")


def test_limits_show_what_is_left(maui):
    _golden(maui, ld.busy_users(), "diagnose-u.busy.out", "-u")
    _golden(maui, ld.busy_users(), "diagnose-u.verbose.out", "-u", "-v")
    _golden(maui, ld.busy_qos(), "diagnose-Q.busy.out", "-Q")


def test_a_user_and_a_uid_of_the_same_digits_are_told_apart(maui):
    second = {"second_type": "user", "second": "1001", "metric": "jobs"}
    pairs = [ld.limit("MAXJOB[USER:1001]", 4, 1, **second), ld.limit("MAXJOB[USER:1001]", 4, 2, second_unnamed=True, **second)]
    for kind, option in (("user", "-u"), ("group", "-g")):
        data = ld.credentials(kind, ld.row("1001", limits=[ld.limit("MAXJOB", 3, 1)]), ld.row("1001", unnamed=True, limits=[ld.limit("MAXJOB", 3, 2)]))
        done, _ = _ask(maui, fake.good(data), option)
        harness.equal([line.split()[0] for line in done.stdout.decode().splitlines() if line and " 0 " in line], ['"1001"', "1001"], option)
    data = ld.credentials("account", ld.row("1001", limits=pairs))
    done, _ = _ask(maui, fake.good(data), "-a")
    harness.equal([line.split()[0] for line in done.stdout.decode().splitlines() if " 0 " in line and "MAXJOB" not in line], ["1001"], "an account")
    for line in ("  MAXJOB[USER:1001]=4: 1 in use, 3 left\n", "  MAXJOB[USER:1001] (without a name)=4: 2 in use, 2 left\n"):
        if line not in done.stdout.decode():
            raise harness.Failure(harness.text_of(done))


def test_digits_are_a_name_where_somebody_has_it(maui):
    """Users and groups alike; otherwise they are the number."""
    named, numbered = ld.row("1001"), ld.row("1001", unnamed=True)
    for kind, option in (("user", "-u"), ("group", "-g")):
        for rows, wanted in (((named, numbered), [None]), ((numbered,), [True]), ((named,), [None])):
            done, _ = _ask(maui, fake.good(ld.credentials(kind, *rows)), "--json", option, "1001")
            harness.check_code(done, 0)
            harness.check_errors(done, None)
            harness.equal([row.get("unnamed") for row in json.loads(done.stdout)["credentials"]], wanted, f"{option} {rows}")
        done, _ = _ask(maui, fake.good(ld.credentials(kind, named, numbered)), "--json", option)
        harness.equal(len(json.loads(done.stdout)["credentials"]), 2, f"all of {option}")


def test_types_and_names_are_passed_on(maui):
    for option, (kind, make) in TYPES.items():
        _, requests = _ask(maui, fake.good(make()), option)
        harness.equal(requests[0]["command"], "diagnose-credentials", "command")
        harness.equal(requests[0]["arguments"], {"type": kind}, f"arguments of {option}")
        done, _ = _ask(maui, fake.good(make()), option, "nosuch")
        if kind in ("user", "group"):
            harness.check_refused(done, f"^ERROR:    there is no {kind} nosuch\n$")
        done, requests = _ask(maui, fake.good(make()), option, "daemon")
        harness.equal(requests[0]["arguments"], {"type": kind, "name": "daemon"}, f"arguments of {option} daemon")
        harness.check_errors(done, f"NOTE:     maui.cfg does not name {kind} daemon, who has no jobs, or is not yours")
    _, requests = _ask(maui, fake.good(ld.users()), "-v", "bob", "-u")
    harness.equal(requests[0]["arguments"], {"type": "user", "name": "bob"}, "arguments")


def test_who_is_not_held_to_limits_is_told(maui):
    for members, pattern in (({"limited": False, "enforced": False, "counted": False},
                              "NOTE:     maui.cfg sets no limit: "),
                             ({"enforced": False, "counted": False},
                              "NOTE:     no job is held to these limits: slurmctld"),
                             ({"counted": False}, "NOTE:     what is in use is still being counted"),
                             ({"omitted": 5}, "NOTE:     5 more are not shown"),
                             ({"omitted_pairs": 6}, "NOTE:     limits of 6 more pairs are not shown")):
        done, _ = _ask(maui, fake.good(ld.users() | members), "-u")
        harness.check_code(done, 0)
        harness.check_errors(done, f"^{pattern}[^\n]*\n$")


def test_json_is_the_data_of_the_engine_unchanged_behind_its_schema(maui):
    for option, name, data in (("-q", "blocked", ld.all_kinds()), ("-u", "credentials", ld.busy_users()),
                               ("-Q", "credentials", ld.busy_qos())):
        data |= {"later": [1, 2.50, None]}
        done, _ = _ask(maui, fake.good(data), option, "--json")
        harness.check_code(done, 0)
        found = json.loads(done.stdout)
        harness.equal(next(iter(found)), "schema", "the first member")
        harness.equal(found.pop("schema"), f"maui.diagnose-{name}/1", "schema")
        harness.equal(found, data, "data")


def test_what_the_engine_refuses_is_exit_code_5(maui):
    for option in (*TYPES, "-q"):
        done, _ = _ask(maui, fake.error("unknown command"), option)
        harness.check_code(done, 5)
        harness.check_quiet(done)
        harness.check_errors(done, "ERROR:    unknown command")


def test_wrong_usage_is_explained(maui):
    for words, pattern in ((["-q", "-p"], "one at a time"), (["-u", "-g"], "-u or -g, one at a time"),
                           (["-u", "bob", "eve"], "one user at a time"), (["-Q", "-t", "x"], "--partition goes with"),
                           (["-g", "--user=x"], "--user goes with -p, -f, -j and -q"), (["-q", "x"], "x is not a job ID"),
                           (["-q", "-l", "OFF"], "-l OFF: the level must be SOFT or HARD"),
                           (["-u", "-l", "SOFT"], "-l goes with -q"), (["-p", "-l", "SOFT"], "-l goes with -q"),
                           (["-q", "-u"], "requires an argument"),
                           (["-f", "--partition=x"], "--partition goes with -p, -j, -n and -q")):
        done = maui.run("diagnose", *words)
        harness.check_refused(done, pattern)


def _evil(value):
    """The same with a control sequence in every text but the type, which chooses the columns."""
    if isinstance(value, dict):
        return {key: member if key == "type" else _evil(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_evil(member) for member in value]
    return f"\x1b]0;{value}\x07\n" if isinstance(value, str) or value is None else value


CASES = (("-q", ld.all_kinds), ("-u", ld.busy_users), ("-c", ld.classes), ("-Q", ld.busy_qos))


def test_names_cannot_command_the_terminal(maui):
    for option, make in CASES:
        done, _ = _ask(maui, fake.good(_evil(make())), option, "-v")
        harness.check_code(done, 0)
        if b"\x1b" in done.stdout or b"\x07" in done.stdout:
            raise harness.Failure("control characters in the output")


def test_odd_data_is_no_crash(maui):
    """Of each some dozens, sampled: each is a run of the program."""
    for option, make in CASES:
        changes = list(harness.odd(make()))
        for changed in changes[::max(1, len(changes) // 60)]:
            done, _ = _ask(maui, fake.good(changed), option, "-v")
            if done.returncode not in (0, 4):
                raise harness.Failure(f"exit code {done.returncode} for {changed}: {harness.text_of(done)}")
