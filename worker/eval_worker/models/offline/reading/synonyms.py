"""Common words that stand for one another in answers, each group under one stem."""

from eval_worker.models.offline.reading.stems import stem

_GROUPS = """
begin start commence launch initiate | end finish conclude terminate stop cease | buy purchase acquire
postpone delay defer reschedule | cancel revoke annul | allow permit authorize let | forbid prohibit ban disallow
big large huge great sizable | small little tiny minor | fast quick rapid swift speedy | slow sluggish gradual
happy glad pleased joyful | sad unhappy sorrowful | doctor physician medic | car automobile vehicle
cost price fee charge | help assist aid support | need require necessitate | get obtain receive
show display present demonstrate | build construct erect | make create produce generate manufacture
author writer wrote write pen | discover find found detect | invent devise | fix repair mend correct resolve
error mistake fault bug | remove delete erase eliminate | change alter modify adjust | choose select pick
increase rise grow climb | decrease fall decline drop reduce lower shrink lessen | important key crucial vital essential
main primary principal chief | difficult hard tough challenging | easy simple effortless
rich wealthy affluent | poor needy | sick ill unwell | child kid | film movie | photo picture image photograph
job work occupation | company firm business corporation enterprise | country nation state | city town
road street | house home residence | near close nearby | kill murder slay | die perish decease dead | alive living
answer reply respond | ask inquire request | tell inform notify | speak talk | fight battle combat
use utilize employ | keep retain maintain preserve | send ship dispatch deliver | refund reimburse reimbursement
customer client buyer | employee worker staff | boss manager supervisor | teacher instructor | student pupil
store shop | garbage trash rubbish waste | holiday vacation | autumn fall-season | ocean sea | woods forest
illness disease sickness ailment | medicine drug medication | heat warmth | cold chilly | wet damp moist
quickly rapidly | often frequently | usually normally typically generally | maybe perhaps possibly
whole entire complete full total | part portion piece component | goal aim objective purpose
reason cause | result outcome effect consequence | method approach technique | idea concept notion
rule regulation law | danger hazard risk | dangerous hazardous unsafe risky | safe secure | free gratis complimentary
mandatory compulsory required obligatory | optional voluntary | happen occur | exist present
divide split separate | join connect link unite combine merge | contain include comprise | consist compose
fail failure unsuccessful | success succeed successful | win victory triumph | lose defeat loss
protect defend guard shield | attack assault | travel journey trip | leave depart exit | arrive reach
convert transform turn change | improve enhance better | worsen deteriorate | verify check confirm validate
store save | fetch retrieve | repeat iterate | empty vacant blank | baby infant | woman female lady | man male
mom mother mum | dad father | spouse partner | king monarch | food meal nourishment | absorb soak
advantage benefit upside merit | disadvantage drawback downside shortcoming
highest tallest | maximum maximal top | tall high
previously formerly | kilometer kilometre km | kilogram kilo kg | centimeter centimetre cm
france french | germany german | spain spanish | italy italian | england english | britain british uk | ireland irish
europe european | america american usa | canada canadian | mexico mexican | brazil brazilian | china chinese
japan japanese | india indian | russia russian | turkey turkish | greece greek | poland polish
sweden swedish | norway norwegian | denmark danish | finland finnish | portugal portuguese
switzerland swiss | austria austrian | egypt egyptian
rome roman | africa african | asia asian | australia australian | korea korean | vietnam vietnamese | netherlands dutch
sunlight sunshine light solar | energy power | speed velocity | weight mass | middle center centre central
"""


def _read(groups: str) -> dict[str, str]:
    leaders: dict[str, str] = {}
    for line in groups.strip().splitlines():
        for group in line.split(" | "):
            first, *others = (stem(word) for word in group.split())
            for word in others:
                leaders.setdefault(word, leaders.get(first, first))
    return leaders


_LEADERS = _read(_GROUPS)


def meaning(stemmed: str) -> str:
    """The stem that stands for a stem and all that mean the same; itself where none is known."""
    return _LEADERS.get(stemmed, stemmed)
