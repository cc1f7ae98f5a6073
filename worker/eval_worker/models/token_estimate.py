"""How many tokens a text has, about: what counts is what the provider counts."""

TOOL_TOKENS = 340  # what Claude's own instructions for a forced tool add
_CHARACTERS_PER_TOKEN = 4
_BYTES_PER_TOKEN = 3


def estimate_tokens(text: str) -> float:
    """About one token for four ASCII characters; for three bytes in UTF-8 of anything else, so one a Chinese one."""
    ascii_characters = len(text.encode("ascii", "ignore"))
    return ascii_characters / _CHARACTERS_PER_TOKEN + (len(text.encode()) - ascii_characters) / _BYTES_PER_TOKEN
