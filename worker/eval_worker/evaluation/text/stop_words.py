"""Words that carry no topic.

One set for all languages: a word that has a meaning of its own in English stays out of it (German `war`,
Spanish `son`).
"""

_ENGLISH = """
a about above after again against all also am an and any are aren't as at be because been before being below between
both but by can can't cannot could couldn't d did didn't do does doesn't doing don't down during each either few for
from further get got had hadn't has hasn't have haven't having he he'd he'll he's her here here's hers herself him
himself his how how's i i'd i'll i'm i've if in into is isn't it it'd it'll it's its itself just let let's ll m me
might more most much must my myself neither no nor not of off on once only or other ought our ours ourselves out over
own please re s same shall she she'd she'll she's should shouldn't so some such t than that that's the their theirs
them themselves then there there's these they they'd they'll they're they've this those through to too under until up
upon us ve very was wasn't we we'd we'll we're we've were weren't what what's whatever when when's where where's
which while who who's whom whose why why's will with within without won't would wouldn't yes yet you you'd you'll
you're you've your yours yourself yourselves
"""
_ROMANCE = """
al algo ante como con contra cual cuál cuales cuáles cuando cuándo cuanto cuánto cuántos de del desde donde
dónde el él
ella ellos en entre era es esa ese eso esta está estaba este esto están fue ha hay la las le les lo los más me mi
mucho muy nos o para pero por porque que qué quien quién se ser si sí sin sobre su sus te tiene tu un una uno unos y ya
au aux avec ce ces cette dans des du elle elles est et été être il ils je l leur leurs lui mais même n ne nous où ou
par pas pour qu quand quel quelle quelles quels qui quoi sa sont sur ta tes toi un une vos votre vous à
agli alla alle anche che chi cosa da dal dalla degli dei della delle di dove dov e ed è gli ho i il io le loro ma nei
nel nella non per perché perchè più qual quale quali quando quanto quanti questa questo sei si sono sua suo sul tra tu
ao aos às até com da das do dos ele eles em essa esse foi isso isto já lhe mais mas na nas não no nos num numa os ou
pela pelas pelo pelos qual quais quando quem são se sem seu sua também um uma você
é cos'è cos dov'è com'è c'è qu'est c'est d'un d'une qu'il qu'elle
"""
_GERMANIC = """
aber als am an auch auf aus bei beim bis bist da damit dann das dass dein dem den der des dich dir du durch ein eine
einem einen einer eines er es euch für haben hatte ich ihm ihn ihr ihre im ist ja jede kann kein keine können
mein mich
mir mit nach nicht noch nur oder ohne sehr sein seine sich sie sind über um und uns unser unter vom von vor wann warum
was welche welcher welches wenn wer werden wie wieviel wir wird wo wurde wurden zu zum zur zwischen
aan dan dat de deze die dit een en er het hij hoe hoeveel hun ik je maar met mij naar niet nog of ook om onze
op te tot
uit van werd wordt veel voor waar waarom wanneer wat welke wel wie wij worden zich zij zijn
att av den det där efter eller en ett från för har hon hur inte jag kan man med mot när och om på som till under upp
vad var varför vem vi vid vilka vilken vilket är
"""
_SLAVIC = """
а без был была были было быть в вам вас во вот все всё вы где да для до его ее её если есть еще ещё же за и из или им
такое такой такая такие
их к как какая какие каким какой какое когда кто ли мне мой мы на над не него нет ни но ну о об он она они оно от по
под почему при про с свой себя сколько со так также такой там то тоже того только ты у уже чего чем что чтобы эта эти
это этого этой этот я
або але був була було були в ви він вона вони де для до є з за і із й коли на не ні що як яка який яке які та чи
bardzo być był była było były czy dla do gdzie ich i jak jaka jaki jakie jest już kiedy kto który która które
ma na nie
oraz po przez są się tak ten też to tu w z za ze że
"""
_OTHER_SPACED = """
bir bu da de için ile mi mı mu mü ne ve ya
ada adalah akan apa apakah atau bagaimana dan dari dengan di ini itu juga karena ke pada tidak untuk yang
cái các có của cho gì không là một những nào này và với
إلى أم أن أو أي أين إن التي الذي ال ثم عن على في قد كان كانت كل كم كيف لا لم لماذا ما ماذا متى مع من نعم هذا
هذه هل هم هو هي و يا
את אבל אם אין אל או גם הוא היא הם זה זאת יש כי כן לא מה מי מתי על עם של איפה
एक और का कि की के को कौन कब कहाँ क्या क्यों गया था थी थे में यह या ये वह वे से हाँ हूँ है हैं हो ही भी नहीं
ने पर कितना कितने कितनी
از است این آن آیا با به برای بود تا چه در را که می و هم یا
και να το τα την της του των ο η οι σε με για από είναι που τι δεν στο στη στην
이 그 저 것 수 및 또는 그리고 은 는 이란 무엇 무엇인가요 무엇입니까 어디 어디입니까 어디인가요 입니다 있습니다
하는 대한 대해
"""

STOP_WORDS = frozenset(
    word for block in (_ENGLISH, _ROMANCE, _GERMANIC, _SLAVIC, _OTHER_SPACED) for word in block.split()
) - {"die", "war", "son", "man"}
GRAMMAR_ELSEWHERE = {
    word: frozenset(marks.split())
    for words, marks in {
        "die war man": "der das ist sind und heißt wird wurde eine einen nicht für zur zum dem auf werden",
        "door": "het een werd wordt zijn",
        "son": "que está están una por para los unos est le les une dans",
    }.items()
    for word in words.split()
}
"""What carries a topic in English and none in a text that has one of these words."""

_UNSPACED = """
    何 什么 什麼 怎么 怎麼 为什么 為什麼 哪里 哪裡 哪儿 哪个 哪個 哪些 多少 如何 是否 我们 我們 他们 她们 它们 你们
    这个 這個 那个 那個
    这些 那些 一个 一個 以及 或者 还是 還是 因为 因為 所以 但是 可以 请问 請問 关于 没有 有没有
    的 了 是 在 吗 嗎 呢 吧 啊 请 請 我 你 他 她 它
    です ですか ます ますか でした ました ください とは という どこ いつ なに なぜ どう どれ どの だれ について
    これ それ あれ この その あの
    する した して いる ある なる から まで より だけ など ので けど には では とも
    อะไร ที่ไหน เมื่อไร เมื่อไหร่ อย่างไร ทำไม ใคร คือ ของ และ หรือ เป็น ไหม
"""
UNSPACED_STOP_WORDS = tuple(_UNSPACED.split())
"""For scripts written without spaces: the cuts between words."""
