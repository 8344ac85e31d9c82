# SPDX-License-Identifier: GPL-2.0-or-later
"""maui doctor without a Slurm, maui disable and enable with a fake engine. What they say of a real one is in
testsuite/scenarios/test_disable.py."""

import json
import os
import pathlib
import re
import tempfile

import cli_harness as harness
import fake_service as fake

CLEAN = {
    "disabled": True, "finished": True, "blocked_jobs": 0, "rejected_jobs": 0, "passes": 0, "asking_jobs": 0,
    "system_priorities": 0,
    "reservation_count": 0, "reservations": [], "state_directory": "/var/spool/slurmctld/maui",
    "slurm_conf": "/etc/slurm/slurm.conf",
}
# What the command adds without a slurm.conf.
NOTHING: dict[str, object] = {"slurm_conf_lines": [], "slurm_conf_before": None, "plugin": None, "removal": None}
_munge = harness.munge


def _ask(maui, command, answer, *arguments):
    with fake.FakeService(_munge, answer) as service:
        done = maui.run(command, f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={os.getuid()}", *arguments)
        harness.equal(service.requests[0]["command"], command, "the request")
    return done


def test_disable_tells_what_to_do_next(maui):
    done = _ask(maui, "disable", fake.good(CLEAN))
    harness.check_code(done, 0)
    harness.check_golden(done, "disable.out")
    harness.check_errors(done, "NOTE:     slurm.conf is not known here")


def test_disable_repeats_the_challenge_that_the_engine_gives(maui):
    with fake.FakeService(_munge, fake.good(CLEAN)) as service:
        for command in ("disable", "enable"):
            maui.run(command, f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                     f"--slurm-user={os.getuid()}")
        harness.equal([request["challenge"] for request in service.requests], service.challenges, "what is repeated")
        harness.equal(len(service.challenges), 2, "challenges")


def test_disable_sends_nothing_to_somebody_who_proves_nothing(maui):
    with fake.FakeService(_munge, fake.good(CLEAN)) as service:
        service.envelope = lambda request, **members: [b'{"schema": "maui.answer/1", "status": "ok", "data": {"challenge": "0"}}\n']
        done = maui.run("disable", f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={os.getuid()}")
        harness.check_code(done, 4)
        harness.check_errors(done, "ERROR: .*proves nothing")
        harness.equal((len(service.challenges), service.requests), (1, []), "requests")


def test_disable_tells_what_is_left(maui):
    rest = CLEAN | {"blocked_jobs": 2, "rejected_jobs": 1, "passes": 3, "asking_jobs": 4, "system_priorities": 2, "system_priority_jobs": [17, 4711], "reservation_count": 2,
                    "reservations": ["own.inf", "SYSTEM.0\x1b[2J"]}
    done = _ask(maui, "disable", fake.good(rest))
    harness.check_code(done, 1)
    harness.check_golden(done, "disable.left.out")
    harness.check_code(_ask(maui, "disable", fake.good(CLEAN | {"finished": False})), 1)


def test_disable_as_json_has_the_lines(maui):
    found = json.loads(_ask(maui, "disable", fake.good(CLEAN), "--json").stdout)
    harness.equal(found, {"schema": "maui.disable/1"} | CLEAN | NOTHING, "data")


INSTALL = """PriorityType=priority/maui
SelectType=select/cons_tres
JobSubmitPlugins=maui
SchedulerParameters=bf_min_prio_reserve=2
PriorityWeightAge=1
PriorityWeightAssoc=1
PriorityWeightFairshare=1
PriorityWeightJobSize=1
PriorityWeightPartition=1
PriorityWeightQOS=1
"""


def _disable(maui, lines, *arguments, before=None, commands=None):
    """before: the lines of slurm.conf.before-maui; commands: stand-ins for the package databases, NAME: script."""
    with tempfile.TemporaryDirectory(prefix="maui-cli.") as name:
        directory = pathlib.Path(name)
        conf = directory / "slurm.conf"
        head = ("ClusterName=test\nSlurmctldHost=localhost\nSlurmctldPort=1\nSlurmUser=root\n"
                "MessageTimeout=1\n"  # libslurm tries to connect once a second for so long
                f"AuthInfo=socket={directory}/none\nNodeName=n1\nPartitionName=p Nodes=n1\n")
        conf.write_text(head + lines)
        if before is not None:
            (directory / "slurm.conf.before-maui").write_text(head + before)
        env = {"SLURM_CONF": str(conf)}
        if commands is not None:
            for command in ("dpkg-query", "rpm"):
                (directory / command).write_text("#!/bin/sh\n" + commands.get(command, "exit 1") + "\n")
                (directory / command).chmod(0o755)
            env["PATH"] = f"{directory}:{os.environ['PATH']}"
        with fake.FakeService(_munge, fake.good(CLEAN)) as service:
            done = maui.run("disable", f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                            f"--slurm-user={os.getuid()}", *arguments, env=env)
    harness.check_code(done, 0)
    return done


def test_disable_has_the_lines_of_before_the_switch(maui):
    """Of a list, items of the site's that have come since stay; a value that was not there becomes a comment."""
    now = INSTALL + "SchedulerParameters=bf_window=60,bf_min_prio_reserve=2\nPreemptType=preempt/maui\nPreemptMode=REQUEUE\n"
    for before, expected in (
            ("PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityWeightQOS=7\nSelectType=select/linear\n"
             "SchedulerParameters=bf_min_prio_reserve=5,bf_window=30\nPreemptType=preempt/qos\nPreemptMode=CANCEL\n",
             ["PriorityType=priority/multifactor", "PriorityWeightAge=1000", "#PriorityWeightAssoc=1", "#PriorityWeightFairshare=1",
              "#PriorityWeightJobSize=1", "#PriorityWeightPartition=1", "PriorityWeightQOS=7", "SelectType=select/linear",
              "#JobSubmitPlugins=maui", "SchedulerParameters=bf_window=60,bf_min_prio_reserve=5", "PreemptType=preempt/qos",
              "PreemptMode=CANCEL"]),
            ("PriorityType=priority/basic\nPriorityWeightAge=1\nSelectType=select/cons_tres\nPreemptMode=OFF\n",
             ["PriorityType=priority/basic", "#PriorityWeightAssoc=1", "#PriorityWeightFairshare=1", "#PriorityWeightJobSize=1",
              "#PriorityWeightPartition=1", "#PriorityWeightQOS=1", "#JobSubmitPlugins=maui",
              "SchedulerParameters=bf_window=60", "PreemptType=preempt/none", "PreemptMode=OFF"])):
        found = json.loads(_disable(maui, now, "--json", before=before).stdout)
        harness.equal(found["slurm_conf_lines"], expected, before)
        harness.equal(pathlib.Path(found["slurm_conf_before"]).name, "slurm.conf.before-maui", "where they are from")
        text = harness.text_of(_disable(maui, now, before=before))
        harness.equal("slurm.conf.before-maui, from before the switch." in text, True, text)
        harness.equal("Put back what you had" in text, False, text)


def test_disable_says_why_it_does_not_know_the_lines_of_before(maui):
    for before, why in ((None, "there is no slurm.conf.before-maui beside it."),
                        (INSTALL, "slurm.conf.before-maui is from after the switch, with PriorityType=priority/maui."),
                        ("PriorityWeightAge=many\n", "slurm.conf.before-maui: cannot ask Slurm for its configuration")):
        text = harness.text_of(_disable(maui, INSTALL, before=before))
        harness.equal(f"What they were before is not known: {why}" in text, True, text)
        harness.equal("Put back what you had" in text, True, text)
        harness.equal(json.loads(_disable(maui, INSTALL, "--json", before=before).stdout)["slurm_conf_before"], None, "from where")


def test_disable_asks_the_package_database_how_the_plugins_are_removed(maui):
    with tempfile.TemporaryDirectory(prefix="maui-cli.") as directory:
        plugin = pathlib.Path(directory) / "priority_maui.so"
        plugin.write_bytes(b"")
        lines = f"PriorityType=priority/maui\nPluginDir={directory}\n"
        other = f'case "$2" in {plugin}) echo "slurm-wlm-maui-plugins:amd64: $2" ;; *) echo "maui-slurm: $2" ;; esac'
        for commands, removal, words in (
                ({"dpkg-query": other}, "apt remove slurm-wlm-maui-plugins maui-slurm", "\n    apt remove slurm-wlm-maui-plugins maui-slurm\n"),
                ({"dpkg-query": f'[ "$2" = {plugin} ] && echo "one: $2"'}, "apt remove one", "\n    apt remove one\n"),
                ({"rpm": "echo slurm-maui-plugins"}, "dnf remove slurm-maui-plugins", "\n    dnf remove slurm-maui-plugins\n"),
                ({}, "ninja -C build uninstall", f"No package has {plugin}: "),
                ({"dpkg-query": "exec sleep 1000"}, None, "dpkg-query does not say which package has"),
                ({"dpkg-query": "exit 2"}, None, "dpkg-query does not say which package has"),
                ({"rpm": "exit 0"}, None, "rpm does not say which package has")):
            found = json.loads(_disable(maui, lines, "--json", commands=commands).stdout)
            harness.equal((found["plugin"], found["removal"]), (str(plugin), removal), commands)
            text = harness.text_of(_disable(maui, lines, commands=commands))
            harness.equal(words in text, True, text)


def test_disable_leaves_every_directory_that_has_others_plugins(maui):
    """Also one of the site's own, without any of Slurm's."""
    with tempfile.TemporaryDirectory(prefix="maui-cli.") as directory:
        for name, plugins in (("maui", ["libslurm_maui.so"]), ("site", ["job_submit_site.so"]), ("slurm", ["sched_backfill.so"])):
            os.mkdir(f"{directory}/{name}")
            for plugin in plugins:
                pathlib.Path(f"{directory}/{name}/{plugin}").write_bytes(b"")
        places = [f"{directory}/{name}" for name in ("maui", "site", "slurm")]
        lines = f"PriorityType=priority/maui\nPluginDir={':'.join(places)}\n"
        found = json.loads(_disable(maui, lines, "--json").stdout)["slurm_conf_lines"]
        harness.equal([line for line in found if line.startswith("PluginDir=")], [f"PluginDir={':'.join(places[1:])}"], found)


def test_disable_names_every_line_that_install_md_has_added(maui):
    """Where slurmctld does not tell them, by the host's slurm.conf."""
    added = set(re.findall(r"(?m)^    #?([A-Z][a-z]\w*)=", (harness.HERE.parents[1] / "contribs/doc/install.md").read_text()))
    done = _disable(maui, INSTALL + "PreemptType=preempt/maui\nPreemptMode=REQUEUE\nPriorityParameters=maui_port=42559\n")
    harness.check_errors(done, "NOTE: .*the lines are those of this host's /")
    harness.check_golden(done, "disable.install.out")
    named = set(re.findall(r"(?m)^    #?(\w+)=", done.stdout.decode())) - {"PreemptMode"}
    # The others need no change: plugins and directories that are not of this machine.
    harness.equal(added - named, {"PluginDir", "SelectType"}, "lines that are not named")


def test_disable_leaves_to_the_site_what_is_its_own(maui):
    """Lists keep the rest, other weights and the preemption behind ours stay, and in shadow mode all but our words."""
    for lines, expected in (
            ("PriorityType=priority/maui\nPriorityWeightAge=1000\nSchedulerParameters=bf_window=60,bf_min_prio_reserve=1\n",
             ["PriorityType=priority/multifactor", "SchedulerParameters=bf_window=60"]),
            ("PriorityType=priority/maui\nPreemptType=preempt/maui\nPreemptMode=REQUEUE\n"
             "PriorityParameters=maui_preempt=preempt/qos,maui_port=1\n",
             ["PriorityType=priority/multifactor", "#PriorityParameters=maui_preempt=preempt/qos,maui_port=1", "PreemptType=preempt/qos"]),
            ("PriorityType=priority/maui\nSelectType=select/maui\n",
             ["PriorityType=priority/multifactor", "SelectType=select/cons_tres"]),
            ("JobSubmitPlugins=lua,maui\nPriorityParameters=maui_mode=shadow\nPriorityWeightAge=1\n"
             "SchedulerParameters=bf_min_prio_reserve=1\n",
             ["#PriorityParameters=maui_mode=shadow", "JobSubmitPlugins=lua"])):
        found = json.loads(_disable(maui, lines, "--json").stdout)
        harness.equal(found["slurm_conf_lines"], expected, lines)


def test_a_refusal_is_told(maui):
    for command in ("disable", "enable"):
        done = _ask(maui, command, fake.error("for ADMIN1"))
        harness.check_code(done, 5)
        harness.check_quiet(done)
        harness.check_errors(done, "ERROR:    for ADMIN1")


def test_enable_says_so(maui):
    done = _ask(maui, "enable", fake.good(CLEAN | {"disabled": False}))
    harness.check_code(done, 0)
    harness.check_golden(done, "enable.out")


def test_enable_as_json_has_the_answer(maui):
    done = _ask(maui, "enable", fake.good({"disabled": False}), "--json")
    harness.check_code(done, 0)
    harness.equal(json.loads(done.stdout), {"schema": "maui.enable/1", "disabled": False}, "data")


def test_what_is_no_argument_is_wrong_usage(maui):
    for command in ("disable", "enable", "doctor"):
        done = maui.run(command, "now")
        harness.check_code(done, 2)
        harness.check_errors(done, "unexpected argument now")


def test_disable_has_no_line_for_a_slurm_conf_without_us(maui):
    done = _disable(maui, "PriorityType=priority/multifactor\n")
    harness.equal("    (none: it names none of our plugins)\n" in done.stdout.decode(), True, harness.text_of(done))


def test_empty_answers_are_no_crash(maui):
    harness.check_code(_ask(maui, "disable", fake.good({})), 1)
    harness.check_code(_ask(maui, "enable", fake.good({})), 0)


def test_doctor_without_a_slurm_conf_is_wrong(maui):
    done = maui.run("doctor", "--json")
    harness.check_code(done, 2)
    found = json.loads(done.stdout)
    harness.equal((found["schema"], found["wrong"]), ("maui.doctor/1", 1), "its findings")
    harness.equal(found["checks"][0]["check"], "slurm.conf", "the check")
    text = maui.run("doctor")
    harness.check_code(text, 2)
    harness.check_golden(text, "doctor.out")


def _doctor(maui, plugin_dir):
    with tempfile.TemporaryDirectory(prefix="maui-cli.") as directory:
        conf = pathlib.Path(directory) / "slurm.conf"
        conf.write_text("ClusterName=test\nSlurmctldHost=localhost\nSlurmctldPort=1\nSlurmUser=root\n"
                        f"AuthInfo=socket={directory}/none\nPluginDir={plugin_dir}\nStateSaveLocation={directory}\n"
                        "PriorityType=priority/maui\nNodeName=n1\nPartitionName=p Nodes=n1\n")
        done = maui.run("doctor", "--json", env={"SLURM_CONF": str(conf)})
    return done.returncode, json.loads(done.stdout)["checks"]


def test_doctor_names_a_directory_that_is_missing(maui):
    code, rows = _doctor(maui, "/nonexistent/maui")
    harness.equal(code, 2, "exit code")
    harness.equal([row["remedy"] for row in rows if row["check"] == "PluginDir"], ["mkdir -p /nonexistent/maui"],
                  "the remedy")
