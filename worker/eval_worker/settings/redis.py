"""Where Redis is, and what the keys are called."""

from pydantic import SecretStr, field_validator

from eval_worker.settings.quantities import HIGHEST_PORT, Group, Key

DEFAULT_REDIS_ADDR = "localhost:6379"


class RedisSettings(Group):
    """Redis."""

    redis_url: SecretStr | None = None
    """`redis://`, `rediss://` or `unix://`, special characters of the password percent-encoded; instead of the next
    five."""
    redis_addr: str = DEFAULT_REDIS_ADDR
    """`host:port`; user and password are settings of their own, here as with REDIS_SENTINEL."""
    redis_username: str | None = None
    """The user of Redis's ACL; without it the default one. Which rights each part needs stands in
    [security.md](security.md#redis-users-with-few-rights)."""
    redis_password: SecretStr | None = None
    """Its password, or that of `requirepass`."""
    redis_tls: bool = False
    """Speak TLS. The server's certificate has to be good for the name that is connected to."""
    redis_ca_file: str | None = None
    """The certificates to trust, a PEM file; without it those of the machine."""
    redis_sentinel: str | None = None
    """Find the primary by sentinels: `mymaster@host1:26379,host2:26379`."""
    redis_cluster: bool = False
    """It is a Redis Cluster. All three streams must share a slot: `{eval-events}:results`,
    `{eval-events}:dead-letters`; those of STREAM_PARTITIONS do by themselves."""
    redis_stream_name: Key = "eval-events"
    """The stream that events come in on."""
    redis_result_stream: Key = "eval-results"
    """The stream that results go to."""
    redis_dead_letter_stream: Key = "eval-dead-letters"
    """The stream of what could not be evaluated."""
    redis_judgement_prefix: Key = "eval-judgements"
    """The keys `<prefix>:<digest>` hold cached judgements, about 0.5 kB each and five an event;
    `{eval-events}:judgements` puts them in the streams' slot."""
    redis_pace_prefix: Key = "eval-pace"
    """The key `<prefix>:<model>` holds [how fast all workers together call it](limits.md)."""
    redis_consumer_group: Key = "eval-group"
    """The consumer group of all workers."""
    redis_consumer_name: str | None = None
    """This worker in it, unique among those that run; without it HOSTNAME and a random suffix."""
    hostname: str | None = None
    """What the consumer is named after; without it the machine's own name."""

    @field_validator("redis_addr")
    @classmethod
    def _host_and_port(cls, value: str) -> str:
        host, colon, port = value.rpartition(":")
        if "//" in value:
            raise ValueError("is a URL: give it as REDIS_URL")
        if "@" in value:
            raise ValueError("must be host:port alone: give user and password as REDIS_USERNAME and REDIS_PASSWORD")
        if not (colon and host and port.isdecimal() and 0 < int(port) <= HIGHEST_PORT):
            raise ValueError(f"must be host:port such as {DEFAULT_REDIS_ADDR}, not {value!r}")
        return value

    @property
    def redis_host(self) -> str:
        return self.redis_addr.rpartition(":")[0].strip("[]")

    @property
    def redis_port(self) -> int:
        return int(self.redis_addr.rpartition(":")[2])
