"""Units of measure by what they measure, and how many of the base unit each is."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Unit:
    measures: str
    factor: Decimal

    def may_be(self, other: "Unit") -> bool:
        """Whether both measure the same; bare degrees may be those of any temperature."""
        both = {self.measures, other.measures}
        return len(both) == 1 or ("angle" in both and any(one.startswith("temperature") for one in both))


_TABLE = """
length: nm 1e-9, mm millimeter millimeters millimetre millimetres 1e-3, cm centimeter centimeters centimetre centimetres 1e-2, m meter meters metre metres метров метра метр 米 公尺 メートル 1, km kilometer kilometers kilometre kilometres км километров 公里 千米 キロメートル 1e3, inch inches 0.0254, ft foot feet 0.3048, yd yard yards 0.9144, mi mile miles 1609.344
mass: mg milligram milligrams 1e-3, g gram grams gramme grammes 克 1, kg kilo kilos kilogram kilograms kilogramm кг килограммов 公斤 千克 キログラム 1e3, t ton tons tonne tonnes 吨 1e6, oz ounce ounces 28.349523125, lb lbs pound-mass 453.59237
time: ms millisecond milliseconds 1e-3, s sec secs second seconds sekunden секунд 秒 1, min mins minute minutes minuten минут 分钟 分鐘 60, h hr hrs hour hours stunden heures horas часов часа 小时 小時 時間 3600, day days tage tag jours jour días день дня дней 天 日間 86400, week weeks wochen semaines semanas недель 周 週間 604800
months: month months monate mois meses месяцев 个月 個月 1, year years jahre ans años лет года 年 年間 12, decade decades 120, century centuries 1200
volume: ml milliliter milliliters millilitre millilitres 1e-3, cl 1e-2, l liter liters litre litres литров 升 1, gallon gallons 3.785411784
temperature-c: °c celsius degreescelsius degreecelsius degreesc gradcelsius degréscelsius gradoscelsius 摄氏度 1
temperature-f: °f fahrenheit degreesfahrenheit degreefahrenheit degreesf gradfahrenheit 1
temperature-k: kelvin kelvins 1
angle: ° deg degree degrees grad 度 1
speed: m/s meterspersecond metrespersecond 3.6, km/s kilometerspersecond kilometrespersecond kmpersecond 3600, km/h kmh kph kilometersperhour kilometresperhour kmperhour kilometersanhour kilometresanhour kmanhour 1, mph milesperhour milesanhour 1.609344
data: byte bytes 1, kb kilobyte kilobytes 1e3, mb megabyte megabytes 1e6, gb gigabyte gigabytes 1e9, tb terabyte terabytes 1e12
power: watt watts w 1, kw kilowatt kilowatts 1e3, mw megawatt megawatts 1e6
%: % percent percents per-cent prozent procent процентов процента 百分 パーセント 1
dollars: $ usd dollar dollars доллар долларов 美元 ドル 1, cent cents 1e-2
euros: € eur euro euros евро 欧元 ユーロ 1
pounds: £ gbp pound pounds quid 1
yen: ¥ jpy yen 日元 円 1
rupees: ₹ inr rupee rupees 1
rubles: ₽ rub ruble rubles рублей рубля 1
yuan: cny yuan rmb 人民币 1
"""  # noqa: E501  # one line a measure


def _read(table: str) -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for line in table.strip().splitlines():
        measures, _, rows = line.partition(": ")
        for row in rows.split(", "):
            *names, factor = row.split()
            units |= dict.fromkeys(names, Unit(measures, Decimal(factor)))
    return units


UNITS = _read(_TABLE)
CURRENCY_SIGNS = frozenset("$€£¥₹₽")
