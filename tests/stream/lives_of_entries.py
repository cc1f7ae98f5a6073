"""What can happen to the entries of a stream, step by step, and what the contract says of each step and of them all."""

from collections.abc import Callable, Coroutine
from typing import Any

from redis.asyncio import Redis
from tests.events import EVENTS, GROUP, event, send
from tests.stream.ledger_of_entries import Ledger
from tests.stream.simulated_worker import LEASE_SECONDS, MAX_DELIVERIES, Clock, Loss, SimulatedWorker
from tests.stream.streams_seen import StreamsSeen, look

from eval_worker.stream.entry import Entry
from eval_worker.stream.names import RELEASED
from eval_worker.stream.reclaim import FIRST_SUSPECT_DELIVERY

NAMES = "abc"
OTHER_GROUP = "another-group"
LEASE_MS = LEASE_SECONDS * 1000
TOLERANCE_MS = 5_000  # real time goes on beside the simulated one


class Lives:
    """The entries of one stream and all who have to do with them.

    A method of one verb is a step of somebody; what it may change is checked there, and after every step the contract.
    """

    def __init__(
        self,
        run: Callable[[Coroutine[Any, Any, Any]], Any],
        client: Redis,
        observer: Any,
        tell: Callable[..., None],
        *,
        keep_events: bool,
    ) -> None:
        self.run = run
        self.client = client
        self.observer = observer
        self.tell = tell
        self.keep_events = keep_events
        self.clock = Clock()
        self.workers: dict[str, SimulatedWorker] = {}
        self.everyone: list[SimulatedWorker] = []
        self.ledger = Ledger()
        observer.flushall()
        for name in NAMES:
            self.start(name)
        self.run(self.workers["a"].attempt(self.workers["a"].patience._group.ensure))
        self.seen = look(observer)

    # --- steps of producers and people ---

    def produce(self, count: int) -> None:
        for _ in range(count):
            source_id = send(self.observer, event())
            self.ledger.added.append(source_id)
            self.ledger.most_outcomes[source_id] = 1
            if OTHER_GROUP in self.seen.groups:
                self.ledger.wanted_by_other.add(source_id)
        self.look()

    def delete_an_entry(self, index: int) -> None:
        victim = pick(sorted(self.seen.on_stream), index)
        self.observer.xdel(EVENTS, victim)
        self.ledger.deleted.add(victim)
        if victim in self.seen.pending:
            self.ledger.deleted_in_hand[victim] = self.seen.outcomes[victim]
        self.look()

    def destroy_the_group(self) -> None:
        self.observer.xgroup_destroy(EVENTS, GROUP)
        self.ledger.lost_unseen |= self.ledger.deleted & self.seen.pending.keys()
        self.ledger.claims.clear()
        self.ledger.strays = {name: set() for name in self.ledger.strays}
        self.ledger.unsure_claims |= {entry_id for worker in self.everyone for entry_id in worker.claims_to}
        for entry_id, count in self.seen.outcomes.items():
            if entry_id in self.seen.on_stream:  # kept, so that the next group judges it again
                self.ledger.most_outcomes[entry_id] = count + 1
        self.look()

    def another_group_comes(self, from_start: bool) -> None:
        self.observer.xgroup_create(EVENTS, OTHER_GROUP, id="0" if from_start else "$", mkstream=True)
        self.ledger.wanted_by_other = set(self.seen.on_stream) if from_start else set()
        self.look()

    def another_group_reads(self, most: int, acknowledged: bool) -> None:
        for _, entries in self.observer.xreadgroup(OTHER_GROUP, "x", {EVENTS: ">"}, count=most):
            for entry_id, _ in entries:
                if acknowledged:
                    self.observer.xack(EVENTS, OTHER_GROUP, entry_id)
                    self.ledger.wanted_by_other.discard(entry_id.decode())
        self.look()

    def another_group_goes(self) -> None:
        self.observer.xgroup_destroy(EVENTS, OTHER_GROUP)
        self.ledger.wanted_by_other = set()
        self.look()

    def time_passes(self, seconds: float) -> None:
        self.clock.passed += seconds
        for entry_id, pending in self.seen.pending.items():
            if entry_id in self.seen.on_stream:  # claiming a deleted one would remove it
                older = pending.idle_ms + int(seconds * 1000)
                self.observer.xclaim(EVENTS, GROUP, pending.consumer, 0, [entry_id], idle=older, justid=True)
        self.look()

    # --- steps of workers ---

    def start_again(self) -> None:
        """Under a name that was used before: what is pending under it is not this process's."""
        consumer = next(name for name in NAMES if name not in self.workers)
        self.time_passes(1.0)
        self.start(consumer)
        self.ledger.strays[consumer] = self.seen.pending_under(consumer)

    def crash(self, index: int) -> None:
        del self.workers[pick(sorted(self.workers), index)]

    def read(self, index: int, most: int, lost: Loss) -> None:
        worker = self.ready_to_read(index)
        before = self.seen
        entries = self.run(worker.take_in(lambda: worker.fetcher.fetch(most), lost=lost))
        self.look(lost=lost)
        new = self.newly_pending(before)
        for entry_id in new:
            self.ledger.claims[entry_id] = 1
        self.delivered(worker, new, entries, lost=lost)

    def reclaim(self, index: int, most: int, lost: Loss) -> None:
        worker = self.ready_to_read(index)
        before, held = self.seen, set(worker.leases.ids)
        entries = self.run(worker.take_in(lambda: worker.reclaimed(most), lost=lost))
        self.look(lost=lost)
        claimed = self.claimed_since(before)
        assert len(claimed) <= most
        assert not claimed & held, "a worker took over what it holds itself"
        for entry_id in claimed:
            assert before.pending[entry_id].idle_ms >= LEASE_MS - TOLERANCE_MS, "taken over before its lease ran out"
            assert not is_suspect(before, entry_id), "a suspect was claimed beside others"
        self.delivered(worker, claimed, entries, lost=lost)

    def claim_a_suspect(self, index: int, lost: Loss) -> None:
        """Only by one that holds nothing else."""
        worker = self.ready_to_read(index, among=self.idle_workers())
        before = self.seen
        entries = self.run(worker.take_in(worker.claimed_suspect, lost=lost))
        self.look(lost=lost)
        claimed = self.claimed_since(before)
        assert len(claimed) <= 1
        assert all(is_suspect(before, entry_id) for entry_id in claimed)
        self.delivered(worker, claimed, entries, lost=lost)

    def renew(self, index: int, lost: Loss) -> None:
        worker: SimulatedWorker = pick(self.busy_workers(), index)
        before = self.seen
        self.run(worker.attempt(worker.leases.renew, lost=lost))
        self.look(lost=lost)
        assert owners_and_counts(before) == owners_and_counts(self.seen), "renewing charged or moved something"
        if not lost:
            # So no two workers hold the same entry once both have renewed.
            assert set(worker.leases.ids) <= self.seen.pending_under(worker.consumer)
            young = (entry_id for entry_id in worker.leases.ids if entry_id in self.seen.on_stream)
            assert all(self.seen.pending[entry_id].idle_ms < TOLERANCE_MS for entry_id in young)

    def finish(self, index: int, dead: bool) -> None:
        """The outcome is decided; it is not written yet."""
        worker, entry = pick(self.in_hand(), index)
        worker.finish(entry, dead=dead)

    def finish_all_the_same(self, index: int, dead: bool) -> None:
        """The entry was taken from this worker, and it goes on."""
        worker, entry = pick(self.in_the_hands_of_zombies(), index)
        worker.finish(entry, dead=dead)

    def settle(self, index: int, lost: Loss, full: bool) -> None:
        worker: SimulatedWorker = pick(self.with_outcomes(), index)
        if full:
            self.settle_without_memory(worker)
            return
        before = self.seen
        decided = {settlement.entry.id for settlement in worker.settler._queue}
        self.run(worker.settle_a_batch(lost=lost))
        self.look(lost=lost)
        # A destroyed group is made again on the way; nothing is pending in it, so nothing is written.
        pending = decided & before.pending.keys()
        assert self.written_since(before) <= pending, "an outcome was written for what was not pending"
        kept = {settlement.entry.id for settlement in worker.settler._queue}
        assert pending <= self.written_since(before) | kept, "an outcome was forgotten"
        if before.alone and not self.keep_events:
            assert not self.written_since(before) & self.seen.on_stream, "settled, and still there"
        if self.keep_events:
            assert before.on_stream == self.seen.on_stream

    def give_back(self, index: int, charged: bool, delay: float) -> None:
        """The release is decided; it is not known to Redis yet."""
        worker, entry = pick(self.in_hand(), index)
        worker.give_back(entry, charged=charged, delay_seconds=delay)

    def release(self, index: int, lost: Loss) -> None:
        """A release that is repeated, or comes late, moves nothing that is not ours under that very lease."""
        worker: SimulatedWorker = pick(self.with_releases(), index)
        before, asked = self.seen, list(worker.releasing)
        current = {each.entry.id: each for each in asked if before_holds(before, worker, each.entry)}
        self.run(worker.release(lost=lost))
        self.look(lost=lost)
        moved = self.moved_since(before)
        gone = {entry_id for entry_id in current if entry_id not in before.on_stream}
        assert moved == (set() if lost is Loss.REQUEST else current.keys() - gone)
        for entry_id in moved:
            assert self.seen.pending[entry_id].consumer == RELEASED
            self.ledger.claims[entry_id] -= 0 if current[entry_id].charged else 1

    def sweep(self, index: int, lost: Loss) -> None:
        self.sweep_strays_of(self.workers[pick(sorted(self.workers), index)], lost=lost)

    def sweep_strays_of(self, worker: SimulatedWorker, *, lost: Loss) -> None:
        """A read whose reply was lost is given back at once and free of charge."""
        before, left = self.seen, self.left_by(worker.consumer)
        self.run(worker.attempt(worker.releaser.release_strays, lost=lost))
        self.look(lost=lost)
        moved = self.moved_since(before)
        assert not moved & {*worker.leases.ids, *left}, "what is held, or a namesake left, was taken for a stray"
        self.given_back_free_of_charge(before, moved)
        if lost is not Loss.REQUEST:
            assert self.seen.pending_under(worker.consumer) & self.seen.on_stream <= {*worker.leases.ids, *left}

    def leave(self, index: int) -> None:
        consumer = pick(sorted(self.workers), index)
        worker = self.workers[consumer]
        self.run(worker.settle_everything())
        self.look()
        before, left = self.seen, self.left_by(consumer)
        self.run(worker.leave())
        self.look()
        moved = self.moved_since(before)
        assert not moved & left, "the charge of a namesake's crash was given back"
        self.given_back_free_of_charge(before, moved)
        assert self.seen.pending_under(consumer) & self.seen.on_stream <= left
        del self.workers[consumer]

    def clean_up(self, index: int, late: bool) -> None:
        """Trim what no group needs, after its retention where events are kept, and delete every idle consumer."""
        worker = self.workers[pick(sorted(self.workers), index)]
        before = self.seen
        self.run(worker.attempt((worker.late_janitor if late else worker.janitor).clean))
        self.look()
        assert owners_and_counts(before) == owners_and_counts(self.seen)
        trimmed = before.on_stream - self.seen.on_stream
        assert not trimmed & (before.undelivered | before.pending.keys())
        assert late or not (trimmed and self.keep_events), "trimmed within its retention"

    def the_contract_holds(self) -> None:
        held = {name: set(worker.leases.ids) for name, worker in self.workers.items()}
        self.ledger.check(self.seen, held)

    def end(self) -> None:
        """Whatever state things are in, one healthy worker finishes them all."""
        for worker in self.workers.values():
            self.run(worker.leave())
        self.look()
        healthy = SimulatedWorker(self.client, "healthy", self.clock, keep_events=self.keep_events, lease_seconds=0.001)
        self.everyone.append(healthy)
        self.run(healthy.finish_everything())
        self.look()
        self.ledger.an_entry_has_at_most_one_outcome(self.seen)
        assert self.seen.pending == {}
        assert self.seen.undelivered == frozenset()
        assert set(self.ledger.added) - self.ledger.deleted <= self.seen.outcomes.keys(), "an entry has no outcome"
        if self.seen.alone and not self.keep_events:
            self.run(healthy.janitor.clean())
            assert self.observer.xlen(EVENTS) == 0
        in_hand = self.ledger.deleted_in_hand.items()
        lost_data = {entry_id for entry_id, outcomes in in_hand if self.seen.outcomes[entry_id] == outcomes}
        counted = sum(worker.data_lost for worker in self.everyone)
        assert counted == len(lost_data - self.ledger.lost_unseen), "deleted before they were judged"

    # --- how it is found out ---

    def start(self, consumer: str) -> None:
        worker = SimulatedWorker(self.client, consumer, self.clock, keep_events=self.keep_events)
        self.workers[consumer] = worker
        self.everyone.append(worker)
        self.ledger.strays[consumer] = set()

    def look(self, *, lost: Loss = Loss.NOTHING) -> None:
        before = self.seen
        self.seen = look(self.observer)
        if lost:
            self.ledger.lost_unseen |= before.pending.keys() - self.seen.pending.keys() - self.written_since(before)
        self.ledger.strays = {name: ids & self.seen.pending_under(name) for name, ids in self.ledger.strays.items()}

    def ready_to_read(self, index: int, among: list[SimulatedWorker] | None = None) -> SimulatedWorker:
        """Strays are swept first, as the run loop does."""
        worker: SimulatedWorker = pick(among or [self.workers[name] for name in sorted(self.workers)], index)
        if worker.strays_possible:
            self.sweep_strays_of(worker, lost=Loss.NOTHING)
        return worker

    def busy_workers(self) -> list[SimulatedWorker]:
        return [worker for worker in self.workers.values() if len(worker.leases)]

    def idle_workers(self) -> list[SimulatedWorker]:
        return [worker for worker in self.workers.values() if not len(worker.leases)]

    def with_outcomes(self) -> list[SimulatedWorker]:
        return [worker for worker in self.workers.values() if worker.settler.waiting]

    def with_releases(self) -> list[SimulatedWorker]:
        return [worker for worker in self.workers.values() if worker.releasing]

    def in_hand(self) -> list[tuple[SimulatedWorker, Entry]]:
        return [(worker, entry) for worker in self.workers.values() for entry in worker.work.values()]

    def in_the_hands_of_zombies(self) -> list[tuple[SimulatedWorker, Entry]]:
        return [(worker, entry) for worker in self.workers.values() for entry in worker.given_up.values()]

    def left_by(self, consumer: str) -> set[str]:
        """What a namesake before it left behind."""
        worker = self.workers[consumer]
        age_ms = (self.clock() - worker.releaser._born) * 1000
        return {each for each in self.ledger.strays[consumer] if self.seen.pending[each].idle_ms > age_ms}

    def delivered(self, worker: SimulatedWorker, ids: set[str], entries: list[Entry], *, lost: Loss) -> None:
        assert all(self.seen.pending[entry_id].consumer == worker.consumer for entry_id in ids)
        if lost:
            self.ledger.strays[worker.consumer] |= ids - set(worker.leases.ids)
        else:
            assert {entry.id for entry in entries} == ids
            self.ledger.strays[worker.consumer] -= ids

    def newly_pending(self, before: StreamsSeen) -> set[str]:
        return self.seen.pending.keys() - before.pending.keys()

    def claimed_since(self, before: StreamsSeen) -> set[str]:
        """What was claimed and charged; nothing else may have changed."""
        kept = self.seen.pending.keys() & before.pending.keys()
        claimed = {each for each in kept if self.seen.pending[each].deliveries != before.pending[each].deliveries}
        for entry_id in kept - claimed:
            assert self.seen.pending[entry_id].consumer == before.pending[entry_id].consumer
        assert (before.pending.keys() - kept) <= self.ledger.deleted, "no longer pending, and not settled"
        for entry_id in claimed:
            self.ledger.claims[entry_id] = self.ledger.claims.get(entry_id, 0) + 1
        return claimed

    def moved_since(self, before: StreamsSeen) -> set[str]:
        """What has another owner now; what was deleted may be pending no more, nothing else may have changed."""
        kept = self.seen.pending.keys() & before.pending.keys()
        moved = {each for each in kept if self.seen.pending[each].consumer != before.pending[each].consumer}
        for entry_id in kept - moved:
            assert self.seen.pending[entry_id].deliveries == before.pending[entry_id].deliveries
        assert (before.pending.keys() - kept) <= self.ledger.deleted
        assert not self.newly_pending(before)
        return moved

    def written_since(self, before: StreamsSeen) -> set[str]:
        return set((self.seen.outcomes - before.outcomes).elements())

    def given_back_free_of_charge(self, before: StreamsSeen, moved: set[str]) -> None:
        for entry_id in moved:
            assert self.seen.pending[entry_id].consumer == RELEASED
            assert self.seen.pending[entry_id].deliveries == before.pending[entry_id].deliveries - 1
            self.ledger.claims[entry_id] = self.ledger.claims.get(entry_id, 1) - 1

    def settle_without_memory(self, worker: SimulatedWorker) -> None:
        before = self.seen
        self.tell("CONFIG", "SET", "maxmemory", "1")
        try:
            self.run(worker.settle_a_batch(lost=Loss.NOTHING))
        finally:
            self.tell("CONFIG", "SET", "maxmemory", "0")
        self.look()
        if GROUP in before.groups:
            assert owners_and_counts(before) == owners_and_counts(self.seen), "acknowledged, and nothing written"
        assert before.outcomes == self.seen.outcomes


def pick(choices: list[Any], index: int) -> Any:
    return choices[index % len(choices)] if choices else None


def is_suspect(seen: StreamsSeen, entry_id: str) -> bool:
    pending = seen.pending[entry_id]
    crashed = pending.consumer != RELEASED
    return crashed and FIRST_SUSPECT_DELIVERY <= pending.deliveries + 1 <= MAX_DELIVERIES


def before_holds(before: StreamsSeen, worker: SimulatedWorker, entry: Entry) -> bool:
    """Whether it is the worker's by the server, and by the very delivery that is to be given back."""
    held = {each.id: each for each in worker.leases.entries}
    return entry.id in before.pending_under(worker.consumer) and held.get(entry.id) is entry


def owners_and_counts(seen: StreamsSeen) -> dict[str, tuple[str, int]]:
    return {entry_id: (each.consumer, each.deliveries) for entry_id, each in seen.pending.items()}
