"""The page, opened in a tab."""

from tests.browser.chromium import Tab
from tests.doors.http_api.serving import Served
from tests.planted_secrets import API_KEY


def at(api: Served, query: str = "") -> str:
    return f"http://127.0.0.1:{api.port}/{query}"


def with_key(tab: Tab, api: Served, query: str = "") -> None:
    tab.open(at(api, query))
    tab.until("document.querySelector('#key-dialog[open] input')")
    tab.type(API_KEY)
    tab.press("Enter")
    tab.until_text("#connection", "Live")


def events_of(tab: Tab) -> list[str]:
    return tab.texts("#feed .event")
