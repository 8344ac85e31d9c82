# SPDX-License-Identifier: GPL-2.0-or-later
"""maui doctor beside a Slurm that is none: what it finds wrong in files, slurm.conf, maui.cfg, the engine's directory and
the engine itself, and that it finds nothing where all is well. A real one is in testsuite/scenarios/test_disable.py."""

import contextlib
import json
import os
import pathlib
import pwd
import shutil
import struct

import cli_harness as harness
import fake_service as fake
import fake_slurm as fs

pytestmark = fs.ITS_SLURM

_munge = harness.munge
FAKES = pathlib.Path(fs.LIBRARY).parent
NOBODY = pwd.getpwnam("nobody").pw_uid
NOW = 1700003600  # the fake engine's clock

FILES = {  # our directory's, and Slurm's own
    "priority_maui.so": "ours", "libslurm_maui.so": "ours", "job_submit_maui.so": "ours", "preempt_maui.so": "ours",
    "select_cons_tres.so": "ours", "stock/sched_backfill.so": "stock", "stock/select_cons_tres.so": "stock",
}
CONF = {"PluginDir": "{directory}/plugins:{directory}/plugins/stock", "JobSubmitPlugins": "maui",
        "PreemptType": "preempt/maui", "PreemptMode": "REQUEUE"}
STATUS = {
    "version": "0.1.0", "mode": "active", "disabled": False, "started": NOW - 1000, "iteration": 30,
    "last_iteration": NOW - 20, "iteration_interval": 30, "select": True,
    "policy": {"source": "file", "path": "/etc/slurm/maui.cfg"}, "statdir": {"directory": "/s", "missing": None},
    "plugins": [{"type": kind, "slurm_version": fs.VERSION, "path": "/p"} for kind in
                ("priority/maui", "job_submit/maui", "preempt/maui")],
}
# From 25.05 on our select plugin has a name of its own.
OWN_NAME = {name: f"{kind}_25.05" for name, kind in FILES.items() if name != "select_cons_tres.so"} | {
    "select_cons_tres.so": None, "select_cons_tres_maui.so": "ours_25.05"}
SHADOW = {"PriorityType": "priority/multifactor", "PriorityParameters": "maui_mode=shadow,maui_cfg={directory}/maui.cfg"}
STOCK = {"PriorityType": "priority/multifactor", "JobSubmitPlugins": None, "PreemptType": None, "PreemptMode": None}


@contextlib.contextmanager
def _site(conf, files, policy, answer, records):
    with fake.FakeService(_munge, answer) as service:
        parameters = (conf or {}).get("PriorityParameters", "maui_cfg={directory}/maui.cfg")
        more = {"PriorityParameters": f"{parameters},maui_port={service.port}", "AuthInfo": f"socket={_munge.socket}"}
        with fs.Slurm(conf=CONF | (conf or {}) | more, policy=policy, **records) as slurm:
            slurm.path("plugins", "stock").mkdir(parents=True)
            slurm.path("state", "maui").mkdir(parents=True, mode=0o700)
            files = FILES | (files or {})
            for name, kind in files.items():
                if isinstance(kind, bytes):
                    slurm.path("plugins", name).write_bytes(kind)
                elif kind:
                    shutil.copyfile(FAKES / f"fake_{kind}.so", slurm.path("plugins", name))
            # What libslurm itself loads from there.
            for path in (path for path in fs.PLUGINS.glob("*.so") if f"stock/{path.name}" not in files):
                slurm.path("plugins", "stock", path.name).symlink_to(path)
            yield slurm


def _write_before(slurm):
    text = slurm.path("slurm.conf").read_text().replace("priority/maui", "priority/basic")
    slurm.path("slurm.conf.before-maui").write_text(text)


def _doctor(maui, conf=None, files=None, policy="RMPOLLINTERVAL 30\n", status=None, answer=None, before=None, **records):
    """The rows that are not ok, and the exit code."""
    answer = answer or fake.good(STATUS | (status or {}))
    with _site(conf, files, policy, answer, records) as slurm:
        _write_before(slurm)
        if before:
            before(slurm)
        done = slurm.run(maui, "doctor", "--json")
        directory = str(slurm.directory)
    found = json.loads(done.stdout)
    rows = [row for row in found["checks"] if row["state"] != "ok"]
    harness.equal([sum(row["state"] == state for row in found["checks"]) for state in ("ok", "unseen", "warn", "wrong")],
                  [found[state] for state in ("ok", "unseen", "warn", "wrong")], "the counts")
    harness.check_code(done, 2 if found["wrong"] else 1 if found["warn"] else 0)
    for row in rows:
        row["text"] = row["text"].replace(directory, "D")
        row["remedy"] = (row["remedy"] or "").replace(directory, "D")
    return rows


def _finds(maui, cases):
    """(what differs from a site where all is well, check, state, a part of the text, a part of the remedy); the only row."""
    for differs, check, state, text, remedy in cases:
        rows = _doctor(maui, **differs)
        good = [row for row in rows if (row["check"], row["state"]) == (check, state) and text in row["text"]
                and remedy in row["remedy"]]
        if len(good) != 1 or len(rows) != 1:
            raise harness.Failure(f"{differs}: not only {check} {state} {text!r} -> {remedy!r}, but {rows}")


def test_a_site_where_all_is_well_has_no_findings(maui):
    for conf in ({}, SHADOW):
        harness.equal(_doctor(maui, conf), [], conf)
        harness.equal(_doctor(maui, **_with_a_name_of_its_own(conf)), [], conf)


def test_gres_types_lacks_what_maui_cfg_names(maui):
    policy = ("USERCFG[DEFAULT] MAXGRES[gpu:a100]=4 MAXGRES[license:x]=1\n"
              "NODECFG[DEFAULT] PRIORITYF='CGRES[gpu] - AGRES[tape]'\n")
    remedy = "GresTypes=gpu in slurm.conf and Gres=gpu:... of the nodes"
    text = "lacks gpu, which maui.cfg names: the line affects no job"
    _finds(maui, (({"conf": {"GresTypes": "tape"}, "policy": policy}, "GresTypes", "warn", f"tape: {text}", remedy),
                  ({"policy": policy.replace("tape", "gpu")}, "GresTypes", "warn", f"none: {text}", remedy)))
    harness.equal(_doctor(maui, {"GresTypes": "tape,gpu"}, policy=policy), [], "GresTypes=tape,gpu")


def _with_a_name_of_its_own(conf=None, files=None):
    return {"conf": {"SelectType": "select/cons_tres_maui"} | (conf or {}), "files": OWN_NAME | (files or {}),
            "running": {"version": "25.05.0"}}


def test_the_rows_are_lines_too(maui):
    with _site({}, {"preempt_maui.so": "older"}, "FSPOLICY DEDICATEDPS\nSTATDIR /nonexistent/s\n", fake.good(STATUS), {}) as slurm:
        _write_before(slurm)
        done = slurm.run(maui, "doctor")
    harness.check_code(done, 2)
    lines = done.stdout.decode().splitlines()
    harness.equal(lines[-1], "23 ok, 0 with a warning, 2 wrong, 0 not seen", "the last line")
    harness.equal([line for line in lines if line.startswith("       -> ")][1],
                  "       -> mkdir -p /nonexistent/s && chown 0 /nonexistent/s", "a remedy")
    with _site({}, {}, "", fake.good(STATUS), {}) as slurm:
        harness.check_code(slurm.run(maui, "doctor", "now"), 2)


def test_plugins_are_of_the_slurm_that_is_installed(maui):
    rebuild, install = "rebuild for this Slurm", "meson install -C build"
    _finds(maui, (
        ({"files": {"priority_maui.so": "older"}}, "priority/maui", "wrong",
         f"was built for Slurm 20.11.9, and {fs.VERSION} is installed: slurmctld does not start with it", rebuild),
        ({"files": {"preempt_maui.so": "older"}, "conf": STOCK | {"PriorityType": "priority/maui", "JobSubmitPlugins": "maui"},
          "status": {"plugins": STATUS["plugins"][:2]}},
         "preempt/maui", "warn", f"{fs.VERSION} is installed: slurmctld does not load it", rebuild),
        ({"files": {"job_submit_maui.so": "silent"}}, "job_submit/maui", "wrong", "does not say which Slurm", rebuild),
        ({"files": {"libslurm_maui.so": None}}, "libslurm_maui", "wrong", "no directory of PluginDir has libslurm_maui.so", install),
        ({"files": {"preempt_maui.so": None}}, "preempt/maui", "wrong", "no directory of PluginDir", install),
        ({"files": {"select_cons_tres.so": "older"}}, "select", "wrong", "built for Slurm 20.11.9", rebuild),
        ({"files": {"select_cons_tres.so": None}}, "select", "warn",
         "D/plugins/stock/select_cons_tres.so is Slurm's own: limits are off", "PluginDir=DIRECTORY/maui:DIRECTORY"),
        ({"files": {"select_cons_tres.so": None, "stock/select_cons_tres.so": None}}, "select", "wrong", "has select_cons_tres.so",
         install),
        ({"files": {"stock/sched_backfill.so": None}}, "Slurm", "wrong", "no directory of PluginDir has Slurm's own plugins",
         "name the directory"),
        ({"running": {"version": "20.11.9"}}, "Slurm", "warn", f"{fs.VERSION} is installed, slurmctld still runs 20.11.9",
         "systemctl restart slurmctld")))


ID, OTHER_ID, HASH = "ab01" * 10, "cd" * 20, "9e" * 20


def _program(*notes, align=4, cut=None):
    """An ELF file with a segment of notes: type, name, description; cut: of the last one's bytes."""
    def filled(part):
        return part + bytes(-len(part) % 4)

    content = b"".join(struct.pack("=III", len(name), len(text), kind) + filled(name) + filled(text) for kind, name, text in notes)
    content = content[:cut]
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("=HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    return header + struct.pack("=IIQQQQQQ", 4, 4, 120, 120, 120, len(content), len(content), align) + content


def _build_id(text=ID):
    return 3, b"GNU\0", bytes.fromhex(text)


def _layouts(*lines):
    return ("\n".join(("maui-layouts 1", f"layout {HASH}", f"slurm {fs.VERSION}", *lines, "record job_record 8", " job_id 0 4")) + "\n").encode()


def _slurmctld(content, remembered=None):
    def change(slurm):
        slurm.path("sbin").mkdir()
        slurm.path("sbin", "slurmctld").write_bytes(content)
        if remembered is not None:
            slurm.path("maui.layouts").write_text(remembered)
    return change


def test_a_slurmctld_that_the_plugins_are_not_known_to_fit_is_told(maui):
    """An update of the same version: only the build id differs."""
    this, that = _slurmctld(_program(_build_id())), f"layout {HASH} slurmctld {OTHER_ID}\n"

    def package(*lines):
        return {"libslurm_maui.layouts": _layouts(*lines)}

    for fits, before in (
            (f"slurmctld {ID} compared", this), (f"slurmctld {ID} same-source", this),
            (f"slurmctld {OTHER_ID} compared", _slurmctld(_program(_build_id()), f"{that}layout {HASH} slurmctld {ID}\n")),
            (f"slurmctld {ID} compared", _slurmctld(_program((1, b"GNU\0", b"1234567"), (3, b"Go\0", b"x"), _build_id()))),
            (f"slurmctld {OTHER_ID} compared", None)):  # a host without a slurmctld
        harness.equal(_doctor(maui, files=package(fits), before=before), [], fits)
    remedy = "compare --remember D/maui.layouts D/plugins/libslurm_maui.layouts D/sbin/slurmctld"
    another = f"D/sbin/slurmctld is another build ({ID}) than"
    _finds(maui, tuple(
        ({"files": package(*lines), "before": before}, "layouts", "warn", another, remedy) for lines, before in (
            ((f"slurmctld {OTHER_ID} compared",), this), ((f"slurmctld {ID}",), this), ((), this),
            # Not above the records; plugins of another layout; another slurmctld.
            ((f"slurmctld {OTHER_ID} compared", "record a 4", f"slurmctld {ID} compared"), this),
            ((), _slurmctld(_program(_build_id()), f"layout {OTHER_ID} slurmctld {ID}\n")),
            ((), _slurmctld(_program(_build_id()), that)))))
    again = "install the plugins' package again"
    _finds(maui, tuple(
        ({"files": {"libslurm_maui.layouts": content}, "before": this}, "layouts", "warn", "is not what the package has brought", again)
        for content in (b"", b"maui-layouts 2\n", b"maui-layouts 1\nrecord a 4\n" + _layouts(), b"maui-layouts 1\nlayout\n")))


def test_what_has_no_build_id_is_said(maui):
    files = {"libslurm_maui.layouts": _layouts(f"slurmctld {ID} compared")}
    no_id, no_program = "D/sbin/slurmctld has no build id", "D/sbin/slurmctld is not a program for this machine"
    _finds(maui, tuple(
        ({"files": files, "before": _slurmctld(content)}, "layouts", "warn", text, "") for content, text in (
            (b"#!/bin/sh\n", no_program), (_program()[:60], no_program), (_program(), no_id), (_program((3, b"GN\0\0", b"abcd")), no_id),
            (_program((4, b"GNU\0", b"abcd")), no_id), (_program(_build_id("")), no_id), (_program(_build_id("ab" * 65)), no_id),
            (_program(_build_id(), cut=-1), no_id), (_program(_build_id(), cut=14), no_id))))


def test_plugins_of_no_package_have_nothing_to_compare(maui):
    with _site({}, {}, "", fake.good(STATUS), {}) as slurm:
        rows = json.loads(slurm.run(maui, "doctor", "--json").stdout)["checks"]
    harness.equal([(row["state"], row["text"].split(":")[0]) for row in rows if row["check"] == "layouts"],
                  [("ok", "the plugins are built from source, not from a package")], "the row")


def test_the_select_plugin_is_looked_for_by_the_name_that_it_has(maui):
    own = _with_a_name_of_its_own
    shadow = {"SelectType": "select/cons_tres"}
    _finds(maui, (
        (own(shadow), "SelectType", "warn", "select/cons_tres: limits are off", "SelectType=select/cons_tres_maui in slurm.conf"),
        *(({"conf": {"SelectType": name}}, "SelectType", "warn", f"{name}: limits are off",
           "SelectType=select/cons_tres in slurm.conf") for name in ("select/maui", "select/cons_tres_maui")),
        (own({"SelectType": "select/maui"}), "select", "wrong", "no directory of PluginDir has select_maui.so",
         "meson install -C build"),
        (own(files={"select_cons_tres_maui.so": None}), "select", "wrong", "no directory of PluginDir has select_cons_tres_maui.so",
         "meson install -C build"),
        (own(files={"select_cons_tres_maui.so": "ours"}), "select", "wrong", f"select_cons_tres_maui.so was built for Slurm {fs.VERSION}", "rebuild"),
        (own(files={"stock/sched_backfill.so": None}), "Slurm", "wrong", "no directory of PluginDir has Slurm's own", "name"),
        # The installed Slurm is the one that starts next.
        (own() | {"running": {"version": "24.11.5"}}, "Slurm", "warn", "25.05.0 is installed, slurmctld still runs 24.11.5", "")))
    rows = _doctor(maui, **own(STOCK | shadow, {"select_cons_tres_maui.so": None}))
    harness.equal([(row["check"], row["state"]) for row in rows], [("PriorityType", "warn"), ("engine", "unseen")],
                  "slurm.conf without any of ours")
    rows = _doctor(maui, **own({"SelectType": "select/maui"}, {"select_maui.so": "ours_25.05"}))
    harness.equal(rows, _doctor(maui, **own()), "its earlier name")


def test_neither_name_is_wrong_where_no_slurm_is_known(maui):
    for select in ("select/cons_tres_maui", "select/cons_tres"):
        rows = _doctor(maui, conf={"SelectType": select}, files={"stock/sched_backfill.so": None}, errors={"conf": 1800})
        harness.equal([(row["check"], row["state"]) for row in rows], [
            ("slurmctld", "warn"), ("Slurm", "wrong"), ("SelectType", "unseen"), ("engine", "unseen")], select)
        harness.equal(rows[2]["text"], f"{select}: not judged, as the release of Slurm is not known", "text")


def test_disable_says_whose_select_plugin_stays(maui):
    """Its line is to be changed where it names ours; where ours has the name of Slurm's own, that comes back by itself."""
    for version, select, line, stays in (("24.11.5", "select/cons_tres", False, True), ("25.05.0", "select/maui", True, False),
                                         ("25.05.0", "select/cons_tres_maui", True, False),
                                         ("25.05.0", "select/cons_tres", False, False)):
        conf = {"SelectType": select}
        with _site(conf, {}, "", fake.good({"finished": True}), {"running": {"version": version}}) as slurm:
            done = slurm.run(maui, "disable")
        harness.check_code(done, 0)
        text = done.stdout.decode()
        harness.equal(("    SelectType=select/cons_tres\n" in text, "is Slurm's own plugin from then on" in text), (line, stays),
                      (version, text))


def test_what_is_no_plugin_is_said(maui):
    """Cut anywhere: its sections are listed at its end."""
    whole = (FAKES / "fake_ours.so").read_bytes()
    program = bytearray(whole)
    program[16] = 2  # ET_EXEC
    for content in (b"", b"#!/bin/sh\n", bytes(program), *(whole[:size] for size in range(50, len(whole) - 2048, len(whole) // 8))):
        rows = _doctor(maui, files={"preempt_maui.so": content})
        harness.equal([(row["check"], row["state"]) for row in rows], [("preempt/maui", "wrong")], len(content))
        if "is not a shared object for this machine" not in rows[0]["text"]:
            raise harness.Failure(f"{len(content)} bytes: {rows}")


def test_every_directory_of_plugindir_must_be_one(maui):
    def remove(slurm):
        shutil.rmtree(slurm.path("plugins", "stock"))

    def write(slurm):
        remove(slurm)
        slurm.path("plugins", "stock").write_text("")

    for before, text in ((remove, "D/plugins/stock does not exist"), (write, "D/plugins/stock is not a directory")):
        rows = _doctor(maui, before=before)
        harness.equal([(row["check"], row["state"], row["text"].split(":")[0], row["remedy"]) for row in rows], [
            ("PluginDir", "wrong", text, "mkdir -p D/plugins/stock"),
            ("slurm.conf", "unseen", "Slurm does not read it for the reason above", "")], "rows")


def test_slurm_conf_s_lines_are_judged(maui):
    two = [kind for kind in STATUS["plugins"] if kind["type"] != "job_submit/maui"]
    bare = {"status": {"plugins": two}}
    _finds(maui, (
        (bare | {"conf": {"JobSubmitPlugins": None}}, "JobSubmitPlugins", "warn", "lacks maui: Slurm refuses --reservation",
         "JobSubmitPlugins=maui in slurm.conf"),
        ({"conf": {"SelectType": "select/linear", "SelectTypeParameters": "CR_Memory"}}, "SelectType", "warn",
         "select/linear: limits are off", "SelectType=select/cons_tres"),
        ({"conf": {"PriorityParameters": SHADOW["PriorityParameters"]}}, "PriorityParameters", "warn",
         "maui_mode=shadow has no effect with priority/maui", "leave maui_mode=shadow out")))
    rows = _doctor(maui, conf=STOCK | {"PriorityParameters": SHADOW["PriorityParameters"]})
    harness.equal([(row["check"], row["state"]) for row in rows],
                  [("PriorityType", "warn"), ("PriorityParameters", "warn"), ("engine", "unseen")], "stock Slurm")
    harness.equal([row["text"] for row in rows][1:],
                  ["maui_mode=shadow, but no plugin of Maui loads the engine",
                   "not asked: slurm.conf does not load it"], "its words")


def test_slurm_conf_from_before_should_be_there(maui):
    """It is a note: nothing works less without it."""
    def without(slurm):
        slurm.path("slurm.conf.before-maui").unlink()

    def after(slurm):
        slurm.path("slurm.conf.before-maui").write_text(slurm.path("slurm.conf").read_text())

    remedy = "copy slurm.conf from before the switch to D/slurm.conf.before-maui"
    _finds(maui, (
        ({"before": without}, "slurm.conf", "unseen",
         "there is no slurm.conf.before-maui beside it: `maui disable` cannot say which lines", remedy),
        ({"before": after}, "slurm.conf", "unseen", "slurm.conf.before-maui is from after the switch", remedy)))
    harness.equal(_doctor(maui, SHADOW, before=without), [], "shadow mode has the lines in force")


def test_an_address_must_be_this_host_s(maui):
    """192.0.2.1 is nobody's, and what is no name at all has no address."""
    for address in ("192.0.2.1", "no-such-host.invalid"):
        parameters = {"PriorityParameters": f"maui_address={address},maui_cfg={{directory}}/maui.cfg"}
        with _site(parameters, None, "", fake.good(STATUS), {}) as slurm:
            _write_before(slurm)
            done = slurm.run(maui, "doctor", "--json", "--host=127.0.0.1")
        rows = [row for row in json.loads(done.stdout)["checks"] if row["state"] != "ok"]
        harness.equal([(row["check"], row["state"]) for row in rows], [("PriorityParameters", "wrong")], rows)
        harness.equal(rows[0]["text"].split(":")[0], f"maui_address={address} is not an address of this host", "text")


def test_maui_cfg_is_read_as_slurmctld_would(maui):
    def good_copy(slurm):
        slurm.path("state", "maui", "maui.cfg.last-good").write_text("")

    def others_may_write(slurm):
        slurm.path("maui.cfg").chmod(0o666)

    def a_link_of_others(slurm):
        slurm.path("maui.cfg").rename(slurm.path("policy"))
        slurm.path("maui.cfg").symlink_to("policy")
        os.chown(slurm.path("maui.cfg"), 64002, -1, follow_symlinks=False)

    def remove(slurm):
        slurm.path("maui.cfg").unlink()

    owner = "SRCFG[own] HOSTLIST=n1 USERLIST=root FLAGS=OWNERPREEMPT\n"
    _finds(maui, (
        ({"policy": "\nXFACTORWEIGHT x\nQUEUETIMEWEIGHT y\n"}, "maui.cfg", "wrong",
         "has errors (2): a reconfigure refuses it, there is no good copy, and a restart leaves out what they are about; the "
         "first: D/maui.cfg:2:", "maui check D/maui.cfg"),
        ({"policy": "XFACTORWIEGHT 1\n", "conf": {"PriorityParameters": "maui_unknown=error"}}, "maui.cfg", "wrong", "has errors (1): ", ""),
        ({"policy": "XFACTORWEIGHT x\n", "before": good_copy}, "maui.cfg", "wrong", "a restart uses the last good copy; the", ""),
        ({"before": others_may_write}, "maui.cfg", "warn", "D/maui.cfg may be written by group or others", "chmod go-w"),
        ({"before": a_link_of_others}, "maui.cfg", "warn", "D/maui.cfg is a symbolic link that belongs to uid 64002", "chown -h root"),
        ({"before": remove}, "maui.cfg", "wrong", "D/maui.cfg: cannot be read: No such file or directory", "PriorityParameters=maui_cfg=PATH"),
        ({"policy": owner, "conf": {"PreemptType": None, "PreemptMode": None}, "status": {"plugins": STATUS["plugins"][:2]}},
         "PreemptType", "warn", "SRCFG[own]: ", "PreemptType=preempt/maui")))
    harness.equal(_doctor(maui, policy=owner), [], "with preempt/maui")


def test_statdir_must_be_there_where_usage_is_counted(maui):
    def make(name):
        return lambda slurm: slurm.path("maui.cfg").write_text(f"FSPOLICY DEDICATEDPS\nSTATDIR {slurm.path(name)}\n")

    _finds(maui, (
        ({"policy": "FSPOLICY DEDICATEDPS\nSTATDIR /nonexistent/s\n"}, "STATDIR", "wrong",
         "/nonexistent/s: No such file or directory: fairshare is counted in D/state/maui/stats", "mkdir -p /nonexistent/s"),
        ({"before": make("maui.cfg")}, "STATDIR", "wrong", "D/maui.cfg: Not a directory", "mkdir -p")))
    for differs in ({"before": make("state")}, {"policy": "STATDIR /nonexistent/s\n"}, {"policy": "FSPOLICY DEDICATEDPS\nSTATDIR s\n"}):
        harness.equal(_doctor(maui, **differs), [], differs)


def test_the_engine_s_directory_is_slurmuser_s(maui):
    def state(mode=0o700, owner=0, **files):
        def change(slurm):
            path = slurm.path("state", "maui")
            for name in files:
                path.joinpath(name.replace("_", ".")).write_text("")
            os.chown(path, owner, -1)
            path.chmod(mode)
        return change

    def written(text, name="setres"):
        return lambda slurm: slurm.path("state", "maui", name).write_text(text)

    def remove(slurm):
        slurm.path("state", "maui").rmdir()

    def no_directory(slurm):
        slurm.path("state", "maui").rmdir()
        slurm.path("state", "maui").write_text("")

    def below_a_file(slurm):
        shutil.rmtree(slurm.path("state"))
        slurm.path("state").write_text("")

    check = "state directory"
    _finds(maui, (
        ({"before": state(jobs_damaged=1)}, check, "warn", "D/state/maui/jobs.damaged: a file that could not be read was set aside",
         "look at it, then rm D/state/maui/jobs.damaged"),
        ({"before": state(disabled=1)}, check, "warn", "D/state/maui/disabled: only priorities are Maui's", "maui enable"),
        ({"before": written("slurm-maui setres 3\nnew\n")}, check, "warn",
         "D/state/maui/setres is not read, nor written: a later Slurm-Maui wrote it: it has version 3 of its format, and this one reads 1",
         "install that Slurm-Maui again; or, to begin anew, rm D/state/maui/setres while slurmctld is down"),
        ({"status": {"kept_files": [{"path": "/stats/FS.0", "why": "a later one"}]}}, check, "warn",
         "/stats/FS.0 is not read, nor written: a later one", "rm /stats/FS.0 while slurmctld is down"),
        ({"status": {"unread_files": [{"path": "/stats/FS.0", "why": "no more files"}]}}, check, "wrong",
         "/stats/FS.0 cannot be read now, and is not written: no more files",
         "make it readable: the engine reads it as soon as it can; or, to begin anew, rm /stats/FS.0 while slurmctld is down"),
        ({"status": {"removed_files": [{"path": "/stats/FS.0", "why": "gone at noon, and written again"}]}}, check, "warn",
         "/stats/FS.0 was removed while slurmctld ran: gone at noon, and written again",
         "find out who did; to begin anew, rm /stats/FS.0 while slurmctld is down"),
        ({"status": {"unwritten_files": [{"path": "/stats", "why": "No space left on device"}]}}, check, "wrong",
         "/stats cannot be written, and a restart would forget what is new: No space left on device",
         "free space there, or make it writable: the engine tries again within five minutes"),
        ({"before": state(0o720)}, check, "warn", "has mode 720: others may write it", "chmod 700 D/state/maui"),
        ({"before": remove}, check, "unseen", "D/state/maui is not there: not on this host, or the engine has never run", ""),
        ({"before": below_a_file}, check, "unseen", "D/state/maui: Not a directory", ""),
        ({"before": no_directory}, check, "unseen", "D/state/maui: Not a directory", "")))
    if os.getuid() == 0:
        rows = _doctor(maui, conf={"SlurmUser": "nobody"}, errors={"conf": 1800})
        wrong = [row for row in rows if row["check"] == check]
        harness.equal([(row["state"], row["text"], row["remedy"]) for row in wrong],
                      [("wrong", f"D/state/maui belongs to uid 0 with mode 700: SlurmUser (uid {NOBODY}) cannot write it",
                        f"chown -R {NOBODY} D/state/maui && chmod 700 D/state/maui")], "SlurmUser nobody")


def test_a_slurmctld_that_does_not_answer_is_told(maui):
    rows = _doctor(maui, errors={"conf": 1800})
    harness.equal([(row["check"], row["state"]) for row in rows], [("slurmctld", "warn"), ("engine", "unseen")], "rows")
    harness.equal((rows[0]["text"].split(":")[0], rows[0]["remedy"], rows[1]["text"]),
                  ("does not answer", "systemctl start slurmctld", "not asked: slurmctld does not answer"), "words")


def test_a_slurmctld_with_another_slurm_conf_is_told(maui):
    rows = _doctor(maui, running={"version": fs.VERSION, "priority_type": "priority/basic"})
    harness.equal([(row["check"], row["text"], row["remedy"]) for row in rows],
                  [("slurmctld", f"runs {fs.VERSION} with PriorityType=priority/basic, and slurm.conf here says priority/maui",
                    "systemctl restart slurmctld")], "rows")


def test_what_the_engine_says_of_itself_is_judged(maui):
    trouble = {"path": "/m.cfg", "time": NOW - 9, "errors": 1, "lines": ["/m.cfg:1:1: error: odd"]}
    policy = STATUS["policy"]
    check = "then scontrol reconfigure"
    _finds(maui, (
        ({"answer": fake.error("not now")}, "engine", "wrong", "not now", "slurmctld's log says why"),
        ({"status": {"disabled": True}}, "engine", "warn", "disabled: no limits, no reservations", "maui enable"),
        ({"status": {"last_iteration": NOW - 151}}, "iterations", "wrong",
         "the last one was 151 seconds ago, and they come every 30: the engine has stalled", "systemctl restart slurmctld"),
        ({"status": {"last_iteration": 0}}, "iterations", "wrong", "the last one was 1000 seconds ago", "systemctl"),
        ({"status": {"policy": {"source": "neutral"}}}, "policy", "wrong", "there was no good copy", check),
        ({"status": {"policy": policy | {"source": "last-good-copy"}}}, "policy", "warn", "the last good copy is in force", check),
        ({"status": {"policy": policy | {"source": "partial", "left_out": trouble}}}, "policy", "wrong",
         "/etc/slurm/maui.cfg is only partly in force: ", check),
        ({"status": {"policy": policy | {"refused": trouble}}}, "policy", "wrong", "/m.cfg was refused 9 seconds ago: ", check),
        ({"status": {"policy": policy | {"unknown": trouble}}}, "policy", "warn",
         "/m.cfg: 1 unknown name or word has no effect: /m.cfg:1:1: ", "maui check"),
        ({"status": {"statdir": {"directory": "/d", "missing": "/s"}}}, "STATDIR", "wrong",
         "the engine cannot use /s: /d stands in for it", "mkdir -p /s && chown 0 /s"),
        ({"status": {"plugins": STATUS["plugins"][:2]}}, "loaded", "warn",
         "slurm.conf names preempt/maui, and slurmctld has not loaded it", "systemctl restart slurmctld"),
        ({"status": {"plugins": STATUS["plugins"][::2]}}, "loaded", "warn", "slurm.conf names job_submit/maui", "systemctl"),
        ({"status": {"select": False}}, "loaded", "warn", "slurmctld has not loaded our select plugin", "PluginDir and SelectType")))
    harness.equal(_doctor(maui, status={"last_iteration": NOW - 150}), [], "an iteration that takes long")
    harness.equal(_doctor(maui, SHADOW, status={"select": False}), [], "no select plugin in shadow mode")


def _answers(reservations):
    def answer(service, request):
        return service.envelope(request, data=reservations if request["command"] == "diagnose-reservations" else STATUS)
    return answer


def test_reservations_that_admit_nobody_are_told(maui):
    """At most ten rows, and how many more there are."""
    gone = "the system has no user 'gone': nobody gets in by that name"
    problem = {"name": "big.inf", "problem": "conflict", "text": "Slurm has another"}
    for count, rows, more in ((1, 2, []), (10, 10, ["1 more"]), (20, 10, ["11 more"])):
        data = {"reservations": [problem, {"name": "good.inf"}],
                "standing": [{"name": "fine", "lacks": []}] + [{"name": f"own{number}", "lacks": [gone]} for number in range(count)]}
        found = _doctor(maui, answer=_answers(data))
        harness.equal({(row["check"], row["state"]) for row in found}, {("reservations", "warn")}, found)
        texts = [row["text"] for row in found]
        harness.equal(texts, ["big.inf: conflict: Slurm has another", *(f"own{number}: {gone}" for number in range(rows - 1)), *more], count)
        harness.equal(found[0]["remedy"], "maui diagnose -r, and maui.cfg", "remedy")
    harness.equal(_doctor(maui, answer=_answers({"reservations": [], "standing": [{"name": "fine", "lacks": []}]})), [], "all is well")
