"""The commonest content words of English: one of them in two sentences tells nothing of a common subject."""

from eval_worker.evaluation.text.word_set import word_set
from eval_worker.models.offline.reading.stems import stem

EVERYDAY = frozenset(
    map(
        stem,
        word_set(
            """
            people person man woman men women child children kid boy girl baby friend family mother father parent son
            daughter brother sister husband wife guest visitor neighbour neighbor stranger member team group crowd
            everyone someone anyone body human life lives name age generation community society public world earth
            country nation city town village street road place area region home house building room door window wall
            floor garden park shop store market office school class college restaurant hotel church kitchen bed chair
            table car bus train plane bike boat trip travel journey walk visit tour way side end top bottom front back
            middle corner line point part piece half rest

            time times year month week weekend day night morning afternoon evening today tomorrow yesterday tonight
            hour minute second moment season spring summer autumn fall winter date century decade past present future
            history beginning start finish early late soon later daily weekly monthly yearly monday tuesday wednesday
            thursday friday saturday sunday january february march april may june july august september october
            november december holiday vacation birthday

            weather sun sunny rain rainy snow wind cloud sky air water sea ocean river lake mountain hill forest tree
            flower plant grass leaf field beach island fire light dark shadow heat cold warm hot cool dry wet nature
            natural environment animal dog cat bird fish horse

            food meal breakfast lunch dinner coffee tea drink bread fruit cook eat taste sweet fresh kitchen
            music song sound voice noise movie film show game sport play player book story page word letter picture
            photo color colour art dance party event news paper magazine television tv radio phone computer internet
            website video online email message

            head face eye ear mouth hair hand arm leg foot heart mind brain skin blood health healthy sick ill doctor
            hospital medicine sleep dream rest pain feel feeling feelings emotion happy happiness sad angry afraid fear
            love hate joy fun smile laugh cry tear hope wish worry surprise care interest interesting exciting excite
            bored boring beautiful beauty pretty ugly lovely nice kind friendly gentle calm quiet peaceful relax
            relaxing comfortable pleasant enjoy enjoyable favorite favourite special

            work job task career company business boss worker employee customer client money price cost pay buy sell
            spend save rich poor cheap expensive value bank tax market product service project plan goal success
            successful effort result reason cause effect problem problems trouble issue question answer solution
            decision choice choose decide change changes difference different similar same opportunity challenge risk
            experience knowledge skill skills ability talent training practice lesson learn learning teach teacher
            student study studies education research science test exam idea ideas thought opinion view belief truth
            fact facts example information detail advice rule law right rights power control force order system process
            method step level degree amount number size length weight height speed quality type kind sort form shape
            thing things stuff object item material matter subject topic theme situation case condition state position
            role function purpose use benefit advantage

            be become do make get give take have go come see look watch hear listen say tell talk speak speech
            conversation discuss discussion ask reply call write read think know understand understanding remember
            forget believe guess suppose mean explain describe show find discover search seek need want like prefer try
            help support offer provide allow let keep hold carry bring send receive accept refuse put set leave stay
            stop continue begin start finish open close move run stand sit lie turn fall rise grow build create
            produce develop improve add include contain follow lead meet join share live die kill win lose fight break
            cut throw catch pull push wear wash clean fill drive ride fly swim jump climb wait pass spend serve happen
            appear seem remain exist belong depend expect consider compare connect relate involve require reach return
            touch smell notice realize realise imagine describe express suggest agree disagree argue promise thank
            apologize welcome invite celebrate encourage inspire protect respect trust

            good better best bad worse worst great greater greatest wonderful amazing awesome excellent perfect
            fantastic terrible awful big bigger biggest small smaller large larger largest little tiny huge long longer
            short shorter tall high higher low lower deep wide broad narrow thick thin heavy light strong weak fast
            quick quickly slow slowly hard soft easy easily difficult simple complex complicated clear clearly obvious
            sure certain possible impossible likely real really true false correct wrong new newer old older young
            younger modern ancient recent recently current currently common rare usual usually normal normally general
            generally special specific important main major minor full empty whole complete completely total totally
            partly free busy ready available able near nearby far close local popular famous well-known various
            several many much more most few less least enough extra additional other another next last first second
            third final finally one two three four five six seven eight nine ten hundred thousand million dozen single
            double pair each every all both either neither always often sometimes never ever again once twice already
            still yet now then here there everywhere anywhere somewhere together alone away around outside inside
            indoors outdoors outdoor up down left right north south east west very quite rather almost nearly just
            only even also too maybe perhaps probably actually basically simply especially particularly exactly
            certainly definitely absolutely indeed instead however therefore anyway

            aspect factor element feature characteristic point perspective approach attitude habit custom culture
            cultural tradition traditional lifestyle hobby activity activities event memory memories moment sense
            meaning meaningful connection relationship balance growth progress development journey adventure
            opinion opinions choice choices option options possibility possibilities variety range series list
            key keys tip tips secret mistake mistakes difference differences
            """
        ),
    )
)
"""Stems, written out of hand: what people speak of every day, wherever they are and whatever the matter is."""
