"""A real Prometheus with the configuration that we ship, scraping processes of the test each second."""

import json
import os
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.processes import ROOT
from tests.servers.ports import free_port
from tests.servers.started import Started
from tests.waiting import eventually_sync

from eval_worker.embedded import HOST

SHIPPED = ROOT / "deploy" / "prometheus" / "prometheus.yml"
COMPOSE = ROOT / "deploy" / "compose.yaml"
SECONDS = 1  # between two scrapes
Series = list[dict[str, Any]]


class Prometheus(Started):
    """`targets` are the addresses of each shipped job; `past`, as OpenMetrics, is written in before it starts.

    `api_keys` is API_KEYS, of which Compose's entry point shows the API one.
    """

    def __init__(
        self, directory: Path, targets: Mapping[str, Sequence[str]], past: str = "", api_keys: str = ""
    ) -> None:
        self._directory = directory
        self._targets = targets
        self._past = past
        self._api_keys = api_keys
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"http://{HOST}:{free_port()}"

    def start(self) -> None:
        configuration = self._directory / "prometheus.yml"
        configuration.write_text(yaml.safe_dump(self._configuration()))
        if self._past:
            self._write_past()
        find_program("prometheus")
        command = [
            *self._entrypoint(),
            f"--config.file={configuration}",
            f"--storage.tsdb.path={self._directory / 'data'}",
            f"--web.listen-address={self.url.removeprefix('http://')}",
            "--log.level=warn",
        ]
        with (self._directory / "log").open("wb") as log:
            environment = {**os.environ, "API_KEYS": self._api_keys}
            self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        eventually_sync(self._ready)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def get(self, path: str, **parameters: str) -> Any:
        query = urllib.parse.urlencode(parameters)
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/{path}?{query}", timeout=60) as reply:
                return json.load(reply)["data"]
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise AssertionError(f"{parameters}: {refusal.read().decode()}") from refusal

    def query(self, expression: str) -> Series:
        return self.get("query", query=expression)["result"]

    def query_range(self, expression: str, start: float, end: float) -> Series:
        return self.get("query_range", query=expression, start=f"{start}", end=f"{end}", step=f"{SECONDS}")["result"]

    def rules(self) -> list[dict[str, Any]]:
        return [rule for group in self.get("rules")["groups"] for rule in group["rules"]]

    def _entrypoint(self) -> list[str]:
        """Compose's, writing into our directory."""
        words = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]["prometheus"]["entrypoint"]
        return [word.replace("$$", "$").replace("/tmp/", f"{self._directory}/") for word in words]

    def _configuration(self) -> dict[str, Any]:
        """The shipped one, its services replaced by our targets; and quicker."""
        document = yaml.safe_load(SHIPPED.read_text(encoding="utf-8"))
        document["global"] = dict.fromkeys(document["global"], f"{SECONDS}s")
        document["rule_files"] = [str(SHIPPED.parent / pattern) for pattern in document["rule_files"]]
        assert {job["job_name"] for job in document["scrape_configs"]} == set(self._targets)
        for job in document["scrape_configs"]:
            del job["dns_sd_configs"]
            job["static_configs"] = [{"targets": list(self._targets[job["job_name"]])}]
            if shown := job.get("authorization"):
                shown["credentials_file"] = shown["credentials_file"].replace("/tmp/", f"{self._directory}/")
        return document

    def _write_past(self) -> None:
        past = self._directory / "past.txt"
        past.write_text(self._past)
        command = [
            find_program("promtool"),
            "tsdb",
            "create-blocks-from",
            "openmetrics",
            past,
            self._directory / "data",
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=120)

    def _ready(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self._directory / "log").read_text()
        try:
            with urllib.request.urlopen(f"{self.url}/-/ready", timeout=10):
                return True
        except OSError:
            return False


def find_program(name: str) -> str:
    """Return where a program of Debian's package `prometheus` is; without it the test is skipped."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {name}: apt-get install prometheus")
    return found
