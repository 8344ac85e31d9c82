# SPDX-License-Identifier: GPL-2.0-or-later
"""What operators install. Rules, board and units are about metrics that there are."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile

import cli_harness as harness

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAFANA = ROOT / "contribs/grafana"
SERVICE = harness.BUILD / "contribs/systemd/maui-metrics.service"


def _documented():
    """Families of metrics.md, with their labels."""
    text = (ROOT / "contribs/doc/metrics.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\| `(maui_\w+)`", text, re.MULTILINE))


def _used(text):
    return set(re.findall(r"\bmaui_\w+", text))


def test_rules_and_board_use_metrics_that_there_are():
    documented = _documented()
    for name in ("maui.rules.yml", "maui.rules.test.yml", "maui.json"):
        used = _used((GRAFANA / name).read_text(encoding="utf-8"))
        if len(used) < 8 or used - documented:
            raise harness.Failure(f"{name}: {sorted(used - documented) or used}")


def test_the_board_has_a_query_and_a_place_for_each_panel():
    board = json.loads((GRAFANA / "maui.json").read_text(encoding="utf-8"))
    places = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        if cells & places or place["x"] + place["w"] > 24 or not panel["targets"] or not panel["title"]:
            raise harness.Failure(panel["title"])
        places |= cells
        for target in panel["targets"]:
            if not _used(target["expr"]) or target["expr"].count("(") != target["expr"].count(")"):
                raise harness.Failure(target["expr"])
    harness.equal(len({panel["id"] for panel in board["panels"]}), len(board["panels"]), "ids")


def test_every_rule_is_tried():
    rules = re.findall(r"- alert: (\w+)", (GRAFANA / "maui.rules.yml").read_text(encoding="utf-8"))
    tried = re.findall(r"alertname: (\w+)\n", (GRAFANA / "maui.rules.test.yml").read_text(encoding="utf-8"))
    harness.equal(sorted(rules), sorted(tried), "alerts that fire in the test")


def test_promtool_finds_no_fault():
    """Debian has it in the package prometheus, which slurm-build/packages --test installs."""
    if not shutil.which("promtool"):
        raise harness.Failure("there is no promtool, so that no rule was tried: install Debian's package prometheus")
    board = json.loads((GRAFANA / "maui.json").read_text(encoding="utf-8"))
    expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    queries = [{"record": f"board:query_{number}", "expr": expression} for number, expression in enumerate(expressions)]
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        json.dump({"groups": [{"name": "board", "rules": queries}]}, file)  # which is YAML, too
        file.flush()
        for words in (["check", "rules", file.name], ["check", "rules", "maui.rules.yml"],
                      ["test", "rules", "maui.rules.test.yml"]):
            done = subprocess.run(["promtool", *words], cwd=GRAFANA, capture_output=True, check=False)
            harness.check_code(done, 0)


def test_documents_of_packages_link_to_what_packages_have():
    with tempfile.TemporaryDirectory() as top:
        done = subprocess.run([ROOT / "slurm-build/documents", top, "/usr/share/licenses/COPYING"], capture_output=True, check=False)
        harness.check_code(done, 0)
        links = {(path.name, target) for path in pathlib.Path(top).glob("*.md") for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8"))}
        broken = [(name, target) for name, target in links if not target.startswith("/usr/") and not (pathlib.Path(top) / target).exists()]
        harness.equal((sorted(broken), len(links) > 30), ([], True), "links")


def test_the_timer_runs_what_is_installed():
    service = SERVICE.read_text(encoding="utf-8")
    options = json.loads((harness.BUILD / "meson-info/intro-buildoptions.json").read_text(encoding="utf-8"))
    values = {option["name"]: option["value"] for option in options}
    installed = pathlib.Path(values["prefix"], values["bindir"], "maui")
    harness.equal(re.search(r"ExecStart=(\S+)", service)[1], str(installed), "ExecStart")
    for option in re.findall(r"--[a-z]+", service):
        if option not in (ROOT / "contribs/man/maui.1").read_text(encoding="utf-8").replace("\\-", "-"):
            raise harness.Failure(option)
