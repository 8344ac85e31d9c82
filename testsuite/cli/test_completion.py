# SPDX-License-Identifier: GPL-2.0-or-later
"""Shell completion. It knows what the program's help knows; its functions are driven
as the shells would."""

import os
import pathlib
import re
import subprocess
import tempfile

import cli_harness as harness

BASH = harness.HERE.parents[1] / "contribs/completion/maui"
ZSH = harness.BUILD / "contribs/completion/_maui"

# In place of Slurm's commands.
STUBS = {
    "squeue": 'case "$*" in *%[ug]*) printf "root\\ndaemon\\nroot\\n" ;; *) printf "17\\n18_[1-9]\\n19_3\\n" ;; esac',
    "getent": "exec sleep 60",
    "sinfo": 'case "$*" in *%N*) printf "n1\\nn2\\n" ;; *) printf "batch\\nfew\\n" ;; esac',
    "sacctmgr": 'case "$*" in *account*) printf "physics\\nchemistry\\n" ;; *) printf "normal\\nhigh\\n" ;; esac',
    "scontrol": "echo 'ReservationName=night.20261120 StartTime=x'; echo 'ReservationName=maint.0 StartTime=x'",
}
RESERVATIONS = {"night.20261120", "maint.0"}


def _table(maui):
    """name -> words"""
    done = maui.run("help", "--commands")
    harness.check_code(done, 0)
    lines = [line.split() for line in done.stdout.decode().splitlines()]
    return {line[0]: line[1:] for line in lines}


def _help_commands(maui):
    text = maui.run("--help").stdout.decode()
    return re.findall(r"^  (\S+)", text.partition("Commands:\n")[2].partition("\n\n")[0], re.MULTILINE)


def test_the_table_has_every_command(maui):
    table = _table(maui)
    aliases = set(table) - set(_help_commands(maui)) - {"maui"}
    old = {"changeparam", "mjobctl", "mrsvctl", "mshow", "profiler", "resetstats", "runjob", "setqos", "showgrid"}
    harness.equal(aliases, {"mdiag"} | old, "names beside those of the help")
    harness.equal([name for name in table if name in _help_commands(maui)], _help_commands(maui), "the commands")


def test_the_table_has_every_option_of_the_help(maui):
    table = _table(maui)
    for name in _help_commands(maui):
        own = maui.run(name, "--help").stdout.decode()
        known = {word.rstrip("=") for word in table[name] + table["maui"]}
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", own):
            if option not in known:
                raise harness.Failure(f"{option} of {name} is missing")
        for line in own.splitlines():
            for option in re.findall(r"(?<![\w-])-[A-Za-z](?![\w-])", line[:26] if line.startswith(" ") else ""):
                if option not in known:
                    raise harness.Failure(f"{option} of {name} is missing")


def test_options_that_take_a_value_say_so(maui):
    table = _table(maui)
    for name, option in (("explain-nodes", "--limit="), ("setres", "--user="), ("fs", "--to="), ("maui", "--host="),
                         ("maui", "--json"), ("setres", "--exclusive"), ("fs", "--recent")):
        if option not in table[name]:
            raise harness.Failure(f"{name} lacks {option}: {table[name]}")


def _stubs(maui, directory):
    path = pathlib.Path(directory)
    for name, text in STUBS.items():
        (path / name).write_text(f"#!/bin/sh\n{text}\n")
        (path / name).chmod(0o755)
    (path / "maui").write_text(f'''#!/bin/sh
[ "$1" != showconfig ] || exec printf '%sCFG[%s]  MAXJOB=2\\n' USER DEFAULT USER eve GROUP phys
exec {maui.program} "$@"
''')
    (path / "maui").chmod(0o755)
    return path


def _complete(maui, *words):
    """What bash offers for the last word."""
    with tempfile.TemporaryDirectory(prefix="maui-cli.") as directory:
        _stubs(maui, directory)
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _maui\n'
                  "for word in ${COMPREPLY[@]+\"${COMPREPLY[@]}\"}; do printf '%s\\n' \"$word\"; done")
        done = subprocess.run(["bash", "--norc", "-uc", script, "bash", BASH, *words], capture_output=True, text=True,
                              env={"PATH": f"{directory}:/usr/bin:/bin", "LC_ALL": "C",
                                   "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")},
                              check=False, timeout=60)
    if done.returncode > 1 or done.stderr:
        raise harness.Failure(f"bash: {done.returncode} {done.stderr}")
    return done.stdout.split()


def _offers(maui, words, expected):
    harness.equal(set(_complete(maui, *words)), set(expected), f"what bash offers for {' '.join(words)!r}")


def test_bash_offers_commands(maui):
    _offers(maui, ["maui", ""], [*(name for name in _table(maui) if name != "maui"), "help"])
    _offers(maui, ["maui", "show"], [name for name in _table(maui) if name.startswith("show")])
    _offers(maui, ["maui", "help", "doc"], ["doctor"])
    _offers(maui, ["maui", "--host", "=", "x", "doc"], ["doctor"])
    _offers(maui, ["maui", "--ver"], ["--version"])


def test_bash_offers_options_of_a_command_and_of_all(maui):
    table = _table(maui)
    _offers(maui, ["maui", "check", "--"], [word for word in table["check"] + table["maui"] if word[:2] == "--" and "@" not in word])
    _offers(maui, ["maui", "explain-nodes", "--li"], ["--limit="])
    _offers(maui, ["setres", "--cl"], ["--class="])
    _offers(maui, ["/opt/bin/checknode", "--js"], ["--json"])


def test_bash_offers_sub_commands_and_names(maui):
    _offers(maui, ["maui", "fs", ""], ["verify", "show", "import"])
    _offers(maui, ["maui", "res", "explain", "1"], ["17", "18", "19_3"])
    _offers(maui, ["maui", "checknode", ""], ["n1", "n2"])
    _offers(maui, ["checknode", "n"], ["n1", "n2"])
    _offers(maui, ["maui", "showres", ""], RESERVATIONS)
    _offers(maui, ["diagnose", "-r", "ni"], ["night.20261120"])
    _offers(maui, ["maui", "setres", ""], ["ALL", "n1", "n2"])
    _offers(maui, ["maui", "diagnose", "-f", "cl"], ["class"])
    _offers(maui, ["maui", "doctor", ""], [])


def test_bash_offers_values_of_options(maui):
    _offers(maui, ["maui", "diagnose", "-p", "-t", ""], ["batch", "few"])
    _offers(maui, ["maui", "diagnose", "-p", "--user", "=", "daem"], ["daemon"])
    _offers(maui, ["maui", "diagnose", "-q", "-l", ""], ["HARD", "SOFT"])
    _offers(maui, ["maui", "status", "--format", "="], ["json", "text"])
    _offers(maui, ["maui", "check", "--configfile", "=", ""], [])


# What is typed where the help says USER, PARTITION, GROUP, ACCOUNT, QOS or JOB.
VALUES = (
    "showq -u daem", "showq --user = daem", "showq -p few", "showq --partition = few", "showbf -u daem", "showbf -g daem",
    "showbf -c few", "showbf -p few", "showbf -a che", "showbf -q hi", "setres -u daem", "setres --user = daem",
    "setres --group = daem", "setres -q few", "setres --class = few", "setres -p few", "setres --partition = few",
    "setres -a che", "setres -Q hi", "diagnose -p -u daem", "diagnose -q -t few", "diagnose -j --user = daem",
    "diagnose -u daem", "diagnose -t few", "diagnose -c few", "diagnose -a che", "diagnose -Q hi", "mdiag -n -t few",
    "showstats -u daem", "showstats -g daem", "showstats -c few", "showstats -q hi", "setqos hi", "canceljob 18",
    "mjobctl -c 18", "sethold -u 18", "runjob 18", "status --slurm-user = daem")
FOUND = {"daem": ["daemon"], "few": ["few"], "che": ["chemistry"], "hi": ["high"], "18": ["18"]}


def test_bash_offers_users_partitions_and_the_like(maui):
    for words in VALUES:
        words = words.split()
        _offers(maui, ["maui", *words], FOUND[words[-1]])
        if words[0] != "status":
            _offers(maui, words, FOUND[words[-1]])
    _offers(maui, ["showq", "-w", ""], ["acct=", "class=", "group=", "qos=", "user="])
    _offers(maui, ["showstart", "-e", ""], ["all", "prio", "rsv"])
    _offers(maui, ["showbf", "-d", ""], [])
    _offers(maui, ["showq", "-u", "nosuch"], [])
    _offers(maui, ["showq", "-u", ""], ["daemon", "eve", "root"])
    _offers(maui, ["showbf", "-g", ""], ["daemon", "phys", "root"])


def test_zsh_offers_users_partitions_and_the_like(maui):
    """Its function is driven with what zsh's own completion would be in its place."""
    zsh = harness.find("zsh")
    if not zsh:
        print("       (zsh is not installed)")
        return
    frame = """compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -l -- ${(M)@:#$PREFIX*}; }
_files() { print FILES }
compset() { PREFIX=${PREFIX#*=} }
words=("$@"); CURRENT=$#; PREFIX=$words[CURRENT]; set --
"""
    with tempfile.TemporaryDirectory(prefix="maui-cli.") as directory:
        path = _stubs(maui, directory)
        script = path / "script"
        script.write_text(frame + ZSH.read_text(encoding="utf-8"))
        for words in VALUES:
            typed = words.replace(" = ", "=").split()
            done = subprocess.run([zsh, "-f", script, "maui", *typed], capture_output=True, text=True, check=False, timeout=60,
                                  env={"PATH": f"{directory}:/usr/bin:/bin", "LC_ALL": "C",
                                       "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")})
            harness.equal(done.stderr, "", f"errors for {words}")
            harness.equal(set(done.stdout.split()), set(FOUND[words.split()[-1]]), f"what zsh offers for {words!r}")


def test_bash_is_clean_for_shellcheck():
    if not harness.find("shellcheck"):
        print("       (shellcheck is not installed)")
        return
    done = subprocess.run(["shellcheck", BASH], capture_output=True, check=False)
    if done.returncode:
        raise harness.Failure(harness.text_of(done))


def test_zsh_completes_the_names_that_are_links(maui):
    names = ZSH.read_text(encoding="utf-8").splitlines()[0].split()
    harness.equal(names[:2], ["#compdef", "maui"], "the first line")
    for name in names[2:]:
        if name not in _table(maui):
            raise harness.Failure(f"{name} is no command")


def test_zsh_understands_it():
    zsh = harness.find("zsh")
    if not zsh:
        print("       (zsh is not installed)")
        return
    done = subprocess.run([zsh, "-n", ZSH], capture_output=True, check=False)
    if done.returncode or done.stderr:
        raise harness.Failure(harness.text_of(done))
