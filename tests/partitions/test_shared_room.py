"""CONCURRENCY and READ_AHEAD bound all lanes of a process together, and leave each of them its share."""

from contextvars import ContextVar, copy_context
from itertools import cycle

from eval_worker.stream.admission import ALWAYS_ROOM
from eval_worker.stream.shared_intake import LaneIntake, SharedIntake
from eval_worker.stream.shared_slots import LaneSlots, SharedSlots

READ_AHEAD, CONCURRENCY, LANES = 64, 8, 4


class Reader:
    """A lane of which nothing is ever judged, unless the test says so."""

    def __init__(self, shared: SharedIntake) -> None:
        self.held = 0
        self.unjudged = 0
        self.intake: LaneIntake = shared.lane(held=lambda: self.held, unjudged=lambda: self.unjudged)

    def read(self, *, waiting: int, early_exits: bool = True) -> int:
        """Read as much as there is room for, of so many that are waiting."""
        room = self.intake.room(held=self.held, unjudged=self.unjudged)
        read = min(room, waiting)
        self.held += read
        self.unjudged += 0 if early_exits else read
        self.intake.observe(read=read, to_judge=0 if early_exits else read)
        return read


def readers() -> list[Reader]:
    shared = SharedIntake(read_ahead=READ_AHEAD, concurrency=CONCURRENCY, lanes=LANES, clock=lambda: 0.0)
    return [Reader(shared) for _ in range(LANES)]


def test_all_together_hold_no_more_than_read_ahead_whoever_reads_how_much():
    lanes = readers()
    for lane, waiting in zip(cycle(lanes), [1_000, 3, 1_000, 0, 1_000, 1_000, 7] * 20, strict=False):
        lane.read(waiting=waiting)
        assert sum(each.held for each in lanes) <= READ_AHEAD


def test_a_lane_that_can_settle_nothing_leaves_the_others_their_share():
    stuck, *others = readers()
    while stuck.read(waiting=1_000):
        pass

    assert stuck.held > READ_AHEAD // LANES
    for lane in others:
        lane.read(waiting=1_000)
        lane.read(waiting=1_000)
        assert lane.held >= READ_AHEAD // (2 * LANES)


def test_a_read_under_way_counts_as_if_it_came_back_full():
    first, second, *_ = readers()
    for lane in (first, second):
        lane.read(waiting=1_000)  # both have seen that there is more

    asked = first.intake.room(held=first.held, unjudged=0)
    second.read(waiting=1_000)

    assert first.held + asked + second.held + 2 * READ_AHEAD // (2 * LANES) <= READ_AHEAD


def test_who_has_work_alone_reads_as_if_there_were_no_others():
    only, *others = readers()
    only.read(waiting=1_000, early_exits=False)
    only.held = only.unjudged = 0

    assert only.intake.room(held=0, unjudged=0) == 2 * CONCURRENCY
    others[0].unjudged = 1
    assert only.intake.room(held=0, unjudged=0) == CONCURRENCY


class Judge:
    """A lane with events that wait for a slot."""

    def __init__(self, slots: LaneSlots, waiting: int) -> None:
        self.slots = slots
        self.waiting = waiting
        slots.when_room(self.fill)

    def fill(self) -> None:
        while self.waiting and self.slots.has_room():
            self.waiting -= 1
            self.slots.begun()


def test_a_slot_goes_to_the_lane_that_has_the_fewest():
    shared = SharedSlots(CONCURRENCY, ALWAYS_ROOM)
    greedy, modest = (Judge(shared.lane(), waiting) for waiting in (1_000, 3))
    greedy.fill()
    modest.fill()
    assert (greedy.slots.taken, modest.slots.taken) == (CONCURRENCY, 0)

    for given in (1, 2, 3):
        greedy.slots.over()
        assert (greedy.slots.taken, modest.slots.taken) == (CONCURRENCY - given, given)
    greedy.slots.over()
    assert (greedy.slots.taken, modest.slots.taken) == (CONCURRENCY - 3, 3)


def test_a_lane_that_no_longer_wants_its_slot_keeps_it_from_nobody():
    shared = SharedSlots(1, ALWAYS_ROOM)
    busy, fickle, other = (Judge(shared.lane(), waiting) for waiting in (1, 1, 1))
    for each in (busy, fickle, other):
        each.fill()
    fickle.waiting = 0

    busy.slots.over()

    assert (fickle.slots.taken, other.slots.taken) == (0, 1)


def test_an_event_that_gets_a_slot_of_another_lane_is_judged_in_the_context_of_its_own():
    partition: ContextVar[str] = ContextVar("partition")
    shared = SharedSlots(1, ALWAYS_ROOM)
    judged_in: list[str] = []

    def judge(lane: str) -> Judge:
        class Noting(Judge):
            def fill(self) -> None:
                if self.waiting and self.slots.has_room():
                    judged_in.append(f"{lane} in {partition.get()}")
                super().fill()

        return Noting(shared.lane(), 2)

    contexts = {lane: copy_context() for lane in ("first", "second")}
    lanes = {lane: judge(lane) for lane in contexts}
    for lane, context in contexts.items():
        context.run(partition.set, lane)
        context.run(lanes[lane].fill)
    for lane in ("first", "first", "second"):
        contexts[lane].run(lanes[lane].slots.over)

    assert judged_in == ["first in first", "first in first", "second in second", "second in second"]
