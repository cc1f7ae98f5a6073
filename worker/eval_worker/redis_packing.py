"""Connections whose commands are packed in C: in Python that is most of what writing an outcome costs."""

from typing import Any

from hiredis import pack_command  # pyright: ignore[reportUnknownVariableType] (its own types are partial)


def packing_in_c(connection_class: type[Any]) -> type[Any]:
    """Make a connection class that has hiredis pack its commands, as it already has it read the replies.

    The library does so on its blocking connections alone.
    """

    class ConnectionThatPacksInC(connection_class):
        def pack_command(self, *args: Any) -> list[bytes]:
            if isinstance(args[0], str) and " " not in args[0]:  # of two words the library makes two arguments
                try:
                    return [pack_command(args)]
                except TypeError:  # an argument that only the library knows how to write
                    pass
            packing: Any = super()
            return packing.pack_command(*args)

    return ConnectionThatPacksInC
