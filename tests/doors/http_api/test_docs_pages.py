"""The documentation pages need no internet."""

import re

import pytest
from tests.doors.http_api.serving import Served, serving


@pytest.fixture(scope="module")
def api():
    with serving() as served:
        yield served


@pytest.mark.parametrize("page", ["/docs", "/redoc"])
def test_a_page_loads_only_what_is_served_here(api: Served, page: str):
    reply = api.get(page)
    loaded = re.findall(r"""(?:src|href|url)\s*[=:]\s*["']([^"'#]+)["']""", reply.text)

    assert len(loaded) >= 3
    for address in loaded:
        assert address.startswith("/")
        assert api.get(address).status == 200
    assert "http" not in re.sub(r"<[^>]*noscript>", "", reply.text).replace("http-equiv", "")


@pytest.mark.parametrize("page", ["/docs", "/redoc"])
def test_the_browser_is_told_to_load_nothing_from_elsewhere(api: Served, page: str):
    """The scripts of the pages hold addresses of a validator and of a logo."""
    policy = api.get(page).headers["content-security-policy"]

    assert policy.startswith("default-src 'self';")
    assert "http" not in policy
    assert '"validatorUrl": null' in api.get("/docs").text


def test_answers_carry_no_such_policy(api: Served):
    assert "content-security-policy" not in api.get("/api/v1/health").headers
