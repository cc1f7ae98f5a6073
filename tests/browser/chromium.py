"""A real Chromium without a window, driven by its DevTools protocol."""

import itertools
import json
import shutil
import subprocess
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.waiting import eventually_sync
from websockets.sync.client import ClientConnection, connect

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
SECONDS = 60
# Whatever the page would like to reach, no name but the server's own address leads anywhere.
_FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--remote-debugging-port=0",
    "--window-size=1280,900",
]
_OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
_WATCHER = """
  window.refused = [];
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    window.refused.push(violatedDirective + " " + blockedURI);
  });
"""

needs_chromium = pytest.mark.skipif(PROGRAM is None, reason="needs a browser: Debian's package is chromium")


@dataclass
class Tab:
    """One page. What it asked for, and whatever went wrong in it, is kept."""

    socket: ClientConnection
    requests: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _numbers: Any = field(default_factory=itertools.count)

    def call(self, method: str, **given: Any) -> Any:
        number = next(self._numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": given}))
        while True:
            message = json.loads(self.socket.recv(SECONDS))
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]
            self._note(message["method"], message["params"])

    def _note(self, event: str, told: dict[str, Any]) -> None:
        if event == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            self.problems.append(f"exception: {told['exceptionDetails']}")
        elif event == "Page.javascriptDialogOpening":
            self.problems.append(f"dialog: {told['message']}")
        elif event == "Log.entryAdded" and told["entry"]["source"] == "security":
            self.problems.append(f"policy: {told['entry']['text']}")

    def evaluate(self, expression: str) -> Any:
        reply = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in reply, (expression, reply["exceptionDetails"])
        return reply["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until it is true."""
        eventually_sync(lambda: self.evaluate(f"Boolean({expression})"), within=SECONDS)

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)
        self.until("document.readyState === 'complete'")

    def text(self, selector: str) -> str:
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def texts(self, selector: str) -> list[str]:
        return self.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.innerText)")

    def until_text(self, selector: str, words: str) -> None:
        self.until(f"(document.querySelector({json.dumps(selector)})?.innerText ?? '').includes({json.dumps(words)})")

    def click(self, selector: str) -> None:
        """As a person does: at the middle of what is there."""
        self.until(f"document.querySelector({json.dumps(selector)})?.getClientRects().length")
        find = f"document.querySelector({json.dumps(selector)})"
        self.evaluate(f"{find}.scrollIntoView({{block: 'center'}})")
        box = self.evaluate(f"{find}.getBoundingClientRect().toJSON()")
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type="mousePressed", **at)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", **at)

    def press(self, *keys: str) -> None:
        for key in keys:
            known = {"Enter": ("\r", 13), "Escape": ("", 27)}.get(key, (key, 0))
            pressed = {"key": key, "text": known[0], "windowsVirtualKeyCode": known[1]}
            self.call("Input.dispatchKeyEvent", type="keyDown", **pressed)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)


class Browser:
    def __init__(self, port: int) -> None:
        self._port = port

    @contextmanager
    def tab(self) -> Generator[Tab]:
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request) as reply:
            place = json.load(reply)["webSocketDebuggerUrl"]
        with connect(place, max_size=None) as socket:
            tab = Tab(socket)
            for domain in ("Page", "Runtime", "Network", "Log"):
                tab.call(f"{domain}.enable")
            tab.call("Emulation.setFocusEmulationEnabled", enabled=True)  # as if somebody looked at it
            tab.call("Page.addScriptToEvaluateOnNewDocument", source=_WATCHER)
            yield tab
            tab.call("Page.close")


@contextmanager
def chromium(profile: Path) -> Generator[Browser]:
    assert PROGRAM is not None
    with subprocess.Popen(
        [PROGRAM, *_FLAGS, _OFFLINE, f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            told = profile / "DevToolsActivePort"
            port = eventually_sync(lambda: told.exists() and told.read_text().partition("\n")[0], within=SECONDS)
            yield Browser(int(port))
        finally:
            process.terminate()
