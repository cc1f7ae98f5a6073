"""Number words of some thirty languages, alone or run together ("siebenundzwanzig", "kaksikymmentä")."""

import re

from eval_worker.evaluation.text.word_set import word_set

_FREQUENCIES = word_set("""
    never always rarely seldom sometimes often hourly daily weekly monthly quarterly yearly annually
    nie niemals immer selten manchmal oft stündlich täglich wöchentlich monatlich jährlich
    nunca jamás siempre raramente jamais toujours rarement sempre raramente nooit altijd aldrig alltid nigdy zawsze
    никогда всегда редко иногда
    """)
NUMERALS = word_set("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million
    millions billion trillion dozen dozens half third quarter none nothing once twice thrice pi infinite infinity

    cero uno una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete
    dieciocho diecinueve veinte veintiuno treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento
    cientos quinientos mil millón millones ninguno ninguna ningún nada mitad docena

    zéro deux trois quatre cinq sept huit neuf dix onze douze treize quatorze seize vingt vingts trente quarante
    cinquante soixante septante huitante nonante cent cents mille million milliard aucun aucune rien moitié douzaine

    null ein eins eine einen zwei zwo drei vier fünf fuenf sechs sieben acht neun zehn elf zwölf zwoelf sechzehn
    siebzehn zwanzig dreißig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend millionen
    milliarde kein keine keiner keinen nichts dutzend einmal zweimal dreimal hälfte

    due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette
    diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento mila milione
    nessuno nessuna niente nulla metà

    um uma dois duas três quatro sete oito dez onze doze treze catorze quatorze dezesseis dezasseis dezessete
    dezassete dezoito dezenove dezanove vinte trinta quarenta cinquenta sessenta setenta oitenta cem cento duzentos
    milhão milhões nenhum nenhuma zero metade

    nul een één twee drie vijf zes zeven negen tien twaalf dertien veertien vijftien zestien zeventien achttien
    negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend miljoen geen niets

    noll ett två fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo
    trettio fyrtio femtio sextio sjuttio åttio nittio hundra tusen miljon ingen inga inget
    nul en et to fire seks syv sju otte åtte ni ti elleve tretten fjorten femten seksten sytten atten nitten tyve
    tjue tredive tretti fyrre førti halvtreds femti tres seksti halvfjerds sytti firs åtti halvfems hundrede tusind
    einn tveir þrír fjórir fimm sjö níu tíu ellefu tólf tuttugu hundrað þúsund

    nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen toista kymmentä sata sataa tuhat
    tuhatta miljoona miljoonaa puolet null üks kolm neli viis kuus seitse kaheksa üheksa kümme sada
    nulla egy kettő két három négy öt hat hét nyolc kilenc tíz húsz harminc negyven ötven hatvan hetven nyolcvan
    kilencven száz ezer tizen huszon

    jeden jedna jedno dwa dwie dwaj trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście
    trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście dwadzieścia trzydzieści
    czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt sto dwieście tysiąc tysiące
    milion żaden żadna zero
    nula dva dvě tři čtyři pět šest sedm osm devět deset jedenáct dvanáct dvacet třicet čtyřicet padesát tisíc žádný
    jedan tri četiri pet sedam osam devet jedanaest dvanaest dvadeset hiljada nijedan
    ноль нуль один одна одно два две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать
    четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать тридцать сорок пятьдесят
    шестьдесят семьдесят восемьдесят девяносто сто двести тысяча тысячи миллион ничего нисколько половина дюжина
    дві чотири п'ять шість сім вісім дев'ять десять двадцять сорок тисяча нула едно две четири пет шест седем осем

    sıfır bir iki üç dört beş altı yedi sekiz dokuz on yirmi otuz kırk elli altmış yetmiş seksen doksan yüz bin
    milyon hiç yarım
    nol satu dua tiga empat lima enam tujuh delapan lapan sembilan sepuluh sebelas belas puluh seratus seribu
    sifuri moja mbili tatu nne tano sita saba nane tisa kumi mia elfu isa dalawa tatlo apat anim pito walo siyam sampu
    không một hai ba bốn năm sáu bảy tám chín mười trăm nghìn
    doi două trei patru cinci șase șapte opt nouă zece douăzeci sută o'mie quatre vuit nou deu vint
    bat bi hiru lau bost sei zazpi zortzi bederatzi hamar náid aon dó trí ceathair cúig sé seacht ocht naoi deich

    صفر واحد واحدة اثنان اثنين اثنتان ثلاثة ثلاث أربعة أربع خمسة خمس ستة ست سبعة سبع ثمانية ثماني ثمان تسعة تسع عشرة
    عشر عشرون عشرين ثلاثون أربعون خمسون ستون سبعون ثمانون تسعون مئة مائة ألف مليون نصف
    صفر یک دو سه چهار پنج شش هفت هشت نه ده بیست سی صد هزار هیچ אפס אחד אחת שתיים שניים שלוש ארבע חמש שש שבע שמונה
    תשע עשר עשרים שלושים מאה אלף
    शून्य एक दो तीन चार पाँच पांच छह छः सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह पन्द्रह सोलह सत्रह अठारह उन्नीस बीस
    तीस चालीस पचास साठ सत्तर अस्सी नब्बे सौ हज़ार हजार लाख करोड़ आधा
    μηδέν ένα ένας μία δύο τρία τρεις τέσσερα τέσσερις πέντε έξι επτά εφτά οκτώ οχτώ εννέα εννιά δέκα έντεκα δώδεκα
    είκοσι τριάντα σαράντα πενήντα εξήντα εβδομήντα ογδόντα ενενήντα εκατό χίλια χίλιοι κανένα κανένας τίποτα
    영 공 하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열 스물 서른 마흔 쉰 예순 일흔 여든 아흔 백 천 만 일 이 삼 사 오 육
    칠 팔 구 십
    한 두 세 네
    れい ゼロ いち に さん し よん ご ろく しち なな はち きゅう じゅう ひゃく せん まん ひとつ ふたつ みっつ よっつ
    いつつ
    むっつ ななつ やっつ ここのつ とお ศูนย์ หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ ร้อย พัน
    """)
_VAGUE = word_set("""
    few many several free daily weekly monthly yearly annually hourly unlimited countless all both
    pocos pocas muchos muchas varios varias gratis todos todas ambos peu plusieurs beaucoup gratuit tous illimité
    wenige viele mehrere kostenlos alle beide pochi molti molte parecchi gratuito tutti poucos muitos vários grátis
    todos
    weinig veel meerdere allemaal allebei få många flera alla båda muutama monta monia kaikki kilka wiele wszystkie
    мало много несколько бесплатно все оба birkaç çok hepsi ücretsiz قليل كثير कुछ बहुत λίγα πολλά δωρεάν
    """)
_CONNECTORS = word_set("und and y i e en och og et ja på a")
_HAN = re.compile("[〇零一二三四五六七八九十百千万萬亿億两兩半無无]")
_ROMAN = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_LONGEST_PART, _LONGEST_COMPOUND, _SHORTEST_PART = 14, 48, 2
_ELIDED = word_set("teen ty zig tré vent trent quarant cinquant sessant settant ottant novant veinti")
_PARTS = frozenset(word for word in NUMERALS if len(word) >= _SHORTEST_PART) | _ELIDED


def is_quantity(word: str) -> bool:
    """Whether a word says how many or how often."""
    return word in _FREQUENCIES or is_numeral(word)


def is_numeral(word: str) -> bool:
    """Whether a folded word says how many, be it exactly ("seven") or not ("several")."""
    return word in NUMERALS or word in _VAGUE or _HAN.search(word) is not None or _is_compound(word)


def is_roman(text: str) -> bool:
    return bool(text) and _ROMAN.fullmatch(text) is not None


def _is_compound(word: str) -> bool:
    """Cut by dynamic programming: a regex of alternatives would take exponential time on a hostile word."""
    if len(word) > _LONGEST_COMPOUND:
        return False
    reached = {0}
    for end in range(_SHORTEST_PART, len(word) + 1):
        starts = range(max(0, end - _LONGEST_PART), end)
        if any(start in reached and _is_part(word[start:end], start) for start in starts):
            reached.add(end)
    return len(word) in reached and bool(word)


def _is_part(piece: str, start: int) -> bool:
    return piece in _PARTS or (start > 0 and piece in _CONNECTORS)
