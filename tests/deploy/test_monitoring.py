"""What we ship for Prometheus and Grafana, on a real Prometheus that scrapes two workers and the API under load."""

import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.deploy.dashboard import RATE_INTERVAL, Query, queries, several, variables
from tests.doors.http_api.serving import EVALUATE, Served, serving
from tests.events import CONTEXT, EVENTS, event, rubbish, send
from tests.processes import Worker, environment_for
from tests.servers.prometheus import Prometheus, find_program
from tests.telemetry.monitoring_page import documented
from tests.waiting import eventually_sync

from eval_worker.settings import Settings
from eval_worker.testing import AccessDenied, FakeBedrock, MalformedReply, judge

Spawn = Callable[..., Worker]
AGENTS = ("my-agent", "support-bot (v1.5)", None)
LIMIT = 12  # calls a second, fewer than come at once
BATCH = 6
WITHIN_SECONDS = 90


@dataclass
class Monitored:
    prometheus: Prometheus
    workers: Sequence[Worker]
    api: Served
    bedrock: FakeBedrock
    redis_client: Any
    sent: int = 0

    @property
    def addresses(self) -> list[str]:
        return [*(worker.address for worker in self.workers), f"http://127.0.0.1:{self.api.port}"]

    def load(self) -> None:
        """Send what makes every kind of figure move: good ones, some of them twice, rubbish, and no events at all."""
        for number in range(self.sent, self.sent + BATCH):
            agent = {"name": AGENTS[number % len(AGENTS)]}
            text = f"{CONTEXT} This is said in book {number // 2}."
            send(self.redis_client, event(f"evt-{number}", context=text) | ({"agent": agent} if agent["name"] else {}))
        send(self.redis_client, rubbish())
        self.redis_client.xadd(EVENTS, {"payload": "{"})
        self.api.post(EVALUATE, event())
        self.sent += BATCH

    def wait_for_a_scrape(self) -> None:
        now = time.time()
        eventually_sync(lambda: all(float(each["value"][1]) > now for each in self.prometheus.query("timestamp(up)")))

    def wait_for_alert(self, name: str, state: str) -> dict[str, str]:
        """Wait for it; returns its labels."""
        asked = f'ALERTS{{alertname="{name}",alertstate="{state}"}}'
        return eventually_sync(lambda: self.prometheus.query(asked))[0]["metric"]

    def has_data(self, query: Query) -> bool:
        """Whether there is a figure in it: an unknown one, NaN, is none."""
        if query.instant:
            return any(_known(series["value"]) for series in self.prometheus.query(query.expression))
        now = time.time()
        found = self.prometheus.query_range(query.expression, now - 5, now)
        return any(_known(sample) for series in found for sample in series["values"])


def _known(sample: tuple[float, str]) -> bool:
    return not isnan(float(sample[1]))


@pytest.fixture
def monitored(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn, tmp_path: Path
) -> Iterator[Monitored]:
    find_program("prometheus")
    bedrock.limit(calls_per_second=LIMIT)
    bedrock.script(MalformedReply(), when=judge("coherence"), times=40)
    workers = [spawn(environment_for(settings, bedrock)) for _ in range(2)]
    with serving() as api:
        targets = {
            "eval-worker": [worker.address.removeprefix("http://") for worker in workers],
            "eval-api": [f"127.0.0.1:{api.port}"],
        }
        with Prometheus(tmp_path, targets, past=the_day_before()) as prometheus:
            eventually_sync(lambda: len(prometheus.query("up == 1")) == 3)
            yield Monitored(prometheus, workers, api, bedrock, redis_client)


def the_day_before() -> str:
    """What the rules recorded an hour ago of the last day: an agent that passed nearly always."""
    share, total = "job_agent_verdict:eval_verdicts:share1d", "job_agent:eval_verdicts:increase1d"
    minutes = [int(time.time()) - 3600 + 60 * minute for minute in range(-6, 3)]
    labels = 'job="eval-worker",agent="my-agent"'
    shares = [
        f'{share}{{{labels},verdict="{verdict}"}} {value} {minute}'
        for verdict, value in (("pass", 0.98), ("fail", 0.02))
        for minute in minutes
    ]
    totals = [f"{total}{{{labels}}} 5000 {minute}" for minute in minutes]
    return "\n".join([f"# TYPE {share} gauge", *shares, f"# TYPE {total} gauge", *totals, "# EOF\n"])


def test_every_query_finds_data_and_every_rule_can_be_evaluated(monitored: Monitored):
    missing = queries()
    ends_at = time.monotonic() + WITHIN_SECONDS
    while missing and time.monotonic() < ends_at:
        monitored.load()
        monitored.wait_for_a_scrape()
        missing = [query for query in missing if not monitored.has_data(query)]
    assert [str(query) for query in missing] == []

    expect_rules_without_errors(monitored.prometheus)
    expect_choices(monitored)
    expect_metrics_in_order(monitored.addresses)
    expect_alerts_on_what_breaks(monitored)


def expect_alerts_on_what_breaks(monitored: Monitored) -> None:
    """They are pending at first: it takes minutes until they fire."""
    monitored.bedrock.script(AccessDenied())
    monitored.load()
    pending = monitored.wait_for_alert("EvalModelUnavailable", "pending")
    assert pending["job"] == "eval-worker"
    last = monitored.workers[-1]
    last.signal(SIGKILL)
    pending = monitored.wait_for_alert("EvalWorkerDown", "pending")
    assert f"http://{pending['instance']}" == last.address


def expect_rules_without_errors(prometheus: Prometheus) -> None:
    eventually_sync(lambda: all(rule["health"] != "unknown" for rule in prometheus.rules()))
    assert {rule["name"]: rule.get("lastError") for rule in prometheus.rules() if rule["health"] != "ok"} == {}
    firing = eventually_sync(lambda: prometheus.query('ALERTS{alertstate="firing"}'))
    assert [(each["metric"]["alertname"], each["metric"]["reason"]) for each in firing] == [
        ("EvalDeadLetters", "malformed_event")
    ]


def expect_choices(monitored: Monitored) -> None:
    """What can be chosen is there, and choosing narrows the figures to it."""
    rates = f'rate(eval_confidence_count{{agent="{AGENTS[1]}"}}[{RATE_INTERVAL}])'
    eventually_sync(lambda: monitored.prometheus.query(rates), within=WITHIN_SECONDS)
    choices = {
        each.name: set(monitored.prometheus.get(f"label/{each.label}/values", **{"match[]": selector(each.selector)}))
        for each in variables()
    }
    assert choices["job"] == {"eval-worker", "eval-api"}
    assert choices["instance"] == {address.removeprefix("http://") for address in monitored.addresses}
    assert choices["agent"] == {name for name in AGENTS if name}

    narrowed = queries(agent=several(AGENTS[1] or ""), job=several("eval-worker"))
    shown = next(query.expression for query in narrowed if query.panel == "Mean confidence, by agent")
    assert [series["metric"] for series in monitored.prometheus.query(shown)] == [{"agent": AGENTS[1]}]


def selector(text: str) -> str:
    return text.replace("$job", ".*")


def expect_metrics_in_order(addresses: Sequence[str]) -> None:
    """By their names and help in promtool's eyes, and by their labels as docs/monitoring.md has them."""
    for address in addresses:
        with urllib.request.urlopen(f"{address}/metrics", timeout=60) as reply:
            scrape = reply.read()
        checked = subprocess.run(
            [find_program("promtool"), "check", "metrics"], input=scrape, capture_output=True, check=False
        )
        assert (checked.returncode, checked.stdout + checked.stderr) == (0, b""), address
        expect_labels_as_documented(scrape.decode())


def expect_labels_as_documented(scrape: str) -> None:
    pages = documented()
    for family in text_string_to_metric_families(scrape):
        for sample in family.samples:
            name = sample.name if sample.name in pages else family.name
            assert sample.name.endswith("_created") or set(sample.labels) - {"le"} <= pages[name][1], sample
