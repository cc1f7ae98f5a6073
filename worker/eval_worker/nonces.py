"""Texts that nobody can guess: around untrusted data in a prompt, or to know one's own claim by."""

import os
import secrets

_BYTES = 8
_DIGITS = 2 * _BYTES
_DRAWN_AT_ONCE = 512

_unused: list[str] = []
os.register_at_fork(after_in_child=_unused.clear)  # a nonce is used once, whichever process has it


def fresh_nonce() -> str:
    """Return 16 hexadecimal digits of the system's randomness, which is asked for those of many calls at once.

    To ask it takes a microsecond, but lets go of the interpreter's lock, for which other threads may wait.
    """
    while True:
        try:
            return _unused.pop()
        except IndexError:
            drawn = secrets.token_hex(_BYTES * _DRAWN_AT_ONCE)
            _unused.extend(drawn[at : at + _DIGITS] for at in range(0, len(drawn), _DIGITS))
