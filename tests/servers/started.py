"""What is started and stopped as one, and never left half started."""

from abc import ABC, abstractmethod
from typing import Self


class Started(ABC):
    """Runs inside `with`."""

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def stop(self) -> None:
        """Stop all that has been started so far."""

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()
