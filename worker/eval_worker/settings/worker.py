"""How much a worker holds, for how long, and what it leaves behind."""

from typing import Annotated

from pydantic import Field

from eval_worker.settings.quantities import Group, Hours


class WorkerSettings(Group):
    """The worker."""

    concurrency: Annotated[int, Field(ge=1, le=1024)] = 16
    """Events judged at once, by a worker or a door."""
    read_ahead: Annotated[int, Field(ge=1, le=65_536)] = 256
    """Events read and not settled, at most; no more are read than can be started soon: twice CONCURRENCY, or what is
    judged in a twentieth of a second."""
    lease_seconds: Annotated[float, Field(ge=1, le=86_400, allow_inf_nan=False)] = 60
    """After how long without a sign of life a worker's events are taken over."""
    max_deliveries: Annotated[int, Field(ge=1, le=1_000_000)] = 5
    """An event that was charged with more deliveries than this is a dead letter."""
    drain_seconds: Annotated[float, Field(ge=0, le=3_600, allow_inf_nan=False)] = 25
    """From SIGTERM to exit; an orchestrator's own patience has to be longer."""
    max_event_bytes: Annotated[int, Field(ge=1, le=512 * 1024 * 1024)] = 1024 * 1024
    """A larger event is a dead letter, a larger request is refused."""
    results_maxlen: Annotated[int, Field(ge=0, le=1_000_000_000)] = 100_000
    """How many results are kept, approximately; 0 keeps all."""
    keep_events: bool = False
    """Keep settled events on the stream; set it alike for all workers, as one without it trims them."""
    event_retention_hours: Hours = 168
    """How long they are kept, at least."""
    idle_group_hours: Hours = 24
    """After how long without a reader another group holds back nothing older than that; set it alike for all
    workers."""
    results_include_interaction: bool = False
    """Put query, context and answer into the result; conversations are never put there."""
