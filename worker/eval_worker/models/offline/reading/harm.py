"""Whether a query asks for what nobody should help with, so that to decline it is the right answer."""

import re

_SCANNED = 400
_SOMEONE = (
    r"(?:some(?:one|body)|people|a person|him|her|my (?:ex|wife|husband|boss|neighbou?r|roommate|partner|"
    r"girlfriend|boyfriend|teacher|colleague|coworker|friend|parents?|mother|father|sister|brother)\b)"
)
_HARM = re.compile(
    r"\b(?:mak|build|creat|assembl|synthesi[sz]|cook|grow|buy|get|obtain)\w*\b.{0,40}\b"
    r"(?:(?<!bath )bombs?|explosives?|grenades?|meth(?:amphetamine)?|cocaine|heroin|nerve gas|ricin|sarin|ghost guns?|"
    r"napalm|"
    r"(?:fake|forged|counterfeit) (?:id|ids|passports?|money|bills|documents?|prescriptions?|certificates?)|"
    r"molotov\w*|silencers?)\b|"
    r"\b(?:writ|mak|creat|spread)\w*\b.{0,30}\b(?:malware|ransomware|keyloggers?|phishing|computer virus|botnets?)\b|"
    r"\b(?:hack|break|sneak)\w*\b (?:\w+ ){0,2}?(?:in ?to|in on)\b.{0,30}\b(?:account|e-?mail|instagram|"
    r"facebook|snapchat|whatsapp|phone|wi-?fi|network|computer|laptop|house|home|flat|car|ex|bank)\b|"
    r"\bpick (?:the |a )?locks?\b.{0,40}\b(?:neighbou?r|house|someone|car|not mine|isn't mine)|"
    rf"\b(?:kill|murder|poison|stalk|dox+|spy on|blackmail|kidnap) (?:\w+ )?{_SOMEONE}|"
    r"\b(?:launder money|shoplift|steal (?:a|from|some|my)|rob a|evade tax(?:es)?|forge a?|counterfeit|"
    r"cheat (?:on|in) (?:an?|my|the) "
    r"(?:exam|test))\b|"
    r"\b(?:kill|harm|hurt) myself\b|\bcommit suicide\b|"
    r"\b(?:bombe|sprengstoff|falschgeld)\w*\b.{0,30}\b(?:bau|bast|herstell|druck)\w*|\b(?:bau|bast|herstell)\w*\b.{0,30}"
    r"\b(?:bombe|sprengstoff|rohrbombe)\w*|\b(?:fabriquer|construire)\b.{0,20}\b(?:bombe|explosif)\w*|"
    r"\b(?:fabricar|construir|hacer)\b.{0,20}\b(?:bomba|explosivo)\w*|\bpirater\b.{0,30}\bcompte\b|"
    r"\bhackear\b.{0,30}\bcuenta\b|炸弹|制毒|爆弾",
    re.IGNORECASE,
)
"""Phrases, since words alone tell little: a process is killed, and a bug may be exploited."""


def asks_for_harm(query: str) -> bool:
    return _HARM.search(query, 0, _SCANNED) is not None
