# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of `maui replay --html` in Chromium: whoever reads it, on whatever, can read it, and it loads
nothing. MAUI_TEST_PICTURES=DIR draws it into that directory."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import webdriver
from test_page import PICTURES, TRACES, WIDTHS
from webdriver import Browser

MAUI = Path(os.environ.get("MAUI_BUILD", "build")).resolve() / "contribs" / "maui" / "maui"
WORDS = ("--jitter=4", "--config=today.cfg", "--config=tomorrow.cfg", "--scheduler=easy", "small.swf")


class ReplayPageTest(unittest.TestCase):
    browser: Browser
    address: str

    @classmethod
    def setUpClass(cls) -> None:
        directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        report = directory / "report.html"
        subprocess.run([MAUI, "replay", f"--html={report}", *WORDS], cwd=TRACES, check=True, capture_output=True)
        cls.address = report.as_uri()
        cls.browser = cls.enterClassContext(Browser())

    def setUp(self) -> None:
        self.browser.look()

    def test_axe_finds_nothing(self) -> None:
        webdriver.need_axe(self)
        for width in WIDTHS.values():
            for dark in (False, True):
                self.browser.look(width, dark)
                self.browser.open(self.address)
                self.assertEqual(self.browser.faults(), [], f"{width} wide, dark: {dark}")

    def test_it_loads_nothing_and_runs_nothing(self) -> None:
        self.browser.open(self.address)
        found = "return [performance.getEntriesByType('resource').length, document.scripts.length]"
        self.assertEqual(self.browser.run(found), [0, 0])

    def test_every_view_fits(self) -> None:
        for name, width in WIDTHS.items():
            for dark in (False, True):
                self.browser.look(width, dark)
                self.browser.open(self.address)
                self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                for view in self.browser.run("return [...document.querySelectorAll('section')].map((one) => one.id)"):
                    inside = (
                        "const view = document.getElementById(arguments[0]);"
                        "return view.scrollWidth <= view.clientWidth + 1"
                    )
                    self.assertTrue(self.browser.run(inside, view), (view, name))
                if PICTURES:
                    PICTURES.mkdir(parents=True, exist_ok=True)
                    how = f"{name}-{'dark' if dark else 'light'}"
                    (PICTURES / f"replay-{how}.png").write_bytes(self.browser.picture())

    def test_on_paper(self) -> None:
        for dark in (False, True):
            self.browser.look(webdriver.PAPER, dark, paper=True)
            self.browser.open(self.address)
            self.assertEqual(self.browser.cut(), [], f"dark: {dark}")
        self.browser.look()
        words = ["pdftotext", "-layout", "-", "-"]
        paper = self.browser.paper()
        text = subprocess.run(words, input=paper, capture_output=True, check=True).stdout.decode()
        for part in ("Figures", "Shaken arrivals", "Those that gain most", "What is not included"):
            self.assertIn(part, text)
        if PICTURES:
            PICTURES.mkdir(parents=True, exist_ok=True)
            (PICTURES / "replay.pdf").write_bytes(paper)
