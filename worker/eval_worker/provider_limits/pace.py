"""How fast calls may follow each other: never faster than the quotas, and as fast as the provider bears.

A quota that was set is kept by a token bucket. What the provider bears besides is found out. Its first throttle sets a
pace; calls then go one by one, at even distances. Each call that waited for its turn raises the pace a little and each
throttle lowers it, so that it settles where three calls in two hundred are throttled: a stochastic approximation
(Robbins and Monro, 1951), multiplicative both ways, as quotas lie between a few calls a minute and a thousand a
second.

`pace.lua` does the same arithmetic for all workers of a Redis; the tests hold both to the same behaviour.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, inf

SETTLED_SHARE = 0.015  # of the calls are throttled where the pace neither grows nor falls
FALL_PER_SECOND = 1.5  # of the pace's logarithm, where every call is throttled
FEWEST_CALLS = 7.5  # that count as a second's: one throttle takes a fifth at most
# Calls in a row without a throttle at which growth doubles, and goes on growing: three seconds', between these bounds.
FEWEST_FREE, MOST_FREE, FREE_SECONDS = 20.0, 150.0, 3.0
DEEPEST_CUT = 0.7
TAKEN_MARGIN = 1.03  # over the calls that the provider took in the last second
SEARCH_PER_SECOND = 0.3  # growth of the logarithm until something is known,
RETURN_PER_SECOND = 0.15  # and below half of what the pace was lately
PEAK_SECONDS = 120.0  # until what it was counts for a third
# A throttle that comes late is about the pace that its call was given. If that was well above today's it is old news.
OLD_NEWS = 0.93

FIRST_SHARE = 0.7  # of the calls that went well in the last second before the first throttle
FIRST_RATE = 20.0  # a second at least, to begin with
FIRST_PAUSE_SECONDS = 0.7  # after which most providers have room again
SETTLING_SECONDS = 1.5  # in which throttles are still about what went before
BEGUN_ANEW_SECONDS = 10.0  # at least until it is begun anew, as each worker says when a provider answers again
JOINING_SECONDS = 1.0  # in which the other workers' first throttles add to the first pace

LOWEST_RATE, HIGHEST_RATE = 2.0, 100_000.0  # at the lowest the five calls of a probe go within two seconds
CATCH_UP_SECONDS = 0.1  # of turns that nobody took in time may still be taken
FORGOTTEN_SECONDS = 900.0  # after the last throttle

MINUTE = 60.0
BURST_SHARE = 0.05  # of a minute's quota may go at once; the rest is spread, so that no minute holds more than all
BURST_SECONDS = BURST_SHARE * MINUTE / (1 - BURST_SHARE)


@dataclass(frozen=True, slots=True)
class Quotas:
    """What the provider grants in any minute, where that was set."""

    calls_per_minute: float | None = None
    tokens_per_minute: float | None = None

    def __bool__(self) -> bool:
        return self.calls_per_minute is not None or self.tokens_per_minute is not None


@dataclass(frozen=True, slots=True)
class Grant:
    """When calls may go: so many seconds from now, in order.

    `rate` is how many calls a second the provider seems to bear; None as long as it has not throttled.
    """

    waits: Sequence[float]
    rate: float | None


@dataclass(slots=True)
class _Bucket:
    """A token bucket, kept as the time at which its next token is due (the generic cell rate algorithm)."""

    due_at: float = 0.0

    def take(self, now: float, amount: float, per_second: float, burst_seconds: float) -> float:
        """Return when that much is there; may be a time that has passed."""
        begins = max(self.due_at, now - max(burst_seconds - amount / per_second, 0.0))
        self.due_at = begins + amount / per_second
        return begins


@dataclass(slots=True)
class Pace:
    """One model's, in seconds of whatever clock its caller uses."""

    quotas: Quotas = Quotas()
    rate: float | None = None  # calls a second
    _peak: float = inf  # what the rate was lately
    _free_calls: int = 0  # since the last throttle
    _taken: float = 0.0  # calls that the provider took in the last second, about
    _began_at: float = 0.0
    _throttled_at: float = 0.0
    _seen_at: float = 0.0
    _paced: _Bucket = field(default_factory=_Bucket)
    _calls: _Bucket = field(default_factory=_Bucket)
    _tokens: _Bucket = field(default_factory=_Bucket)

    def take(self, now: float, tokens: Sequence[float], spent_beyond: float = 0.0) -> Grant | None:
        """Give a turn to each call, by the tokens that it needs; None where calls may go as they like.

        `spent_beyond` is how many tokens calls have taken since beyond those that they were given a turn for.
        """
        self._age(now)
        if self.rate is None and not self.quotas:
            return None
        if self.quotas.tokens_per_minute is not None:
            self._tokens.due_at += spent_beyond / _per_second(self.quotas.tokens_per_minute)
        return Grant([self._wait(now, each) for each in tokens], self.rate)

    def throttled(self, now: float, given_rate: float | None, taken: float) -> None:
        """Take note of a throttle.

        Args:
            now: the time.
            given_rate: the pace at which its call was given its turn; None of a call that went as it liked.
            taken: calls that this process made in the last second and that were not throttled.
        """
        self._age(now)
        self._throttled_at = now
        if self.rate is None:
            self._begin(now, taken)
        elif given_rate is None:
            self._join(now, taken)
        else:
            self._taken -= 1
            if self.rate >= OLD_NEWS * given_rate:
                self._slow_down(now)

    def recovered(self, now: float) -> None:
        """Take note that a provider answers again that had refused everybody: how much it bears is found out anew."""
        self._age(now)
        if self.rate is not None and now - self._began_at > BEGUN_ANEW_SECONDS:
            self.rate = max(self.rate, FIRST_RATE, 0.0 if self._peak == inf else self._peak / 2)
            self._peak, self._began_at = inf, now

    def _begin(self, now: float, taken: float) -> None:
        self.rate = self._taken = max(taken * FIRST_SHARE, FIRST_RATE)
        self._peak, self._free_calls, self._began_at = inf, 0, now
        self._paced.due_at = now + FIRST_PAUSE_SECONDS

    def _join(self, now: float, taken: float) -> None:
        """Another worker's first throttle: the pace is that of all."""
        if self.rate is not None and self._peak == inf and now - self._began_at < JOINING_SECONDS:
            self.rate += taken * FIRST_SHARE
            self._taken += taken * FIRST_SHARE

    def _slow_down(self, now: float) -> None:
        rate = self.rate or LOWEST_RATE
        if self._peak == inf and now - self._began_at > SETTLING_SECONDS:
            self._peak = rate
        a_little = rate * (1 - _step(rate))
        to_what_is_taken = max(self._taken * TAKEN_MARGIN, rate * DEEPEST_CUT)
        self.rate = max(min(a_little, to_what_is_taken), LOWEST_RATE)
        self._free_calls = 0

    def _age(self, now: float) -> None:
        if now < self._seen_at:
            self._turn_back(self._seen_at - now)
        seconds = now - self._seen_at
        self._seen_at = now
        if now - self._throttled_at > FORGOTTEN_SECONDS:
            self.rate = None
        if self.rate is not None:
            self._peak = max(self._peak * exp(-seconds / PEAK_SECONDS), self.rate)
            self._taken *= exp(-seconds)

    def _turn_back(self, seconds: float) -> None:
        """Follow a clock that was set back: else all would wait for as long."""
        for bucket in (self._paced, self._calls, self._tokens):
            bucket.due_at -= seconds
        self._began_at -= seconds
        self._throttled_at -= seconds
        self._seen_at -= seconds

    def _wait(self, now: float, tokens: float) -> float:
        at = now
        if self.rate is not None:
            at = max(at, self._paced.take(now, 1, self.rate, CATCH_UP_SECONDS))
            self._taken += 1
            if at > now:  # else nobody knows whether more would do
                self._grow(self.rate)
        calls, of_tokens = self.quotas.calls_per_minute, self.quotas.tokens_per_minute
        if calls is not None:
            at = max(at, self._calls.take(now, 1, _per_second(calls), BURST_SECONDS))
        if of_tokens is not None:
            at = max(at, self._tokens.take(now, tokens, _per_second(of_tokens), BURST_SECONDS))
        return at - now

    def _grow(self, rate: float) -> None:
        if rate * 2 < self._peak:
            growth = (SEARCH_PER_SECOND if self._peak == inf else RETURN_PER_SECOND) / max(rate, 1.0)
        else:
            free = self._free_calls / min(max(rate * FREE_SECONDS, FEWEST_FREE), MOST_FREE)
            growth = _step(rate) * SETTLED_SHARE / (1 - SETTLED_SHARE) * (1 + free**2)
        self._free_calls += 1
        self.rate = min(rate * (1 + growth), HIGHEST_RATE)


def _step(rate: float) -> float:
    """Return the share of the pace that one throttle takes."""
    return FALL_PER_SECOND / max(rate, FEWEST_CALLS)


def _per_second(quota: float) -> float:
    return quota * (1 - BURST_SHARE) / MINUTE
