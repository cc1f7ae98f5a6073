"""Which classes a request may name: one must never import what it likes. Whoever starts the process may name any."""

from collections.abc import Collection

from eval_worker.errors import ConnectorError

# Each class also stands at the top of its package.
_PROVIDERS = {
    "langchain_anthropic": "ChatAnthropic",
    "langchain_google_genai": "ChatGoogleGenerativeAI",
    "langchain_groq": "ChatGroq",
    "langchain_ollama": "ChatOllama",
    "langchain_openai": "ChatOpenAI",
}
BUILT_IN_CLASS_PATHS = frozenset(
    path for package, name in _PROVIDERS.items() for path in (f"{package}.chat_models.{name}", f"{package}.{name}")
)
_LONGEST_SHOWN = 100


def check_class_path(class_path: str, also_allowed: Collection[str] = ()) -> None:
    """Let through the documented providers' chat models and those that the operator allows. Nothing is imported.

    Args:
        class_path: what a request names.
        also_allowed: full class paths, as LANGCHAIN_CLASS_PATHS lists them.

    Raises:
        ConnectorError: it is none of them, letter by letter.
    """
    if class_path in BUILT_IN_CLASS_PATHS or class_path in also_allowed:
        return
    named = class_path if len(class_path) <= _LONGEST_SHOWN else class_path[:_LONGEST_SHOWN] + "…"
    usual = ", ".join(sorted(path for path in BUILT_IN_CLASS_PATHS if ".chat_models." in path))
    raise ConnectorError(
        f"class_path {named!r} is not allowed here: name one of {usual}, "
        "or have the operator add it to LANGCHAIN_CLASS_PATHS"
    )
