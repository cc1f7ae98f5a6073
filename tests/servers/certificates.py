"""A certificate authority of our own and a certificate for 127.0.0.1, made anew by openssl."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.servers.binaries import openssl


@dataclass(frozen=True)
class Certificates:
    authority: Path
    certificate: Path
    key: Path


def make_certificates(directory: Path, names: str = "IP:127.0.0.1,DNS:localhost") -> Certificates:
    """Make an authority and what it vouches for: a server of these names."""
    directory.mkdir(parents=True, exist_ok=True)
    made = Certificates(directory / "ca.pem", directory / "server.pem", directory / "server.key")
    authority_key = directory / "ca.key"
    # An authority that strict verification accepts (the default from Python 3.13 on) says what its key is for.
    usage = ["-addext", "keyUsage=critical,keyCertSign,cRLSign"]
    _run("req", "-x509", *_new_key(authority_key), "-subj", "/CN=tests", *usage, "-days", "2", "-out", made.authority)
    signed_by = ["-CA", made.authority, "-CAkey", authority_key]
    plain = ["-addext", "basicConstraints=critical,CA:FALSE", "-addext", f"subjectAltName={names}"]
    _run("req", "-x509", *_new_key(made.key), *signed_by, "-subj", "/CN=server", *plain, "-out", made.certificate)
    return made


def _new_key(path: Path) -> list[str | Path]:
    return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path]


def _run(*arguments: str | Path) -> None:
    subprocess.run([openssl(), *arguments], check=True, capture_output=True)
