"""The users that docs/security.md tells people to make, taken from it word by word."""

import re
from enum import StrEnum
from typing import Any

from tests.planted_secrets import REDIS_PASSWORD as PASSWORD
from tests.processes import ROOT

_LINE = re.compile(r"^ACL SETUSER (\S+) (.*)$", re.MULTILINE)
_RULE = re.compile(r"\([^)]*\)|\S+")


SECURITY = "docs/security.md"


class User(StrEnum):
    """Named as in docs/security.md."""

    WORKER = "eval-worker"
    PRODUCER = "eval-producer"
    READER = "eval-reader"
    OPERATOR = "eval-operator"


def rules_of(user: User, page: str = SECURITY) -> list[str]:
    """The user's rules, without the password that stands for people's own; a selector in brackets is one rule."""
    lines = dict(_LINE.findall((ROOT / page).read_text(encoding="utf-8")))
    return [rule for rule in _RULE.findall(lines[user]) if not rule.startswith(">")]


def make_user(
    admin: Any, user: User, *, without: str | None = None, more: tuple[str, ...] = (), page: str = SECURITY
) -> None:
    """Make the user as the page says, but for one rule (alone or in a selector), or with some more."""
    rules = [rule for rule in rules_of(user, page) if without not in {rule, *rule.strip("()").split()}]
    admin.execute_command("ACL", "SETUSER", user, *rules, f">{PASSWORD}", *more)


def make_users(admin: Any) -> None:
    for user in User:
        make_user(admin, user)
