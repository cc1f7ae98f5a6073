"""A command in a root file system of its own: what a container is, without Docker. Needs to be root."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TMP_SIZE = "16m"


@dataclass(frozen=True, slots=True)
class Root:
    """A root file system, who runs in it (`uid:gid`) and where. `paths` of this machine are seen in it, too."""

    directory: Path
    environment: Mapping[str, str]
    working_directory: str = "/"
    user: str = "0:0"
    paths: tuple[Path, ...] = ()
    read_only: bool = False

    def command(self, *words: str) -> list[str]:
        """The command that runs these words as the first process of namespaces of its own."""
        script = "\n".join(["set -e", *self._mounts(), f"exec chroot {_quoted(self.directory)} {self._inside(words)}"])
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private", "sh", "-c", script]

    def beside(self, pid: int, *words: str) -> list[str]:
        """The command that runs these words beside that process, as `docker exec` and health checks do."""
        entered = ["nsenter", f"--target={pid}", "--mount", "--pid", "--root", "--wd"]
        return [*entered, *shlex.split(self._inside(words))]

    def _mounts(self) -> list[str]:
        root = self.directory
        mounts = [f"mount --bind {_quoted(root)} {_quoted(root)}"]
        mounts += [f"mount --bind {_quoted(path)} {_quoted(self._point(path))}" for path in self.paths]
        mounts.append(f"mount -t proc proc {_quoted(root / 'proc')}")
        if self.read_only:
            mounts.append(f"mount -o remount,bind,ro {_quoted(root)}")
            mounts.append(f"mount -t tmpfs -o mode=1777,size={TMP_SIZE} tmpfs {_quoted(root / 'tmp')}")
        return mounts

    def _point(self, path: Path) -> Path:
        """Where a path of this machine is mounted; made if need be."""
        point = self.directory / path.relative_to("/")
        if path.is_dir():
            point.mkdir(parents=True, exist_ok=True)
        else:
            point.parent.mkdir(parents=True, exist_ok=True)
            point.touch()
        return point

    def _inside(self, words: Sequence[str]) -> str:
        uid, _, gid = self.user.partition(":")
        rights = [f"--reuid={uid}", f"--regid={gid or uid}", "--clear-groups", "--no-new-privs"]
        if uid != "0":
            rights += ["--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        start = ["/usr/bin/setpriv", *rights, "/usr/bin/env", "-i", f"--chdir={self.working_directory}", *variables]
        return shlex.join([*start, *words])


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
