"""Short answers by what they say: yes, no, nothing at all, "I don't know"."""

import re
from collections.abc import Sequence

from eval_worker.evaluation.text.word_cache import WordCache
from eval_worker.evaluation.text.word_set import word_set

_YES = """
yes yeah yep yup indeed correct true right absolutely definitely certainly affirmative
sí si oui sim já ja jawohl jo sì da igen tak ano áno evet kyllä joo jah jā taip
да так ага ναι نعم أجل بلى بله آره כן हाँ हां जी ใช่ ค่ะ ครับ vâng có đúng ya iya oo opo ndiyo
はい ええ うん そうです はいそうです 是 是的 对 對 对的 對的 有 能 可以 会 會 没错 네 예 응 그렇습니다 맞습니다
"""
_NO = """
no nope nah never false incorrect wrong negative
non não nao nein nee nej nei ne não nu nem nie hayır ei
нет не ні όχι لا كلا نه خیر خير לא नहीं नही ไม่ ไม่ใช่ không tidak bukan hindi hapana
いいえ いや ちがいます 違います いいえ違います 不 不是 不对 不對 没有 沒有 不能 不可以 不会 不會 否 아니요
아니오 아뇨 아닙니다
"""
# They agree to something, so they answer a yes-or-no question and nothing else.
_ASSENT = """
ok okay okey okie sure alright fine agreed done gotcha understood roger k kk
好的 好 行 可以的 没问题 明白 了解 わかりました 了解です 承知しました 알겠습니다 좋아요 хорошо ладно ок понятно
oki okej okei oké selvä dobrze dobra tamam حسنا حسناً طيب ठीक εντάξει בסדר โอเค オッケー 오케이 嗯嗯 好吧 收到
अच्छा noted vale claro bueno bien estábien tudobem vabene isgoed toutbien allright soundsgood noproblem ठीकहै
gotit surething verywell verygood allgood willdo noworries ofcourse makessense iunderstand isee asyouwish
inordnung allesklar sehrgut istgut ichverstehe gutok keinproblem trèsbien çamarche biensûr pasdeproblème c'estbon
deacuerdo muybien porsupuesto claroquesí sinproblema estábem muitobem comcerteza semproblemas claroquesim tábom
moltobene nessunproblema hocapito komtgoed geenprobleem безпроблем всёясно всепонятно لامشكلة لابأس
अच्छाठीकहै समझगया समझगई sorunyok anladım peki elbette 没有问题 問題ありません 문제없습니다
네알겠습니다 はいわかりました 好的明白
d'accord entendu klar gut alles tudo certo bom va
"""
_FILLER = """
thanks thank thx ty cheers welcome hi hello hey bye hm hmm hmmm mm mmm uh um er eh huh oh ah lol haha hehe
wow cool nice
great good idk dunno whatever maybe perhaps na n/a nan null none-given nil undefined todo tbd test foo bar baz blah
lorem ipsum xxx xyz answer response reply text string here
谢谢 謝謝 你好 嗯 哦 哈哈 呵呵 ありがとう ありがとうございます うーん こんにちは 고마워 감사합니다 음 안녕
спасибо привет хм
gracias hola adiós merci salut danke hallo tschüss obrigado obrigada olá grazie ciao prego bedankt hoi tack hej
kiitos moi dziękuję dzięki cześć teşekkürler merhaba شكرا شكراً مرحبا धन्यवाद नमस्ते ευχαριστώ γεια תודה שלום
ขอบคุณ สวัสดี terima kasih
"""
_REFUSAL_PHRASES = (
    r"don't know|do not know|not sure|cannot answer|can't answer|unable to (?:answer|help|provide)|no information|"
    r"not (?:mentioned|specified|stated|provided|given) in|doesn't (?:mention|say|specify|provide)|"
    r"does not (?:mention|say|specify|provide)|cannot (?:help|assist|provide)|can't (?:help|assist|provide)|"
    r"as an? (?:ai|artificial intelligence|(?:large )?language model)\b[^.!?]{0,60}(?:can't|cannot|unable|not able)|"
    r"no lo sé|no sé|je ne sais pas|weiß (?:ich )?(?:es )?nicht|non lo so|não sei|не знаю|nie wiem|bilmiyorum|"
    r"لا أعرف|لا أعلم|मुझे नहीं पता|नहीं जानता|모르겠습니다|모르겠어요|몰라요|모릅니다|"
    r"不知道|不清楚|不知道|无法回答|わかりません|分かりません|知りません|ไม่ทราบ|ไม่รู้|không biết|tidak tahu"
)
_REFUSAL = re.compile(_REFUSAL_PHRASES)
_PARTS_OF_REFUSAL = (
    "n't ", "not ", "unable", "no information", "je ne sais", "non lo so", "nie wiem", "bilmiyorum", "tidak tahu"
)  # fmt: skip
"""Each refusal in ASCII has one of these, which are soon looked for."""
_REFUSAL_WITHIN = 400

_GREETINGS = """
hello hi hey bye thanks thank thx cheers welcome good great cool nice here text answer reply string
谢谢 謝謝 你好 ありがとう ありがとうございます こんにちは 고마워 감사합니다 안녕 спасибо привет
gracias hola adiós merci salut danke hallo tschüss obrigado obrigada olá grazie ciao prego bedankt hoi tack hej
kiitos moi dziękuję dzięki cześć teşekkürler merhaba شكرا شكراً مرحبا धन्यवाद नमस्ते ευχαριστώ γεια תודה שלום
ขอบคุณ สวัสดี terima kasih
"""
# Words of the yes and no lists that also name a value, a side or a time: "True" to "What does it return?".
_VALUES = "true false right wrong correct incorrect never negative left 有 能 会 會 对 對 nunca"

YES_WORDS = frozenset(_YES.split())
NO_WORDS = frozenset(_NO.split())
ASSENT_WORDS = frozenset(_ASSENT.split())
FILLER_WORDS = frozenset(_FILLER.split())
GREETING_WORDS = frozenset(_GREETINGS.split())
"""Nothing said, but for a query that wants such a word translated."""
POINTING_WORDS = word_set("""
    i me you he him she her it we us they them mine yours his hers ours theirs here there now then before after both
    neither either all none same this that above below myself yourself himself herself yo tú él ella nosotros ellos aquí
    allí ahora antes después moi toi lui elle nous eux ici là ich du er sie wir hier dort da jetzt beide mich mir io lui
    lei noi loro qui adesso eu ele ela aqui agora jag han hon här där nu minä hän täällä nyt ja on ona tu tam teraz
    я он она мы они там ben sen o biz أنا هو هي هنا मैं वह यहाँ εγώ αυτός εδώ
    """)
"""Grammar to what-questions, and whole answers to who, where and when."""
AGREEING_WORDS = word_set("right true correct exactly indeed absolutely precisely wrong false incorrect")
"""Values elsewhere, and no reason for anything."""
PLAIN_YES_OR_NO = (YES_WORDS | NO_WORDS) - frozenset(_VALUES.split())
_POSITIVE_SIGNS, _NEGATIVE_SIGNS = frozenset("👍✅✔✓☑"), frozenset("👎❌✖✗🚫")
_MOST_WORDS = 6
_LETTERS_OF_FILLER = frozenset("nahmu")  # n/a, h m m
_SAYING_NOTHING = FILLER_WORDS | ASSENT_WORDS | _LETTERS_OF_FILLER
_SHORTEST_GIBBERISH = 4

_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{6}|^[bcdfghjklmnpqrstvwxz]{4,}$")
_MASHED = re.compile(r"([^\W\d])\1{3}|asdf|sdfg|dfgh|fghj|ghjk|hjkl|qwer|zxcv|xcvb|cvbn|vbnm")


def polarity(words: Sequence[str], text: str) -> bool | None:
    """True for an answer that opens with yes, False for no, None for neither."""
    if not words:
        signs = set(text[:_MOST_WORDS])
        return True if signs & _POSITIVE_SIGNS else False if signs & _NEGATIVE_SIGNS else None
    if words[0] in NO_WORDS:
        return False
    if words[0] in YES_WORDS or words[0] in ASSENT_WORDS:
        return True
    return None


def is_filler(words: Sequence[str]) -> bool:
    """Whether nothing is said: "thanks", "hm", "n/a", "ok sure". Longer texts are never called so."""
    if len(words) > _MOST_WORDS:
        return False
    return _SAYING_NOTHING.issuperset(words) or "".join(words) in ASSENT_WORDS  # O.K.


def is_refusal(folded: str) -> bool:
    """Whether the text says, near its start, that it does not know or will not answer."""
    if folded.isascii() and not any(part in folded for part in _PARTS_OF_REFUSAL):
        return False
    return _REFUSAL.search(folded, 0, _REFUSAL_WITHIN) is not None


def _looks_random(word: str) -> bool:
    if not word.isascii() or not word.isalpha() or len(word) < _SHORTEST_GIBBERISH:
        return False
    return _CONSONANTS.search(word) is not None or is_mashed(word)


def is_mashed(word: str) -> bool:
    """Whether a word runs along the keyboard or repeats one key: no case and no abbreviation excuses that."""
    return _MASHED.search(word) is not None


is_gibberish = WordCache(_looks_random).__getitem__
"""Whether a word looks typed by a cat. Short words and scripts other than Latin get the benefit of the doubt."""
