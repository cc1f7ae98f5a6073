"""What the contract says of every entry of a stream at every moment."""

from dataclasses import dataclass, field

from tests.stream.streams_seen import StreamsSeen


@dataclass(slots=True)
class Ledger:
    """What should be so by all that was done, to be compared with what is."""

    added: list[str] = field(default_factory=list[str])
    deleted: set[str] = field(default_factory=set[str])  # by people, not by us
    deleted_in_hand: dict[str, int] = field(default_factory=dict[str, int])  # while pending, with so many outcomes
    lost_unseen: set[str] = field(default_factory=set[str])  # and then nobody was told, or the group was lost as well
    most_outcomes: dict[str, int] = field(default_factory=dict[str, int])
    claims: dict[str, int] = field(default_factory=dict[str, int])  # deliveries, less those given back
    unsure_claims: set[str] = field(default_factory=set[str])  # held over the loss of a group, which forgets its counts
    strays: dict[str, set[str]] = field(default_factory=dict[str, set[str]])  # delivered, and the process doesn't know
    wanted_by_other: set[str] = field(default_factory=set[str])

    def check(self, seen: StreamsSeen, held: dict[str, set[str]]) -> None:
        """Compare; `held` is what each living worker believes to hold."""
        self.an_entry_has_at_most_one_outcome(seen)
        self.what_has_no_outcome_is_still_there_and_will_be_delivered(seen)
        self.what_is_settled_is_not_pending(seen)
        self.deliveries_are_charged_as_promised(seen)
        self.what_is_pending_under_a_name_is_held_or_a_stray(seen, held)
        self.what_another_group_needs_is_left_alone(seen)

    def an_entry_has_at_most_one_outcome(self, seen: StreamsSeen) -> None:
        """Where events are kept, a group that was lost judges again what is still there."""
        assert all(count <= self.most_outcomes[entry_id] for entry_id, count in seen.outcomes.items())

    def what_has_no_outcome_is_still_there_and_will_be_delivered(self, seen: StreamsSeen) -> None:
        owed = {entry_id for entry_id in self.added if not seen.outcomes[entry_id]} - self.deleted
        assert owed <= seen.on_stream
        assert owed <= seen.undelivered | seen.pending.keys()

    def what_is_settled_is_not_pending(self, seen: StreamsSeen) -> None:
        settled = {entry_id for entry_id, count in seen.outcomes.items() if count == self.most_outcomes[entry_id]}
        assert not settled & seen.pending.keys()

    def deliveries_are_charged_as_promised(self, seen: StreamsSeen) -> None:
        """A take-over charges one; a lost reply, a drain and an outage give it back; a crash does not."""
        for entry_id, pending in seen.pending.items():
            if entry_id not in self.unsure_claims:
                assert pending.deliveries == self.claims[entry_id], entry_id

    def what_is_pending_under_a_name_is_held_or_a_stray(self, seen: StreamsSeen, held: dict[str, set[str]]) -> None:
        for consumer, ids in held.items():
            assert seen.pending_under(consumer) <= ids | self.strays[consumer]

    def what_another_group_needs_is_left_alone(self, seen: StreamsSeen) -> None:
        assert self.wanted_by_other - self.deleted <= seen.on_stream
