"""How the page looks: on a phone, in both schemes, with large figures, and its charts under the keyboard."""

from typing import Any

import pytest
from tests.browser.chromium import Tab, needs_chromium
from tests.doors.http_api.dashboard.opened_page import at
from tests.doors.http_api.serving import Served
from tests.servers.kinds import RESULTS
from tests.stored_results import add_result, make_result

from eval_worker.event import Agent
from eval_worker.result import UsageResult

pytestmark = needs_chromium


def test_a_chart_says_under_the_keyboard_what_it_shows(api: Served, tab: Tab, redis_client: Any):
    add_result(redis_client, make_result(), key=RESULTS)
    tab.open(at(api))
    tab.until("document.querySelector('#timeline svg.drawing')")

    tab.evaluate("document.querySelector('#timeline svg.drawing').focus()")

    assert "pass 1" in tab.text("#timeline .tip")
    assert "mean confidence 0.96" in tab.text("#timeline .tip")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_cut_off_and_all_words_stand_out(api: Served, tab: Tab, redis_client: Any, scheme: str):
    for verdict in ("pass", "review", "fail"):
        stored = make_result("evt-" + "x" * 80, verdict=verdict, early_exit=True, agent=Agent(name="a" * 60))
        add_result(redis_client, stored, key=RESULTS)
    tab.call("Emulation.setDeviceMetricsOverride", width=375, height=800, deviceScaleFactor=1, mobile=True)
    tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    tab.open(at(api))
    tab.until("document.querySelectorAll('#feed li').length === 3")

    assert tab.evaluate("document.documentElement.scrollWidth") == 375
    assert tab.evaluate("[...document.querySelectorAll('figcaption bdi')].every((each) => each.offsetHeight < 24)")
    assert tab.evaluate(LEAST_CONTRAST) >= 4.5


@pytest.mark.parametrize(("cost", "shown"), [(123_456.0, "$123.5K"), (1e308, "$1.0e+308")])
def test_a_large_figure_stays_within_its_tile(api: Served, tab: Tab, redis_client: Any, cost: float, shown: str):
    usage = UsageResult(llm_calls=1, cost_usd=cost)
    for name in ("one", "two"):
        add_result(redis_client, make_result(name, usage=usage if name == "one" else UsageResult()), key=RESULTS)
    tab.call("Emulation.setDeviceMetricsOverride", width=375, height=800, deviceScaleFactor=1, mobile=True)

    tab.open(at(api))
    tab.until_text("#tiles", shown)

    assert (
        tab.evaluate("[...document.querySelectorAll('.tile')].filter((each) => each.scrollWidth > each.clientWidth)")
        == []
    )
    assert tab.evaluate("document.documentElement.scrollWidth") == 375


LEAST_CONTRAST = """(() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = numbers(getComputedStyle(each).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const shown = [...document.querySelectorAll("body *")].filter((element) => element.getClientRects().length &&
    !element.matches(":disabled") && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const contrasts = shown.map((element) => {
    const text = getComputedStyle(element);
    const ink = element.namespaceURI.includes("svg") ? text.fill : text.color;
    const [a, b] = [light(numbers(ink)), light(ground(element))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
  return Math.min(...contrasts);
})()"""
