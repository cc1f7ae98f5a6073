"""The page in a real browser: what it shows, what it does, and that nothing strangers wrote is more than text."""

from collections.abc import Callable
from typing import Any

from pydantic import SecretStr
from tests.browser.chromium import Tab, needs_chromium
from tests.doors.http_api.dashboard.opened_page import at, events_of, with_key
from tests.doors.http_api.dashboard.stored_letters import add_letter
from tests.doors.http_api.serving import Served, serving
from tests.events import event
from tests.planted_secrets import API_KEY
from tests.processes import Worker, environment_for
from tests.servers.kinds import DEAD_LETTERS, RESULTS
from tests.stored_results import add_many, add_result, left_out, make_result
from tests.waiting import eventually_sync, once_in_a_few_tries

from eval_worker.event import Agent
from eval_worker.settings import Settings

pytestmark = needs_chromium

HOSTILE = (
    "<script>window.owned=1</script><img src=x onerror=window.owned=2>"
    "</textarea></pre><svg onload=window.owned=3>\u202egnp.exe\u202c\x00\x1b[2J${window.owned=4}{{7*7}}"
)
LINK = "javascript:window.owned=5"
LONG = "w" * 1_000_000
FEW_WORDS_MS = 100.0


def test_the_shell_paints_within_a_second_and_ten_thousand_results_are_counted(
    api: Served, tab: Tab, redis_client: Any
):
    add_many(redis_client, 10_000, agent=Agent(name="bot", version="1"))

    tab.open(at(api))
    tab.until_text("#scope", "Figures of all 10,000 results")

    assert tab.text(".tile .figure") == "10,000"
    assert len(events_of(tab)) == 50
    assert events_of(tab)[0] == "evt-09999"
    assert tab.text("#agents tbody tr").startswith("bot\t1\t10,000")
    assert tab.texts("#judges figcaption bdi") == ["length-checker", "faithfulness-judge"]
    tab.click("#more")
    tab.until("document.querySelectorAll('#feed li').length === 150")
    assert once_in_a_few_tries(lambda: painted_after_ms(tab, at(api)) < 1_000 * slowness(tab, api))


def slowness(tab: Tab, api: Served) -> float:
    """How much longer than on a machine with nothing else to do it takes until a page of a few words can be seen."""
    return max(1.0, painted_after_ms(tab, at(api, "api/v1/health")) / FEW_WORDS_MS)


def painted_after_ms(tab: Tab, address: str) -> float:
    """How long after it was asked for anything of a page could be seen."""
    tab.open(address)
    tab.until("performance.getEntriesByName('first-contentful-paint').length")
    return tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")


def test_results_that_sampling_left_out_are_no_base_of_the_partial_ones(api: Served, tab: Tab, redis_client: Any):
    for result in (make_result(partial=True), make_result(verdict="fail", early_exit=True), left_out(), left_out()):
        add_result(redis_client, result, key=RESULTS)

    tab.open(at(api))
    tab.until("document.querySelectorAll('#feed li').length === 4")

    shares = dict([line for line in tile.split("\n") if line][:2] for tile in tab.texts("#tiles .tile:not(.broad)"))
    assert {name: shares[name] for name in ("Early exits", "Partial")} == {"Early exits": "25.0%", "Partial": "50.0%"}


def test_verdicts_are_shown_as_they_arrive_and_told_to_those_who_listen(api: Served, tab: Tab, redis_client: Any):
    add_result(redis_client, make_result("first"), key=RESULTS)
    tab.open(at(api))
    tab.until("document.querySelectorAll('#feed li').length === 1")

    add_result(redis_client, make_result("second", verdict="fail", confidence=0.1), key=RESULTS)
    tab.until("document.querySelectorAll('#feed li').length === 2")

    assert events_of(tab) == ["second", "first"]
    assert "faithfulness-judge 0.20: The answer claims what" in tab.text("#feed li")
    assert tab.text("#news") == "1 new result: 1 fail"


def test_a_burst_of_more_than_is_shown_is_told_to_those_who_listen(api: Served, tab: Tab, redis_client: Any):
    add_result(redis_client, make_result("first"), key=RESULTS)
    tab.open(at(api))
    tab.until("document.querySelectorAll('#feed li').length === 1")

    add_many(redis_client, 60, key=RESULTS, at_once=True)

    tab.until_text("#news", "at least 50 new results: 50 pass")


def test_what_strangers_wrote_is_text_and_nothing_of_it_runs(guarded: Served, tab: Tab, redis_client: Any):
    stages = tuple(
        stage.model_copy(update={"name": f"{HOSTILE}{number}", "reason": HOSTILE})
        for number, stage in enumerate(make_result().stages)
    )
    texts = {"user_query": HOSTILE, "context": LONG, "answer": HOSTILE}
    agent = Agent(name=LINK, version=HOSTILE, type=HOSTILE)
    result = make_result(
        HOSTILE, verdict="fail", agent=agent, stages=stages, interaction=texts, model=HOSTILE, worker=HOSTILE
    )
    entry_id = add_result(redis_client, result, key=RESULTS).decode()
    letter_id = add_letter(redis_client, {"event_id": HOSTILE, "interaction": {"answer": HOSTILE}})

    with_key(tab, guarded)
    tab.until("document.querySelectorAll('#feed li').length === 1")
    tab.evaluate("document.querySelector('#agents a').click()")  # a javascript: address must not become one
    tab.until("location.search.includes('agent=javascript')")
    tab.click(f'#feed a[data-id="{entry_id}"]')
    tab.until_text("#opened", "What was judged")

    answer = tab.texts("#opened pre")[2]
    assert "<script>window.owned=1</script><img src=x onerror=window.owned=2>" in answer
    assert "[U+202E]gnp.exe[U+202C][U+0000][U+001B][2J${window.owned=4}{{7*7}}" in answer
    assert tab.evaluate("document.querySelectorAll('img, iframe, script:not([src]), [onerror], [onload]').length") == 0
    tab.click("#opened pre + button")
    assert tab.evaluate("document.querySelectorAll('#opened pre')[1].textContent.length") == len(LONG)
    assert tab.evaluate("document.querySelector('#opened').scrollWidth <= innerWidth")
    tab.open(at(guarded, f"?view=dead-letters&letter={letter_id}"))
    tab.until_text("#opened", "<script>window.owned=1</script>")
    assert tab.evaluate("document.querySelectorAll('a[href^=\"javascript\" i]').length") == 0


def test_a_dead_letter_that_is_replayed_ends_as_a_result(
    settings: Settings, guarded: Served, tab: Tab, redis_client: Any, spawn: Callable[..., Worker]
):
    add_letter(redis_client, event("came-back"))
    spawn(environment_for(settings))
    with_key(tab, guarded, "?view=dead-letters")

    tab.click(".letters input")
    tab.click('#letters [data-act="replay"]')
    tab.until_text("#confirm", "goes back to the event stream as a new entry, is judged again")
    assert redis_client.xlen(DEAD_LETTERS) == 1
    tab.click("#sure")
    tab.until_text("#notice", "1 event sent to the workers again.")
    tab.until_text("#letters", "No dead letters")
    tab.click("#to-results")
    tab.until_text("#feed", "came-back")

    assert redis_client.xlen(RESULTS) == 1


def test_purging_asks_first_and_says_what_will_be_lost(guarded: Served, tab: Tab, redis_client: Any):
    for name in ("one", "two", "three"):
        add_letter(redis_client, event(name))
    with_key(tab, guarded, "?view=dead-letters")
    tab.until("document.querySelectorAll('.letters li').length === 3")

    for row in (1, 2):
        tab.click(f".letters li:nth-child({row}) input")
    tab.click('#letters [data-act="purge"]')
    tab.until_text("#confirm", "Purge 2 dead letters?")
    assert "deleted for good, and the events in them are lost" in tab.text("#confirm")
    assert tab.evaluate("document.activeElement.innerText") == "Cancel"
    tab.press("Enter")
    tab.until("!document.querySelector('#confirm').open")
    assert redis_client.xlen(DEAD_LETTERS) == 3
    tab.click('#letters [data-act="purge"]')
    tab.click("#sure")
    tab.until_text("#notice", "2 dead letters deleted.")

    eventually_sync(lambda: tab.texts(".letters .event") == ["one"])
    assert redis_client.xlen(DEAD_LETTERS) == 1


def test_where_the_server_went_away_while_purging_it_is_said_that_it_may_have_been_done(
    settings: Settings, tab: Tab, redis_client: Any
):
    add_letter(redis_client, event("one"))
    with serving(settings, api_keys=SecretStr(API_KEY)) as guarded:
        with_key(tab, guarded, "?view=dead-letters")
        tab.click(".letters input")
        tab.click('#letters [data-act="purge"]')
    tab.click("#sure")

    tab.until_text("#confirm", "The server does not answer. It may have been done all the same")


def test_a_filter_that_is_refused_is_not_asked_for_again_and_again(api: Served, tab: Tab, redis_client: Any):
    add_result(redis_client, make_result("one"), key=RESULTS)
    tab.open(at(api, "?verdict=maybe"))
    tab.until_text(
        "#notice", "verdict: must be 'pass', 'review', 'fail' or 'skipped'. Choose other filters, or clear them."
    )
    tab.click("#clear-filters")

    tab.until_text("#feed", "one")
    assert len([url for url in tab.requests if "verdict=maybe" in url and "overview" in url]) == 1


def test_without_keys_the_page_only_looks_and_says_why(api: Served, tab: Tab, redis_client: Any):
    add_letter(redis_client, event("stays"))

    tab.open(at(api, "?view=dead-letters"))
    tab.until("document.querySelector('.letters li')")
    assert "set API_KEYS" in tab.text("#letters .bar")
    tab.click(".letters input")

    assert "set API_KEYS" in tab.text("#letters .bar")
    assert tab.evaluate("[...document.querySelectorAll('#letters [data-act]')].every((each) => each.disabled)")


def test_a_wrong_key_is_asked_for_again_and_a_right_one_lasts_as_long_as_the_tab(
    guarded: Served, tab: Tab, redis_client: Any
):
    add_result(redis_client, make_result("secret"), key=RESULTS)
    tab.open(at(guarded))
    tab.until("document.querySelector('#key-dialog[open] input')")
    assert events_of(tab) == []
    tab.type("not-the-right-key")
    tab.press("Enter")
    tab.until_text("#key-dialog", "the API key is none of those accepted here")
    tab.type(API_KEY)
    tab.press("Enter")
    tab.until_text("#feed", "secret")

    tab.open(at(guarded))

    tab.until_text("#feed", "secret")
    assert tab.evaluate("localStorage.length") == 0
    assert API_KEY not in "".join(tab.requests)


def test_filters_stand_in_the_address_survive_a_reload_and_are_gone_back_to(api: Served, tab: Tab, redis_client: Any):
    add_result(redis_client, make_result("good", agent=Agent(name="bot", version="1")), key=RESULTS)
    add_result(redis_client, make_result("bad", verdict="fail", agent=Agent(name="bot", version="2")), key=RESULTS)
    tab.open(at(api))
    tab.until("document.querySelectorAll('#feed li').length === 2")

    choose = "const field = document.querySelector('[name=verdict]'); field.value = 'fail'; "
    tab.evaluate(choose + "field.dispatchEvent(new Event('change', {bubbles: true}))")
    eventually_sync(lambda: events_of(tab) == ["bad"])
    assert tab.evaluate("location.search") == "?verdict=fail"
    assert "1 of all 2 results" in tab.text("#scope")

    tab.open(at(api, "?verdict=fail"))
    eventually_sync(lambda: events_of(tab) == ["bad"])
    assert tab.evaluate("document.querySelector('[name=verdict]').value") == "fail"
    tab.click("#clear-filters")
    eventually_sync(lambda: events_of(tab) == ["bad", "good"])
    tab.evaluate("history.back()")
    eventually_sync(lambda: events_of(tab) == ["bad"])


def test_it_can_be_used_by_the_keyboard_alone(api: Served, tab: Tab, redis_client: Any):
    for name in ("first", "second", "third"):
        add_result(redis_client, make_result(name), key=RESULTS)
    tab.open(at(api))
    tab.until("document.querySelectorAll('#feed li').length === 3")

    tab.press("j", "j", "j", "k")
    assert tab.evaluate("document.activeElement.querySelector('.event').innerText") == "second"
    tab.press("Enter")
    tab.until_text("#opened", "faithfulness-judge")
    assert "result=" in tab.evaluate("location.search")
    assert "set RESULTS_INCLUDE_INTERACTION" in tab.text("#opened .not-kept")
    tab.press("j")
    tab.until_text("#opened-title", "first")
    tab.press("Escape")
    tab.until("!document.querySelector('#opened').open && !location.search")
    tab.press("/")
    tab.type("thi")
    eventually_sync(lambda: events_of(tab) == ["third"])
    assert tab.evaluate("location.search") == "?text=thi"
    tab.press("Escape", "?")
    tab.until_text("#help", "next and previous line")


def test_when_the_server_goes_away_it_says_so_and_goes_on_when_it_is_back(
    settings: Settings, tab: Tab, redis_client: Any, free_port: int
):
    add_result(redis_client, make_result("before"), key=RESULTS)
    with serving(settings, eval_agent_api_port=free_port) as first:
        tab.open(at(first))
        tab.until_text("#feed", "before")
    tab.until_text("#notice", "The server does not answer. What is shown is from before. Trying again")
    assert events_of(tab) == ["before"]
    add_result(redis_client, make_result("meanwhile"), key=RESULTS)

    with serving(settings, eval_agent_api_port=free_port):
        tab.until_text("#feed", "meanwhile")
        tab.until("document.querySelector('#notice').hidden")
        assert tab.text("#connection") == "Live"


def test_where_there_is_nothing_to_show_it_says_what_to_do_next(tab: Tab, api: Served):
    tab.open(at(api))
    tab.until("getComputedStyle(document.querySelector('#feed'), '::after').content.includes('start a worker with')")


def test_without_a_redis_it_names_the_setting(tab: Tab):
    with serving() as api:
        tab.open(at(api))
        tab.until_text("#notice", "no Redis is configured here: set REDIS_URL, REDIS_ADDR or REDIS_SENTINEL")
