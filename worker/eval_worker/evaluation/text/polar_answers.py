"""Answers to a yes-or-no question other than yes and no: hedges ("Possibly.") and the question's verb ("On.", "会")."""

from collections.abc import Sequence

from eval_worker.evaluation.text.question_words import AUXILIARIES
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import is_unspaced

_HEDGES = word_set("""
    maybe perhaps possibly probably likely unlikely unsure uncertain unclear unknown undecided inconclusive doubtful
    presumably supposedly apparently seemingly arguably potentially conceivably hopefully allegedly debatable depends
    sometimes usually often occasionally rarely seldom always mostly mainly partly partially somewhat almost nearly
    hardly barely both neither either none nothing plausible possible impossible yet soon not exactly roughly sorta
    kinda
    quizás quizá posiblemente probablemente depende seguramente acaso puede ocasionalmente siempre jamás nunca
    parcialmente
    casi todavía ambos incierto inseguro
    peut-être possiblement probablement certainement parfois souvent toujours jamais rarement partiellement presque
    incertain bientôt
    vielleicht möglicherweise möglich wahrscheinlich wohl vermutlich eventuell unsicher unklar unbekannt manchmal immer
    meistens selten kaum teilweise fast nie niemals bald natürlich sicher doch jein
    forse magari probabilmente possibilmente dipende incerto talvolta sempre spesso raramente mai quasi parzialmente
    talvez possivelmente provavelmente incerto sempre raramente quase parcialmente porventura
    misschien mogelijk waarschijnlijk onzeker onduidelijk soms altijd vaak zelden bijna nooit gedeeltelijk wellicht
    kanske möjligen troligen troligtvis förmodligen osäkert ibland alltid sällan delvis aldrig måske kanskje muligens
    sannsynligvis sandsynligvis kannski
    ehkä mahdollisesti luultavasti varmaan todennäköisesti joskus aina harvoin melkein kai epävarmaa
    może możliwe prawdopodobnie chyba niepewne czasami czasem zawsze rzadko prawie nigdy częściowo możná asi snad
    možda talán lehet valószínűleg poate probabil belki muhtemelen olabilir bazen galiba kısmen
    mungkin barangkali terkadang labda huenda siguro marahil
    возможно может наверное наверно вероятно видимо неизвестно неясно иногда всегда редко почти никогда частично
    можливо мабуть ймовірно вероятно ίσως πιθανόν πιθανώς μάλλον μπορεί άγνωστο
    ربما محتمل ممكن قد أحيانا أحياناً دائما نادرا شاید احتمالا אולי ייתכן יתכן כנראה לפעמים
    शायद संभवतः संभव हमेशा 아마 아마도 어쩌면 글쎄요 글쎄 가끔 항상 때때로
    多分 たぶん おそらく 恐らく もしかしたら もしかすると かもしれない かもしれません 時々 いつも
    也许 也許 可能 或许 或許 大概 不一定 说不定 不确定 不確定 有时 有時 差不多 บางที อาจจะ อาจ คงจะ
    """)
_VERBS = word_set("""
    sou é foi era estou está tenho tens há vou vai quero posso pode sei gosto fui existe
    tá níl níor sea bhí bheadh ní chan tha ydy ydw oes oedd nage nac ie
    on ole olen oli ei en et emme ovat olemme van nincs lehet tudok var yok değil vardır yoktur
    est sunt ita minime sic bai ez jes po jo iva le yebo cha meron wala mayroon sudah belum
    есть будет было был имеется нету конечно нельзя можно нужно надо יש אין موجود يوجد يمكن طبعا بالطبع هست نیست هستم
    ہاں جی হ্যাঁ না ஆம் இல்லை అవును కాదు होय नाही हो होइन छ छैन ಹೌದು ಇಲ್ಲ അതെ ഇല്ല ඔව් නැහැ እዎ አዎ አይ
    კი არა არის այո ոչ иә жоқ тийм үгүй បាទ ចាស ទេ ဟုတ်တယ် ဟုတ်ကဲ့ มี ไม่มี ได้ ไม่ได้ เป็น แล้ว ยัง được chưa rồi phải
    있어요 있습니다 없어요 없습니다 맞아요 아니에요 됩니다 안됩니다 가능합니다 불가능합니다 できます できません あります
    ありません います いません 可能です 不可能です もちろん もちろんです 当然 當然 行 不行 要 不要 用 不用 是的 没
    """)
_NEGATIONS = ("不", "没", "沒", "未", "ไม่")
_ENDINGS = "了的ましたですか"
_LONGEST_UNSPACED, _LONGEST_STEM = 8, 2
_SHORTEST_STEM, _SHORTEST_SYLLABIC_STEM = 3, 1
_QUESTION_CLITICS = ("ko", "kö", "li", "ne", "mı", "mi", "mu", "mü")


def is_hedge(words: Sequence[str]) -> bool:
    """Whether one word says how sure or how often: "Maybe.", "Sometimes"."""
    return len(words) == 1 and words[0] in _HEDGES


def says_verb(words: Sequence[str], question: Sequence[str], question_text: str) -> bool:
    """Whether one word answers by a verb, as languages without a yes do: the question's, or one that often serves."""
    if len(words) != 1 or words[0] in AUXILIARIES:
        return False
    word = words[0]
    if word in _VERBS:
        return True
    if is_unspaced(word):
        return _repeats_unspaced(word, "".join(question))
    if question[:1] and question[0] in AUXILIARIES:
        # English has a yes; what it repeats is the predicate: "Is it raining?" "Raining." A name is a parrot's answer.
        return word == question[-1] and word in question_text
    return any(_repeats(word, asked) for asked in question)


def _repeats(word: str, asked: str) -> bool:
    if word == asked or any(asked == word + clitic for clitic in _QUESTION_CLITICS):
        return True
    stem = _SHORTEST_SYLLABIC_STEM if "가" <= word[0] <= "힣" else _SHORTEST_STEM
    return len(word) >= stem and word[:stem] == asked[:stem]


def _repeats_unspaced(word: str, question: str) -> bool:
    if len(word) > _LONGEST_UNSPACED:
        return False
    for negation in _NEGATIONS:
        word = word.removeprefix(negation)
    stem = word.rstrip(_ENDINGS) or word
    return bool(stem) and stem[:_LONGEST_STEM] in question
