"""The words that make a question, and say what it asks for, in some thirty languages."""

from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.word_set import word_set

AUXILIARIES = word_set("""
    is are was were am do does did can could will would shall should may might must has have had isn't aren't wasn't
    weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't
    """)

_WORDS = {
    Asks.NAME: """
        what which whatever cuál cuáles qué quel quelle quels quelles quoi welche welcher welches quale quali
    qual quais
        wat welk welke vad vilken vilket vilka hvad hvilken hva co jaki jaka jakie który która które jaký jaká
        что какой какая какое какие какую каким який яка яке які що τι ποιο ποια ما ماذا أي أية מה איזה چه چی
        क्या किस कौनसा gì apa mikä milyen melyik hangi nedir
    """,
    Asks.PERSON: """
        who whom whose quién quiénes quem kto кто кого чей чья хто ποιος من מי कौन किसने किसका siapa kuka kim ki vem
    """,
    Asks.PLACE: """
        where hvor dónde où onde dove wo waar woher wohin var gdzie где куда откуда де πού أين איפה کجا कहाँ कहां đâu mana
        missä nerede kde hol unde
    """,
    Asks.DATE: """
        when cuándo quand wann wanneer när hvornår når kiedy когда коли πότε متى מתי کی कब milloin kapan kdy
    mikor când
    """,
    Asks.NUMBER: """
        cuánto cuánta cuántos cuántas combien wieviel wieviele hoeveel quanti quante quantos quantas ile câți câte
        quants
    quantes zenbat monta moniko mitu ngapi ilan cik kiek koliko mennyi mấy колко
    сколько скільки
        πόσο πόσα πόσοι كم כמה چند कितने कितना कितनी nhiêu berapa kaç kolik hány montako
    """,
    Asks.OPEN: """
        how hvordan kuinka miten why cómo porqué pourquoi comment warum wieso weshalb hoe waarom hur varför jak
        dlaczego как почему зачем
        як чому πώς γιατί كيف لماذا איך למה מדוע چطور چرا कैसे क्यों bagaimana mengapa miksi nasıl neden
    niçin proč hogyan
        miért
    """,
}
QUESTION_WORDS = {word: asks for asks, block in _WORDS.items() for word in block.split()}

_FIRST = {
    Asks.NAME: "que",
    Asks.PERSON: "qui quien wer wie chi cine",
    Asks.PLACE: "donde",
    Asks.DATE: "cuando quando",
    Asks.NUMBER: "cuanto cuantos cuantas quanto",
    Asks.OPEN: "como come perché perche cum",
}
FIRST_WORDS = {word: asks for asks, block in _FIRST.items() for word in block.split()}
"""Question words only at the start: elsewhere they are conjunctions, or another language's common words."""

KOREAN_STEMS = {
    "무엇": Asks.NAME, "뭐": Asks.NAME, "뭘": Asks.NAME, "어느": Asks.NAME, "어떤": Asks.NAME,
    "누구": Asks.PERSON, "누가": Asks.PERSON, "어디": Asks.PLACE, "언제": Asks.DATE, "몇": Asks.NUMBER,
    "얼마": Asks.NUMBER, "어떻게": Asks.OPEN, "왜": Asks.OPEN, "설명": Asks.OPEN,
}  # fmt: skip

POLAR_WORDS = word_set("ли чи czy هل آیا האם apakah mı mi mu mü không eikö onko")
POLAR_MARKS = ("吗", "嗎", "是否", "是不是", "有没有", "能不能", "对不对", "会不会", "ไหม", "มั้ย", "หรือไม่", "หรือเปล่า")
POLAR_FIRST_WORDS = frozenset({"क्या", "est-ce"})
OR_WORDS = word_set("or oder ou или або czy lub veya أم أو או atau eller 또는 아니면")

_UNSPACED = {
    Asks.OPEN: """
        为什么 為什麼 怎么 怎麼 如何 为何 解释 解釋 说明 說明 描述 介绍 介紹 なぜ どうして どうやって 説明 どのように
        ทำไม อย่างไร ยังไง อธิบาย
    """,
    Asks.NUMBER: "多少 几个 几 幾 多大 多高 多长 何人 何個 いくつ いくら 何度 何本 กี่ เท่าไร เท่าไหร่",
    Asks.DATE: "什么时候 什麼時候 何时 何時 哪一年 哪年 几年 いつ 何年 何月 何日 เมื่อไร เมื่อไหร่",
    Asks.PERSON: "谁 誰 哪位 だれ どなた ใคร",
    Asks.PLACE: "哪里 哪裡 哪儿 哪兒 何处 どこ ที่ไหน",
    Asks.NAME: """
        怎么说 怎麼說 怎么读 怎么写 怎麼寫 怎么叫 怎么称呼 如何称呼 如何翻译 どう言い どう書き どう読み
        什么 什麼 哪个 哪個 哪种 哪 啥 何 なに どれ どの どちら なん อะไร ไหน
    """,
}
UNSPACED_QUESTION_WORDS = {word: asks for asks, block in _UNSPACED.items() for word in block.split()}

OPEN_REQUESTS = word_set("""
    explain describe discuss elaborate summarize summarise compare contrast write outline analyze analyse detail essay
    expliquer expliquez explique explica explicar describe describir erkläre erklären beschreibe spiega descrivi
    объясни объясните опиши опишите расскажи اشرح समझाइए समझाओ wyjaśnij opisz açıkla jelaskan 설명해
    """)
UNSPACED_REQUESTS = ("解释", "解釋", "说明", "說明", "描述", "介绍", "介紹", "説明", "อธิบาย")
NAME_REQUESTS = word_set("""
    name give tell list state identify translate classify choose pick select calculate compute solve convert
    count spell
    guess say complete fill round simplify find determine label categorize evaluate extract provide
    nenne nennen nomme nombra назови назовите переведи translate
    """)

NUMBER_NOUNS = word_set("number sum product total percentage percent price cost population age distance area")
DATE_NOUNS = word_set("year date day month time century decade birthday")
PERSON_NOUNS = word_set("author president inventor founder director ceo king queen person actor composer")
PLACE_NOUNS = word_set("city country capital place continent river state town location")
QUANTITIES = word_set("""
    many much old long far tall high deep big large wide heavy fast often
    viele viel alt lange lang weit hoch groß tief breit schwer schnell oft spät veel oud hoog groot ver diep vaak laat
    många mycket gammal gammalt långt lång hög högt stor stort ofta mange mye meget gammel langt lang høj høy ofte
    długo wysoki wysoka stary duży daleko dlouho starý vysoký долго далеко часто высок стар глубок monta pitkä vanha
    korkea suuri
    """)
HOW_WORDS = word_set("""
    how wie hoe hur hvor hvordan jak как як cómo como comment come nasıl كيف πώς कैसे איך kuinka miten
    """)
NAMING_VERBS = word_set("""
    say said spell spelled spelt call called abbreviate abbreviated pronounce translate heißt heisst heißen nennt sagt
    schreibt buchstabiert heet noemt zeg spel heter säger stavas hedder kalles siger nazywa nazywasz mówi powiedzieć
    nazywają называется зовут сказать пишется называют звати dice llama llaman escribe traduce diz chama escreve
    appelle s'appelle appelle-t dit dit-on écrit nomme chiama dice scrive denir denilir yazılır تقول يسمى يقال sanotaan
    kutsutaan λέγεται λένε कहते אומרים קוראים
    """)
INDIRECT = word_set("can could would will do does please tell know any")
TRANSLATION_WORDS = word_set("""
    translate translation say word mean means call called traduce traducir traduis übersetze übersetzt sagt dice dit diz
    traduci переведи переведите сказать ترجم अनुवाद
    """)
TRANSLATION_MARKS = ("怎么说", "怎麼說", "翻译", "翻譯", "訳", "言い", "뭐라고")
