# SPDX-License-Identifier: GPL-2.0-or-later
"""Chromium without a screen, by the WebDriver protocol of its chromedriver, and axe-core from npm."""

from __future__ import annotations

import base64
import fcntl
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import surroundings  # noqa: E402  (the path has to be set first)

# CSS pixels between the margins of A4, of a page that is shrunk as far as Chromium does to make it fit.
PAPER = 718 * 3 // 2
WAIT = 240  # seconds after which something has failed
PACKAGE = Path(__file__).resolve().parent / "axe"
TAB, ENTER = "\ue004", "\ue007"

# The cells of the table with this caption: the text of each, and the numbers in it.
_TABLE = """
  const clean = (node) => node.textContent.replace(/\\s+/g, ' ').trim();
  const table = [...document.querySelectorAll('table')].find((one) => clean(one.caption) === arguments[0]);
  return table && [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) =>
    [clean(cell), [...cell.querySelectorAll('data')].map((one) => Number(one.value))]));
"""


def axe() -> str:
    """The source of axe-core, as package-lock.json has it. It is kept in the build's directory."""
    build = Path(os.environ.get("MAUI_BUILD", "build")) / "testsuite-browser"
    build.mkdir(parents=True, exist_ok=True)
    source = build / "node_modules" / "axe-core" / "axe.min.js"
    with open(build / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        same = (build / "package-lock.json", PACKAGE / "package-lock.json")
        if not source.exists() or same[0].read_bytes() != same[1].read_bytes():
            for name in ("package.json", "package-lock.json"):
                shutil.copy(PACKAGE / name, build / name)
            words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"]
            environment = os.environ | surroundings.network()
            subprocess.run(
                words,
                cwd=build,
                check=True,
                stdout=subprocess.DEVNULL,
                timeout=300,
                env=environment,
            )
    return source.read_text(encoding="utf-8")


def need_axe(test: unittest.TestCase) -> None:
    try:
        axe()
    except (OSError, subprocess.SubprocessError) as error:
        test.skipTest(f"axe-core cannot be had from npm: {error}")


class Browser:
    """One window. It is what slurm-build/packages --test installs."""

    def __init__(self) -> None:
        self._directory = tempfile.mkdtemp(prefix="maui-browser.")
        self._session = ""
        self._port = 0

    def __enter__(self) -> Browser:
        self._driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._driver.stdout
        for line in self._driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                self._port = int(found[1])
                break
        # Its sandbox does not work for root.
        arguments = [
            "--headless=new", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={self._directory}",
            *(["--no-sandbox"] if os.getuid() == 0 else []),
        ]
        patience = {"script": 1000 * WAIT, "pageLoad": 1000 * WAIT}
        wanted = {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}, "timeouts": patience}}
        self._session = self._ask("POST", "/session", {"capabilities": wanted})["sessionId"]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if self._session:
                self._ask("DELETE", f"/session/{self._session}")
        finally:
            self._driver.terminate()
            self._driver.communicate()
            shutil.rmtree(self._directory, ignore_errors=True)

    def _ask(self, method: str, path: str, data: Any = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=WAIT)
        try:
            body = json.dumps(data or {}) if method == "POST" else None
            connection.request(method, path, body, {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise AssertionError(f"{value['error']}: {value['message'][:500]}")
        return value

    def _command(self, path: str, **data: Any) -> Any:
        return self._ask("POST", f"/session/{self._session}/{path}", data)

    def _devtools(self, command: str, **parameters: Any) -> Any:
        return self._command("goog/cdp/execute", cmd=command, params=parameters)

    def open(self, address: str) -> None:
        self._command("url", url=address)

    def run(self, script: str, *arguments: Any) -> Any:
        """What the script returns; of a promise, what it becomes."""
        return self._command("execute/sync", script=script, args=list(arguments))

    def table(self, caption: str) -> list[list[tuple[str, list[float]]]]:
        """Its rows: of each cell the text, and the numbers in it."""
        rows = self.run(_TABLE, caption)
        if rows is None:
            raise AssertionError(f"there is no table {caption}")
        return [[(text, numbers) for text, numbers in row] for row in rows]

    def press(self, keys: Sequence[str]) -> None:
        pressed = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._command("actions", actions=[{"type": "key", "id": "keyboard", "actions": pressed}])

    def wait_for(self, script: str, *arguments: Any) -> Any:
        end = time.monotonic() + WAIT
        while not (found := self.run(script, *arguments)):
            if time.monotonic() > end:
                raise AssertionError(f"waited {WAIT} seconds for {script}")
            time.sleep(0.1)
        return found

    def look(
        self, width: int = 1280, dark: bool = False, script: bool = True, paper: bool = False
    ) -> None:
        """From here on: how wide the window is, what its reader likes, and whether it is to be printed."""
        self._devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        media = "print" if paper else ""
        self._devtools("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self._devtools("Emulation.setScriptExecutionDisabled", value=not script)

    def faults(self) -> list[str]:
        """What axe-core finds, with everything unfolded."""
        self.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        self.run(axe() + ";window.axe = axe;")
        found = self.run("return axe.run().then((all) => all.violations)")
        return [f"{one['impact']} {one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]

    def cut(self) -> list[str]:
        """What does not fit on paper as wide as the window, and where it would be printed on black."""
        return list(self.run(
            "const wide = [...document.querySelectorAll('main .scroll, main svg:not(svg svg)')]"
            ".filter((one) => one.scrollWidth > one.clientWidth + 1 && one.classList.contains('scroll')"
            " || one.getBoundingClientRect().right > innerWidth + 1)"
            ".map((one) => one.getAttribute('aria-label') ?? one.outerHTML.slice(0, 100));"
            "const ground = getComputedStyle(document.body).backgroundColor;"
            "return ground === 'rgb(255, 255, 255)' ? wide : [...wide, ground]"
        ))

    def picture(self, selector: str = "body") -> bytes:
        """A part of the page as PNG."""
        box = self.run(
            "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [box.left + scrollX, box.top + scrollY, box.width, box.height]",
            selector,
        )
        clip = dict(zip(("x", "y", "width", "height"), box, strict=True)) | {"scale": 1}
        shot = self._devtools("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        return base64.b64decode(shot["data"])

    def paper(self) -> bytes:
        """The page as PDF, as it is printed."""
        told = self._devtools("Page.printToPDF", printBackground=False)  # `print` waits 10 s at most
        return base64.b64decode(told["data"])
