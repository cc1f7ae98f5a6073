"""The names of agents as a metric's label: whoever sends events chooses them, and each makes a series."""

MOST_AGENTS = 200
LONGEST_NAME = 100
OTHER = "other"


class AgentLabels:
    """The first agents that are seen have a label of their own, all further ones share one."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def label(self, name: str | None) -> str:
        """Return the label; of an event that names no agent it is empty."""
        if not name:
            return ""
        if name in self._names:
            return name
        # Half a character, which JSON can carry, no exposition of metrics can.
        shown = name[:LONGEST_NAME].encode(errors="backslashreplace").decode()
        if shown in self._names:
            return shown
        if len(self._names) >= MOST_AGENTS:
            return OTHER
        self._names.add(shown)
        return shown
