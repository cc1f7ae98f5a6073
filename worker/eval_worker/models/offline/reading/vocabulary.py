"""Words that tell what a sentence does: denies, opposes, asks, drifts off, or talks to the judge."""

import re

from eval_worker.evaluation.text.word_set import word_set
from eval_worker.models.offline.reading.stems import stem

NEGATIONS = word_set(
    """
    no not never none neither nor without cannot nobody nothing nowhere isn't aren't wasn't weren't don't doesn't didn't
    can't couldn't won't wouldn't shouldn't hasn't haven't hadn't unable
    non pas jamais ne kein keine nicht nie nunca jamás não niet geen inte ikke не нет ни nie
    لا ليس لم नहीं tidak bukan
    """
)
UNSPACED_NEGATION = re.compile(r"不是|不能|不会|没有|沒有|并非|不(?=[\u4e00-\u9fff])|ではない|ません|じゃない|ない|ไม่")

_OPPOSITES = """
increase/decrease rise/fall grow/shrink higher/lower high/low more/less more/fewer most/least before/after first/last
largest/smallest biggest/smallest larger/smaller bigger/smaller longer/shorter longest/shortest faster/slower
fastest/slowest hot/cold hotter/colder above/below maximum/minimum min/max always/never all/none true/false
win/lose won/lost open/closed opens/closes allow/forbid allowed/forbidden allowed/prohibited accept/reject
accepted/rejected enable/disable enabled/disabled include/exclude included/excluded north/south northern/southern
east/west eastern/western left/right safe/dangerous free/paid legal/illegal possible/impossible required/optional
mandatory/optional present/absent import/export early/late earlier/later old/new older/newer oldest/newest
old/young older/younger strong/weak stronger/weaker positive/negative success/failure succeeded/failed buy/sell
day/night morning/evening summer/winter male/female husband/wife alive/dead internal/external public/private
symmetric/asymmetric encrypt/decrypt
"""


def _opposites() -> dict[str, frozenset[str]]:
    pairs: dict[str, set[str]] = {}
    for pair in _OPPOSITES.split():
        one, other = pair.split("/")
        pairs.setdefault(one, set()).add(other)
        pairs.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in pairs.items()}


OPPOSITES = _opposites()

REQUEST_WORDS = word_set(
    """
    explain describe discuss elaborate summarize summarise compare contrast write outline analyze analyse detail details
    detailed give provide list name tell show state identify find generate create make say answer question following
    explanation description summary list please briefly brief short concise simple terms example examples instance
    sentence sentences paragraph paragraphs word words point points bullet bullets article text passage mean means work
    works happen happens use used using way ways thing things kind kinds type types know want need help exactly least
    each every both different various include mention e.g etc format style output response one two three four five six
    seven eight nine ten many much rewrite paraphrase rephrase reword translate shorten simplify condense proofread
    recap gist overview given provided below above suggest propose recommend choose pick select compose draft produce
    classify categorize categorise sort calculate compute determine convert define definition illustrate demonstrate
    clarify meant stand stands denote denotes acronym abbreviation
    erkläre erklären erläutere beschreibe beschreiben nenne nennen nennt gib geben liste ausführlich funktioniert
    bedeutet bezeichnet vergleiche bitte genau sowohl jeweils
    expliquer expliquez explique décrire décrivez décris donner donnez donne citer citez détail détails fonctionne
    fonctionnement signifie comparez énumérez listez exactement chacun chacune
    explicar explica explique describir describe proporciona enumera menciona detalle funciona significa compara
    exactamente ambos spiega spiegare descrivi elenca fornisci dettaglio funzionamento esattamente ciascuna ciascuno
    descreva liste forneça detalhe exatamente
    объясни объясните опиши опишите расскажите приведи приведите назови назовите перечисли перечислите подробно
    قدم وقدم أعط وأعط هات اذكر واذكر
    работает означает ровно verin veriniz açıklayın
    """
)
"""What a query says about the answer it wants, as opposed to what it is about."""

ASKS_FOR_SUMMARY = re.compile(
    r"\b(?:summar(?:y|i[sz])|recap|gist|overview|tl;?dr|condens|shorten|outline|zusammenfass|fasse?\b.{0,60}\bzusammen|"
    r"résum|resum(?:en|ir)|resúm|riassu|samenvat|streszcz|streść|özet|резюм|обобщ|перескаж|кратко излож)|"
    r"总结|總結|概括|概述|摘要|要約|まとめ|요약|สรุป|ملخص|لخص|सारांश|סכם",
    re.IGNORECASE,
)
"""What asks for what matters in a text, however the query is put."""

LIGHT_WORDS = word_set(
    """
    using use used uses like via called known based per etc also even still really quite thing things way ways lasts
    last come comes came take takes took make makes made give gives gave get gets got offer offers provide provides
    contain contains located currently well
    heißt heissen heißen lautet genannt jahr jahre jahres année appelle s'appelle appelé appelée año llama
    llamado llamada chiama chiamato chiamata anno chamado chamada ano heet heten genaamd jaar называется году года
    """
)
"""Words that are neither topic nor grammar: an answer may add them to what its context says."""

_SOURCE = (
    r"(?:contexts?|texts?|passages?|documentation|documents?|docs|information|articles?|sources?|manual|policy|faq|"
    r"kontext|text|dokument\w*|artikel|contexte|texte|document|contexto|texto|documento|contesto|testo)"
)
LEADS_IN = re.compile(
    rf"\W*(?:(?:according to|based on|as (?:stated|mentioned|described|noted|given|said)(?: in)?|as per|per|from|"
    rf"laut|gemäß|selon|d'après|según|secondo|segundo|de acordo com) (?:(?:the|this|your|our|dem|der|le|la|el|il|o|a|"
    rf"provided|given|above) ){{0,3}}{_SOURCE}(?: (?:provided|given|above))?|"
    r"as (?:stated|mentioned|described|noted|said)(?: (?:above|before))?|in (?:short|summary|brief|other words)|"
    r"to (?:sum up|summari[sz]e|answer your question)|kurz gesagt|en résumé|en resumen|in breve|em resumo)\s*[,:]\s*|"
    r"\W*the (?:(?:correct|right|short) )?answer(?: to (?:your|the) question)? is:?\s+|"
    r"(?:根据|根據|按照)(?:上下文|文本|资料|資料|文档|文件|内容)[，,]?|(?:文脈|資料|文書|テキスト)によると、?",
    re.IGNORECASE,
)
"""What leads up to a claim and claims nothing: where it was read, and that it is the answer."""
DIMENSIONS = word_set(
    """
    speed velocity length height width depth weight mass price cost temperature distance population area age duration
    year years date number total amount average size capacity volume count rate period
    geschwindigkeit länge höhe breite tiefe gewicht preis temperatur entfernung einwohner fläche alter dauer anzahl
    vitesse longueur hauteur largeur profondeur poids prix température population superficie âge durée nombre
    velocidad longitud altura anchura profundidad peso precio temperatura distancia población superficie edad duración
    número velocità lunghezza altezza prezzo durata numero velocidade comprimento preço duração
    """
)
"""What a number with its unit measures: the number says it too."""

DRIFT_MARKERS = re.compile(
    r"^(?:(?:but also|by the way|btw|anyway|incidentally|on another note|speaking of|fun fact|oh,? and|unrelated|"
    r"random(?:ly)?|besides(?=,)|in other news|apropos|on a (?:side|different) note|that reminds me|"
    r"übrigens|nebenbei|apropos|au fait|à propos|por cierto|a propósito|aliás|tra l'altro|a proposito|overigens|"
    r"trouwens|förresten|nawiasem|bu arada|кстати|между прочим|до речі|до слова|παρεμπιπτόντως|nhân tiện|omong-omong|"
    r"ngomong-ngomong)\b|also,|对了|對了|顺便|順便|话说|話說|ちなみに|ところで|そういえば|그런데|그나저나|참고로|ว่าแต่|"
    r"بالمناسبة|على فكرة|वैसे|אגב|דרך אגב)",
    re.IGNORECASE,
)
PERSONAL = re.compile(
    r"\b(?:i (?:really |also )?(?:love|like|hate|enjoy|bought|ate|went|feel|adore|prefer)|my (?:cat|dog|mom|mother|dad|"
    r"father|friend|favou?rite|car|wife|husband|birthday|neighbou?r|sister|brother|grandmother|uncle|aunt)|"
    r"(?:is|are|was|were|tastes?|looks?) (?:so |very |really |quite |pretty |just )?(?:delicious|tasty|yummy|cute|"
    r"awesome|adorable|gorgeous|boring|fun|lovely|amazing|beautiful|nice|wonderful|fantastic|exciting|great|cool|funny|"
    r"relaxing)|"
    r"ich (?:liebe|mag|hasse)|mein(?:e|en)? (?:katze|hund|lieblings\w+|freund|mutter|vater)|j'(?:aime|adore)|"
    r"m(?:on|a) (?:chat|chien|ami|mère|père)|me (?:encantan?|gustan?)|mi (?:gato|perro|amigo|madre|padre)|"
    r"(?:eu )?(?:adoro|amo)|mi piac(?:e|ciono)|il mio (?:gatto|cane)|ik (?:hou van|vind)|mijn (?:kat|hond)|"
    r"jag (?:älskar|gillar)|(?:kocham|uwielbiam|lubię)|(?:seviyorum|bayılırım)|я (?:люблю|обожаю|ненавижу)|"
    r"м(?:ой|оя|ій) (?:кот|кошка|собака|кіт|друг)|"
    r"(?:ist|sind|war|schmeckt|est|sont|es|son|está|è|sono|é|são|is|zijn|är|jest|są) "
    r"(?:so |sehr |auch |wirklich |très |aussi |vraiment |muy |también |molto |anche |muito |também |erg |heel |ook |"
    r"mycket |bardzo |też )?"
    r"(?:lecker|köstlich|schön|langweilig|délicieu\w+|bonne?s?|deliciosos?|deliciosas?|ricos?|ricas?|delizios\w|buon\w|"
    r"lekker|heerlijk|god|gott|pyszn\w+)|очень вкусн\w+|вкусн\w+|смачн\w+|lezzetli\w*|νόστιμ\w+|rất ngon|enak)\b|"
    r"好吃|美味|我(?:喜欢|喜歡|爱|愛|讨厌)|おいし|大好き|が好き|맛있|좋아해|좋아합니다|อร่อย|ฉันชอบ|لذيذ|أحب|स्वादिष्ट|मुझे.{0,20}पसंद|טעים|"
    r"אני אוהב",
    re.IGNORECASE,
)
"""What people say of themselves and of what pleases them."""
TELLTALES_OF_PERSONAL = word_set(
    """
    i my delicious tasty yummy cute awesome adorable gorgeous boring fun lovely amazing beautiful nice wonderful
    fantastic exciting great cool funny relaxing
    ich mein meine meinen j mon ma me mi adoro amo mio ik mijn jag kocham uwielbiam seviyorum
    lecker langweilig bon bons bonn bonne bonns bonnes delicioso deliciosos deliciosa deliciosas rico ricos rica ricas
    lekker heerlijk god gott lezzetli enak
    """
)
PARTS_OF_PERSONAL = ("delizios", "buon", "pyszn", "lezzetli")
"""In plain text it has one of these words, or of these parts of words."""
POINTS_BACK = re.compile(
    r"^(?:(?:all|most|many|some|none|much|each|part) of )?"
    r"(?:it|this|that|these|those|they|them|he|she|its|their|his|her|such|both|however|therefore|thus|then|next|finally|"
    r"for example|for instance|as a result|in addition|moreover|furthermore|additionally|similarly|first|second|third|"
    r"instead|also|because|so|in short|in summary|overall|here|there|what|which|another|other|if|when|once|to)\b",
    re.IGNORECASE,
)
LEADS_ON = word_set(
    """
    a an the and or but because than of whose my your his our their its if as at into from
    der die das und oder weil dass le la les et ou de du des que el los las y il e di der het een en och att и или что
    """
)
"""Words that no sentence ends with: after them a text was cut off."""
FINITE_VERBS = word_set(
    """
    is are was were has have had can could will would shall should must may might does do did never always
    contains contain lives live likes like eats eat goes go makes make costs works belongs
    ist sind war waren hat haben hatte kann können wird werden muss müssen enthält enthalten
    est sont était étaient ont avait peut peuvent sera seront vivent contient contiennent
    es son está están era eran tiene tienen puede pueden será contiene contienen
    è sono ha hanno aveva può possono sarà é são tem têm pode podem estava
    zijn heeft hebben kan kunnen wordt worden är har
    """
)
"""Commoner verbs in a form that only a sentence has."""
ORDERS_TO_THE_JUDGE = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|previous|prior|above|prompt|rubric|criteri)|"
    r"\b(?:give|assign|award|rate|score|grade|mark)\b.{0,30}\b(?:this|it|me|the|my)\b.{0,30}"
    r"(?:\b[0-5]\b|\bfive\b|\b(?:full|perfect|maximum|highest|top|best)(?: possible)?"
    r"(?=\W*$| (?:\w+ )?(?:marks?|scores?|points?|credit|ratings?|grades?|levels?|verdict)\b)|100|10/10|\bpass\b)|"
    r"\b(?:set|put|raise) (?:\w+ )?(?:scores?|levels?|ratings?|grades?|marks) (?:to|at)\b|"
    r"\b(?:this|the|my) (?:answer|response|reply) (?:deserves|should|must|fully|perfectly|completely|fulfil|addresses)|"
    r"\b(?:this|the|my) (?:answer|response|reply) (?:is|was) (?:\w+ ){0,3}(?:correct|accurate|perfect|complete|right|"
    r"excellent|flawless|comprehensive|good|great|best|true|supported|verified|relevant|helpful|faithful|coherent)\b|"
    r"\b(?:judge|grader|evaluator|rater|assessor)s?\b.{0,60}\b(?:score|rate|give|must|should|please|mark)|"
    r"\b(?:you are|dear|(?:note|message|memo) to)\b.{0,40}\b(?:judge|grader|evaluator|rater|assessor)s?\b|"
    r"\b(?:score|rating|grade|verdict|level)\s*[:=]\s*(?:\d|pass|perfect|full)|</?\s*(?:system|score|verdict|instruction)|"
    r"满分|打5分|打五分|忽略.{0,12}(?:指令|指示|说明)|満点",
    re.IGNORECASE,
)
ABOUT_JUDGING = frozenset(
    map(
        stem,
        word_set(
            """
            answer response reply question query submission score grade level rating rate rubric judge judgement
            judgment grader evaluator evaluation verdict instruction prompt assistant rationale calibration
            """
        ),
    )
)
"""Stems that a judge is talked to with. They link no sentence to what is judged."""
SCORING = frozenset(map(stem, word_set("score grade rating rate level")))
"""Of these, what a query may ask for: whoever wants an essay rated is given a score."""
JUDGED_HERE = frozenset(
    map(
        stem,
        word_set(
            """
            answer response reply submission judge grader evaluator rater assessor rubric verdict instruction prompt
            assistant
            """
        ),
    )
)
"""Of these, what no one speaks of but to whoever judges: a question without them is none to the judge."""
EMPTY_WORDS = frozenset(
    map(
        stem,
        word_set(
            """
            important note noted worth mention mentioned interesting topic many conclusion summary overall fact indeed
            aspect factor role matter depend depends detail details consider various several different complete correct
            accurate comprehensive clear excellent perfect great good nice right relevant information provide include
            think know guess lot sure maybe perhaps certainly definitely basically actually generally general vary
            varied complex complicated subject area issue say said discuss discussed care carefully weigh weighed whole
            play essential crucial significant fascinating vast broad deep deeper understand
            """
        ),
    )
)
"""Stems that any answer may be filled up with: they tell nothing of its own."""
SAYS_OF_ITSELF = frozenset(
    map(
        stem,
        word_set(
            """
            source sources reference references citation wikipedia encyclopaedia encyclopedia britannica passage
            paragraph sentence sentences statement statements claim claims wording quote quoted quotation cite cited
            excerpt above below earlier previously before aforementioned said told stated described explained pointed
            outlined
            summarized summarised repeated length
            informational informative purposes legal advice guarantee guaranteed disclaimer liability warranty
            professional professionals expert experts researcher researchers scholar scholars scientist scientists
            specialist specialists authority authorities expertise
            study studies research evidence source proof prove proved proven shown confirm confirmed verify verified
            verification demonstrated established checked double-checked agreed acknowledged accepted
            accuracy accurate correctness correct precise exact exactly truth truthful factual flawless
            mistake mistakes error errors doubt doubts undeniable undoubtedly certain certainty opinion opinions humble
            belief beliefs knowledge known widely commonly universally everywhere beyond
            remember rightly believe well act risk own omissions excepted satisfied criterion criteria
            simple simply simpler plain plainly plainer obvious clear clearly clearer put better truer surer
            concise succinct coherent faithful grounded helpful harmless honest readable thorough structured
            cover covers covered sum sums meet meets met need needs follow follows
            """
        ),
    )
)
"""Stems by which a text speaks of itself: what it rests on, how sure it is, where it has said so."""
POINTS_AT_THE_TEXT = frozenset(map(stem, word_set("context document text given provided supplied entirely")))
"""Stems by which a text speaks of what it was given: together with those they tie a sentence to nothing."""
SAID_OF_TEXTS = (
    frozenset(
        map(
            stem,
            word_set(
                """
            see cf ref refs section sections chapter chapters appendix page pages table footnote endnote tl dr tldr ps
            written worded phrased formatted formatting organised organized structure sourced supported support backed
            style insightful reasoning logic logical evidence readable readability
            missing omitted lacking left leaves leave addressed addresses address exhaustive fully full completeness
            outside used uses using based drawn derived taken invented fabricated hallucinated hallucination
            contradiction contradictions contradict consistent consistency relevance faithfulness coherence assumption
            star stars point points marks credit award awarded deserve deserves merit merits top highest maximum max
            review reviewed approved approval validated fact-checked trusted trust reliable trustworthy quality
            vary varies consult consulting qualified medical financial legal advice disclaimer responsibility liable
            regards sincerely faithfully yours contact reach anytime follow-up assistant assisting convenience
            concluding wrapping sum result results according admire careful carefully sharp eye eyes
            """
            ),
        )
    )
    | (SAYS_OF_ITSELF - frozenset(map(stem, ("meet", "need"))))
    | POINTS_AT_THE_TEXT
)
"""Stems of what is said of any text: where it was read, how good and how sure it is, and that it ends here."""
PLEASANTRIES = frozenset(
    map(
        stem,
        word_set(
            """
            hope help helped helpful helps thank thanks thankful please feel free ask let know else anything further
            happy assist assistance glad welcome pleasure need want question questions excellent great good wonderful
            amazing fantastic awesome brilliant outstanding superb perfect flawless bravo congratulations job work well
            done nice appreciate cheers greetings regards sincerely welcome
            sorry inconvenience apologies apologize
            danke frage hoffe hilft merci espère cela aide gracias pregunta espero ayude ayuda obrigado obrigada
            pergunta ajude ajuda grazie domanda spero sia ti utile bedankt uw vraag hoop helpt
            """
        ),
    )
)
"""Stems of thanks, praise and offers of help."""
ANNOUNCING = word_set(
    """
    solution solutions explanation reasoning thought thoughts process step steps problem conclusion result output final
    the a my this is here so
    lösung erklärung antwort ergebnis solución explicación respuesta resultado réponse explication résultat soluzione
    risposta spiegazione solução resposta explicação oplossing antwoord uitleg svar lösning odpowiedź rozwiązanie
    ответ решение объяснение відповідь рішення cevap çözüm açıklama الجواب الحل הפתרון תשובה उत्तर समाधान απάντηση λύση
    解 答 答案 解答 解释 解說 回答 解説 かいせつ こたえ 答え 해설 정답 답 풀이 คำตอบ trả lời jawaban
    """
)
"""Words that announce an answer and give none."""
LABELS = ANNOUNCING | word_set(
    """
    reply response output note source sources reference references end summary judgement answer question query tl dr ps
    p.s key points
    """
)
"""Words that are put before a text, or under it, and are no part of it."""
REFERS_BACK = re.compile(
    r"^(?!it (?:is|was) (?:\w+ ){1,2}(?:to|that)\b)"  # "it is important to …" refers to nothing
    r"(?:it|this|that|these|those|they|he|she|its|their|his|her|such|both)\b",
    re.IGNORECASE,
)
COURTESY = re.compile(
    r"^(?:sure|certainly|of course|great question|good question|i hope this|hope this|let me know|feel free|"
    r"i'?m happy to|happy to|thank you|thanks|here (?:is|are)|you're welcome|is there anything)\b.{0,80}$",
    re.IGNORECASE,
)
SMALL_TALK = frozenset(
    map(
        stem,
        word_set(
            """
            think thought know guess believe suppose figure mean see saw seen look hear heard listen read feel felt like
            love enjoy hate hope wish wonder want need try go going gonna come get got let make use work happen keep put
            say said tell told ask talk talking speak chat chatting discuss answer question conversation reply
            good great nice cool awesome amazing wonderful fantastic perfect interesting interested fun funny bad crazy
            weird sad happy glad sorry welcome fine best better worst favorite favourite big new old long little sure
            right true agree wow yeah yep nope okay lol haha oh ah hmm hi hello hey bye thank thanks please pleasure
            idea point sense reason fact topic stuff thing lot bit kind sort time day today way part place people person
            man guy everyone everybody someone somebody anyone anybody everything something anything nothing
            important note aspect general detail matter factor role case example several various above below conclusion
            one two three four five six seven eight nine ten first second third last next new
            really actually probably maybe perhaps exactly definitely absolutely totally certainly course especially
            every each another other same different own whole
            always ever never sometimes often recently lately ago yet already still even much many else together
            """
        ),
    )
)
"""Stems that fit any conversation: opinions, courtesies, and the commonest verbs and nouns of talk."""
