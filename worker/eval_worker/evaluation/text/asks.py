"""The kinds of answer that a question may ask for."""

from enum import StrEnum


class Asks(StrEnum):
    POLAR = "yes or no"
    CHOICE = "one of the options named"
    NUMBER = "a number"
    DATE = "a date or time"
    PERSON = "a person or a group"
    PLACE = "a place"
    NAME = "a name or a thing"
    OPEN = "an explanation"
    UNKNOWN = "something"
