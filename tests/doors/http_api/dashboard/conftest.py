"""A browser, a tab in which nothing may go wrong, and the API with and without keys."""

from collections.abc import Iterator

import pytest
from pydantic import SecretStr
from tests.browser.chromium import Browser, Tab, chromium
from tests.doors.http_api.serving import Served, serving
from tests.planted_secrets import API_KEY

from eval_worker.settings import Settings


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    """A tab in which nothing may go wrong, whatever the test is about: no fault, dialog or request elsewhere."""
    with browser.tab() as opened:
        yield opened
        assert opened.evaluate("window.refused ?? []") == []
        assert opened.evaluate("window.owned ?? null") is None
        assert opened.problems == []
        origins = {url.split("/")[2].partition(":")[0] for url in opened.requests if not url.startswith("data:")}
        assert origins <= {"127.0.0.1"}
        ports = {url.split("/")[2] for url in opened.requests if url.startswith("http")}
        assert len(ports) <= 1


@pytest.fixture
def api(settings: Settings) -> Iterator[Served]:
    with serving(settings) as served:
        yield served


@pytest.fixture
def guarded(settings: Settings) -> Iterator[Served]:
    with serving(settings, api_keys=SecretStr(API_KEY)) as served:
        yield served
