# SPDX-License-Identifier: GPL-2.0-or-later
"""Chromium without a screen, by the WebDriver protocol of its chromedriver."""

import base64
import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

WAIT = 60  # seconds after which something has failed


class Browser:
    """One window."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="maui-browser.")
        self.driver = self.port = self.session = None

    @staticmethod
    def is_here():
        return bool(shutil.which("chromium") and shutil.which("chromedriver"))

    def __enter__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                self.port = int(found[1])
                break
        # Its sandbox does not work for root.
        arguments = ["--headless=new", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={self.directory}",
                     *(["--no-sandbox"] if os.getuid() == 0 else [])]
        self.session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}}}})["sessionId"]
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self._ask("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.communicate()
            shutil.rmtree(self.directory, ignore_errors=True)

    def _ask(self, method, path, data=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        try:
            connection.request(method, path, json.dumps(data or {}) if method == "POST" else None, {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{value['error']}: {value['message'][:500]}")
        return value

    def _command(self, path, **data):
        return self._ask("POST", f"/session/{self.session}/{path}", data)

    def devtools(self, command, **parameters):
        return self._command("goog/cdp/execute", cmd=command, params=parameters)

    def open(self, address):
        self._command("url", url=address)

    def run(self, script, *arguments):
        """What the script returns; of a promise, what it becomes."""
        return self._command("execute/sync", script=script, args=list(arguments))

    def wait_for(self, script, *arguments):
        end = time.monotonic() + WAIT
        while not (found := self.run(script, *arguments)):
            if time.monotonic() > end:
                raise TimeoutError(script)
            time.sleep(0.05)
        return found

    def look(self, width=1280, dark=False, script=True):
        """From here on: how wide the window is, and what its reader likes."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.devtools("Emulation.setScriptExecutionDisabled", value=not script)

    def picture(self, selector="body"):
        """A part of the page as PNG."""
        box = self.run("const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                       "return [box.left + scrollX, box.top + scrollY, box.width, box.height]", selector)
        clip = dict(zip(("x", "y", "width", "height"), box)) | {"scale": 1}
        return base64.b64decode(self.devtools("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"])

    def paper(self):
        """The page as PDF, as it is printed."""
        return base64.b64decode(self._command("print", background=False))
