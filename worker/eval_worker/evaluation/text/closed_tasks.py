"""Tasks that one word can do, however long their description: an antonym, a class, a blank, "only the number"."""

import re

_TASKS = (
    r"antonym|synonym|opposite|rhymes?|plural|singular|past tense|participle|infinitive|superlative|prefix|suffix|"
    r"abbreviat\w*|acronym|anagram|palindrome|(?:one|a single|single|1)[- ]word|one[- ]word|in a word|"
    r"a word (?:for|that|which|meaning|with)|fill in|blanks?|missing (?:word|letter|number)|"
    r"spell\w*|misspell\w*|unscramble|rearrange|classif\w+|categori[sz]\w*|categor(?:y|ies)|label\w*|sentiment|"
    r"part of speech|parts of speech|multiple[- ]choice|choose|pick|select|identify|determine|detect|guess|odd one out|"
    r"true or false|yes or no|translat\w*|correct (?:the )?(?:spelling|word|form|answer|option|verb)|"
    r"next (?:word|number|letter|term)|complete (?:the|this|following)|convert|simplify|calculate|compute|solve|"
    r"divide|multiply|subtract|add|"
    r"(?:only|just) (?:the|a|one|with|yes|by)|(?:with|using) (?:only|just|one|a single)|emojis?|"
    r"(?:suggest|recommend|make up|think of|come up with) (?:me )?(?:an?|one)|"
    r"(?:suggest|give|think of|come up with|create|generate|invent|find|recommend) (?:me )?(?:an?|one|the) (?:\w+ )?"
    r"(?:name|title|word|username|password|slogan|hashtag|domain|nickname|noun|verb|adjective|adverb|number|example)|"
    r"rate|score|grade|genre|emotion|tone of|mood|what (?:word|letter|number|type|kind|colou?r)|which (?:word|of|one)"
)
_ELSEWHERE = (
    r"sinónimo|antónimo|sinonimo|antonimo|contrari[oa]|synonym\w*|antonym\w*|gegenteil|contraire|opuesto|contrário|"
    r"una (?:sola )?palabra|un (?:seul )?mot|einem wort|ein wort|una (?:sola )?parola|uma (?:só )?palavra|één woord|"
    r"clasifica\w*|classifi\w*|klassifizier\w*|classific\w*|classeer|traduce|traduci\w*|traduis\w*|übersetz\w*|traduz\w*|"
    r"vertaal|översätt|przetłumacz|rellena|complet[ae]\w*|ergänz\w*|lücke|vervollständig\w*|elige|choisis\w*|wähle|scegli|"
    r"escolha|kies|одним словом|синоним\w*|антоним\w*|противоположн\w*|переведи\w*|классифиц\w*|выбери\w*|вставь\w*|"
    r"один\w* слов\w*|tek kelime|zıt anlam\w*|eş anlam\w*|çevir|sınıflandır|từ trái nghĩa|từ đồng nghĩa|dịch|chọn|"
    r"مرادف|عكس|ترجم|صنف|كلمة واحدة|اختر|विलोम|पर्यायवाची|समानार्थी|अनुवाद|एक शब्द|चुनिए|चुनें|वर्गीकृत|"
    r"מילה אחת|נרדפת|תרגם|סווג"
)
_UNSPACED = (
    r"反义词|反義詞|同义词|同義詞|近义词|翻译|翻譯|分类|分類|填空|选择|選擇|一个词|一個詞|一个字|判断|選んで|選びなさい|一言で|一語|"
    r"反対語|対義語|類義語|同義語|訳し|穴埋め|반의어|반대말|동의어|유의어|번역|분류|고르|한 단어|빈칸|คำตรงข้าม|คำพ้อง|"
    r"แปล|จำแนก|เลือก|เติมคำ"
)
_CLOSED_TASK = re.compile(rf"\b(?:{_TASKS}|{_ELSEWHERE})\b|_{{3,}}|{_UNSPACED}")
_ASKS_FOR_SIGNS = re.compile(
    r"\b(?:ascii|dots|dashes|asterisks|hyphens|morse|draw an?|"
    r"(?:draw|print|make|type|write) (?:me )?an? (?:row|line|border|pattern) of|"
    r"punctuation|symbols)\b|"
    r"\bemojis?\b|\bemoticons?\b|表情符号|表情|絵文字|이모지|эмодзи|смайл|إيموجي|इमोजी|อีโมจิ|אימוג"
)


def is_closed_task(folded_query: str) -> bool:
    return _CLOSED_TASK.search(folded_query) is not None


def asks_for_signs(folded_query: str) -> bool:
    """Whether an answer without a word or number may do: emoji, a row of stars, Morse code."""
    return _ASKS_FOR_SIGNS.search(folded_query) is not None
