"""An error message served as the answer: "Error 500: Internal Server Error", a traceback, an error page."""

import re

from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import fold

_HEAD = 2000
_MOST_WORDS = 30
_LONGEST = 300
_SHOWN, _QUOTED = 40, 24
_FIRST_WORDS = word_set("""
    error errors exception traceback fatal uncaught unhandled http https internal bad gateway service request rate
    timeout timed connection too api server undefined unexpected unknown network thread segmentation access permission
    unauthorized forbidden 400 401 403 404 408 409 413 422 429 500 502 503 504 an something failed unable cannot
    could upstream application econnrefused etimedout java openai botocore status code quota you oops sorry
    fehler erreur errore erro ошибка 错误 錯誤 エラー 오류
    """)
_ARTICLES = frozenset({"the", "your"})
_NAMED = ("error", "exception")
_STATUS = r"(?:4(?:0\d|1[0-8]|2[2-9])|5(?:0[0-8]|2\d))"
_WORDING = (
    r"(?:bad request|unauthorized|forbidden|not found|method not allowed|request time-?out|conflict|payload too large|"
    r"unprocessable (?:entity|content)|too many requests|internal server error|bad gateway|"
    r"service (?:temporarily )?unavailable|gateway time-?out)"
)
_SORRY = r"(?:(?:oops|sorry|we're sorry)\W{1,6})?"
_RETRY = r"(?:\W{1,6}(?:please )?(?:try|retry|contact|refresh|wait|reload)\b[^\n]{0,80})?"
_WHOLE = re.compile(
    rf"\W{{0,6}}{_SORRY}(?:"
    rf"(?:http(?:/\d(?:\.\d)?)?|api|server|client|status|error|code|fehler|erreur|errore?|erro|ошибка|错误|錯誤|エラー|오류)"
    rf"(?:\W{{0,6}}(?:status|error|code)){{0,2}}\W{{0,6}}{_STATUS}\b[^\n]{{0,100}}|"
    rf"(?:{_STATUS}\W{{1,6}})?(?:(?:client|server) error\W{{1,6}})?{_WORDING}(?:\W{{1,6}}[^\n]{{0,60}})?|"
    r"(?:the |your |api )?(?:request|connection|operation|server|read|call)(?: has| was)? "
    r"(?:timed? ?out|refused|aborted|reset(?: by peer)?|closed)(?:\W{1,6}(?:after|while)\b[^\n]{0,60})?|"
    r"timed? ?out(?: error| exceeded)?(?:\W{1,6}(?:after|waiting|while)\b[^\n]{0,60})?|"
    r"upstream connect error\b[^\n]{0,150}|application error\b[^\n]{0,150}|"
    r"econnrefused[^\n]{0,60}|etimedout[^\n]{0,60}|"
    r"(?:the |api |your )?(?:rate limit|quota)(?: (?:has been|was|is))? (?:exceeded|reached)[^\n]{0,80}|"
    r"you (?:have )?exceeded your (?:current )?(?:quota|rate limit)[^\n]{0,80}|"
    r"(?:an? |the )?(?:(?:unexpected|internal|unknown|server|network|fatal|unhandled|api|runtime) )*"
    r"(?:error|exception)(?: (?:has )?occurred)?(?: while processing (?:the|your) request)?|"
    r"(?:fatal |api |network |runtime )?error: [^\n]{1,120}|"
    r"something went wrong|segmentation fault(?: \(core dumped\))?|(?:access|permission) denied|"
    r"undefined is not an? \w+|cannot read propert(?:y|ies) [^\n]{1,80}|"
    r"(?:failed|unable|could not|cannot) (?:to )?(?:fetch|connect|reach|load|parse|resolve)(?: [^\n]{1,60})?"
    rf"){_RETRY}\W{{0,6}}"
)
_RAISED = re.compile(
    r"\W*(?:(?:uncaught |unhandled )?"
    r"(?:exception in thread\b|(?:[a-z_][\w]*\.)*[a-z]*(?:error|exception)(?:\(\w*\))?:)|"
    r"traceback \(most recent call last\))"
)
_PAGE = re.compile(
    rf"\s*<(?:!doctype html|html|head|title|h1)\b.{{0,1500}}?<(?:title|h1)[^>]{{0,60}}>[^<]{{0,60}}?"
    rf"(?:\b{_STATUS}\b|\berror|not found|unavailable|forbidden|denied|gateway|time-?out)",
    re.DOTALL,
)
_REPLY = re.compile(
    r"\s*\[?\s*\{\s*[\"'](?:(?:error|errors|exception|fault|error_?(?:message|code|type))[\"']\s*:\s*[^\sn]|"
    r"(?:type|status)[\"']\s*:\s*[\"']error[\"']|(?:status|code|status_?code)[\"']\s*:\s*[\"']?[45]\d\d\b|"
    r"(?:success|ok)[\"']\s*:\s*false|"
    rf"(?:detail|details|message|title|reason|msg)[\"']\s*:\s*[\"'](?:{_STATUS}\W{{1,3}})?{_WORDING}\b)"
)
_OPENS_MARKUP = frozenset("<{[")
_ABOUT_ERRORS = re.compile(
    r"\b(?:error\w*|exception\w*|traceback|stack ?trace|bugs?|debug\w*|crash\w*|fail\w*|http|status|json|api|html|"
    r"time-?outs?|timed|rate limit\w*|undefined|troubleshoot\w*|server|denied|forbidden|unauthorized|raises?|throws?|"
    r"fehler\w*|erreur\w*|errore\w*|erros?|fout\w*|hata|ошибк\w*|błąd\w*|lỗi|python|javascript|logs?|web ?page|"
    r"(?:what|which)\b.{0,40}\b(?:happens?|happened|outputs?|prints?|message|said|says|wrong))\b|"
    r"错误|錯誤|报错|异常|エラー|例外|오류|에러|خطأ|त्रुटि|שגיאה|ข้อผิดพลาด"
)


def why_error_message(words: WordsOfInteraction) -> str | None:
    sequence = words.answer.sequence
    if not sequence:
        return None
    answer = words.interaction.answer
    first = sequence[1] if sequence[0] in _ARTICLES and len(sequence) > 1 else sequence[0]
    if first not in _FIRST_WORDS and not first.endswith(_NAMED) and answer.lstrip()[:1] not in _OPENS_MARKUP:
        return None
    head = fold(answer[:_HEAD])
    if not _is_error(head, len(sequence)) or _is_asked_about(head, words):
        return None
    return f"is an error message ({answer.strip()[:_SHOWN]!r})"


def _is_error(head: str, count: int) -> bool:
    if _RAISED.match(head) or _PAGE.match(head) or _REPLY.match(head):
        return True
    return count <= _MOST_WORDS and len(head) <= _LONGEST and _WHOLE.fullmatch(head) is not None


def _is_asked_about(head: str, words: WordsOfInteraction) -> bool:
    """Whether the query is about errors, or the message stands in the context."""
    if _ABOUT_ERRORS.search(fold(words.interaction.user_query)):
        return True
    return words.interaction.has_context and head.strip()[:_QUOTED] in fold(words.interaction.context)
