"""Whether a query is about code, where what elsewhere is a blank left open is a value: "null", "[]", "<br>", "%s"."""

import re

_LANGUAGES = (
    r"python|java|javascript|typescript|sql|html|xml|css|svg|json|yaml|typeof|c\+\+|golang|php|bash|regex|c code"
)
_CODE = r"(?:function|method|expression|code|program|snippet|query|script|call)"
_YIELDS = r"(?:returns?|returned|prints?|outputs?|gives? back|evaluates?)"
_ABOUT_VALUES = re.compile(
    rf"\b(?:{_LANGUAGES}|{_CODE} [^\n]{{0,60}}{_YIELDS}|{_YIELDS} [^\n]{{0,60}}{_CODE}|in (?:the )?code)\b|"
    r"代码|函数|コード|関数|코드|\bкоде?\b|функци|\b(?:código|función|fonction|funktion)\b"
)
_ASKS = re.compile(r"[?？؟]|(?:^|[.!:;\n])\W{0,4}(?:what|which)\b")
_ABOUT_MARKUP = re.compile(
    r"\b(?:html|xml|svg|css|php|jsx|tags?|tokens?|brackets?|braces|operator|symbols?|markup|markdown|latex|emoticon)\b"
)
_ABOUT_TEMPLATES = re.compile(
    r"\b(?:jinja2?|handlebars|mustache|templat\w*|placeholders?|django|angular|vue|liquid|lorem|ipsum|dummy|filler|"
    r"plantilla|modèle|vorlage|platzhalter|boilerplate)\b|模板|占位|テンプレート|템플릿|шаблон"
)


def is_about_code(folded_query: str) -> bool:
    return _ABOUT_VALUES.search(folded_query) is not None


def asks_for_value(folded_query: str) -> bool:
    """Whether a query asks what some code yields, as opposed to asking for the code."""
    return _ASKS.search(folded_query) is not None and is_about_code(folded_query)


def asks_for_markup(folded_query: str) -> bool:
    return _ABOUT_MARKUP.search(folded_query) is not None


def asks_for_template(folded_query: str) -> bool:
    return _ABOUT_TEMPLATES.search(folded_query) is not None
