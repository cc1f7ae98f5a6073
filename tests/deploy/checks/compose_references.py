"""What the services of a Compose file name of each other and of their files; Compose does not look at it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from tests.deploy.checks.commands_of_the_image import unknown_command

_ASKED = re.compile(r"http://127\.0\.0\.1:(\d+)")
_FILE = re.compile(r"(?:^|=)(/[\w./-]+\.(?:ya?ml|json))$")
_ADDRESS = re.compile(r"(?:http://)?([a-z][\w-]*):\d+")


def broken_references(services: dict[str, Any]) -> Iterator[str]:
    """Yield what a service names and can't reach. The services are as `docker-compose config` gives them."""
    for name, service in services.items():
        wrong = unknown_command(service["image"], service.get("command") or ())
        problems = (*wrong, *_health_problems(service), *_missing_files(service), *_apart(name, services))
        yield from (f"services.{name}: {problem}" for problem in problems)


def _health_problems(service: dict[str, Any]) -> Iterator[str]:
    published = {str(port["target"]) for port in service.get("ports", ())}
    for asked in _ASKED.findall(" ".join(service.get("healthcheck", {}).get("test", ()))):
        if asked not in published:
            yield f"its health is asked for at port {asked}, it publishes {', '.join(sorted(published)) or 'none'}"


def _missing_files(service: dict[str, Any]) -> Iterator[str]:
    """Files that it is told to read, and what those name in turn: Prometheus' rules, Grafana's dashboards."""
    said = (*(service.get("command") or ()), *map(str, service.get("environment", {}).values()))
    told = [found[1] for text in said if (found := _FILE.search(text))]
    folders = [each["options"]["path"] for given in _configurations(service) for each in given.get("providers", ())]
    yield from (f"nothing is mounted at {path}" for path in (*told, *folders) if _mounted(path, service) is None)
    for path in told:
        file = _mounted(path, service)
        if file is not None and file.suffix == ".yml":
            yield from _missing_rules(_read(file), Path(path).parent, service)


def _missing_rules(configuration: dict[str, Any], beside: Path, service: dict[str, Any]) -> Iterator[str]:
    for pattern in configuration.get("rule_files", ()):
        folder, _, names = str(beside / pattern).rpartition("/")
        given = _mounted(folder, service)
        if given is None or not list(given.glob(names)):
            yield f"nothing is mounted at {folder}/{names}"


def _mounted(path: str, service: dict[str, Any]) -> Path | None:
    """Where a path of the container is outside of it."""
    for volume in service.get("volumes", ()):
        if volume["type"] == "bind" and Path(path).is_relative_to(volume["target"]):
            outside = Path(volume["source"], Path(path).relative_to(volume["target"]))
            return outside if outside.exists() else None
    return None


def _apart(name: str, services: dict[str, Any]) -> Iterator[str]:
    for other in sorted(_named(services[name])):
        if other not in services:
            yield f"it is to talk to {other}, which is no service"
        elif not set(services[name]["networks"]) & set(services[other]["networks"]):
            yield f"it is to talk to {other}, and has no network in common with it"


def _named(service: dict[str, Any]) -> set[str]:
    """Other services by their host names: in its settings, and in the files it is given."""
    values = map(str, service.get("environment", {}).values())
    named = {found[1] for value in values if (found := _ADDRESS.fullmatch(value))}
    return named.union(*(_hosts_in(given) for given in _configurations(service)))


def _configurations(service: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for volume in service.get("volumes", ()):
        source = Path(volume["source"])
        files = (source, *source.glob("**/*")) if volume["type"] == "bind" else ()
        yield from (_read(file) for file in files if file.suffix == ".yml" and file.is_file())


def _hosts_in(configuration: dict[str, Any]) -> Iterator[str]:
    for job in configuration.get("scrape_configs", ()):
        yield from (host for found in job.get("dns_sd_configs", ()) for host in found["names"])
    for source in configuration.get("datasources", ()):
        yield _ADDRESS.sub(r"\1", source["url"])


def _read(file: Path) -> dict[str, Any]:
    return yaml.safe_load(file.read_text(encoding="utf-8"))
