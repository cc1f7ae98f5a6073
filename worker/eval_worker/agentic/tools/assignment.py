"""The assignment problem: one column for each row, so that the sum of the values is as large as it can be.

Kuhn, H. W. (1955), The Hungarian method for the assignment problem; here by shortest augmenting paths, as in Jonker, R.
and Volgenant, A. (1987), A shortest augmenting path algorithm for dense and sparse linear assignment problems.
"""

from collections.abc import Sequence
from math import inf

_NONE = -1


def best_assignment(values: Sequence[Sequence[float]]) -> list[int]:
    """Return a column for each row, no column twice, in O(rows² x columns). There must be no more rows than columns.

    Integers are added up exactly, whatever their size.
    """
    if not values:
        return []
    problem = _Assignment(values)
    for row in range(len(values)):
        problem.add(row)
    return problem.column_of


class _Assignment:
    """The best assignment of the rows added so far, with the potentials that prove it.

    A pair's reduced cost is `-value - row potential - column potential`: never negative, and 0 where it is assigned.
    """

    def __init__(self, values: Sequence[Sequence[float]]) -> None:
        self._values = values
        self._row_of = [_NONE] * len(values[0])
        self._row_potential: list[float] = [0] * len(values)
        self._column_potential: list[float] = [0] * len(values[0])
        self.column_of = [_NONE] * len(values)

    def add(self, start: int) -> None:
        """Assign one more row along the cheapest path to a free column, moving rows on the way."""
        came_from = [_NONE] * len(self._row_of)
        distance: list[float] = [inf] * len(self._row_of)
        settled: list[int] = []
        unsettled = list(range(len(self._row_of)))
        row, travelled = start, 0
        while row != _NONE:
            column = self._nearest(row, travelled, unsettled, distance, came_from)
            travelled = distance[column]
            unsettled.remove(column)
            settled.append(column)
            row = self._row_of[column]
        self._row_potential[start] += travelled
        for column in settled[:-1]:
            self._row_potential[self._row_of[column]] += travelled - distance[column]
            self._column_potential[column] -= travelled - distance[column]
        self._move_rows(settled[-1], start, came_from)

    def _nearest(
        self, row: int, travelled: float, unsettled: list[int], distance: list[float], came_from: list[int]
    ) -> int:
        """Look from the row at the columns that are not settled; return the nearest, rather a free one."""
        values, potential, row_of = self._values[row], self._column_potential, self._row_of
        base = travelled - self._row_potential[row]
        nearest, nearest_distance = _NONE, inf
        for column in unsettled:
            through_row = base - values[column] - potential[column]
            if through_row < distance[column]:
                distance[column] = through_row
                came_from[column] = row
            so_far = distance[column]
            if so_far < nearest_distance or (so_far == nearest_distance and row_of[column] == _NONE):
                nearest, nearest_distance = column, so_far
        return nearest

    def _move_rows(self, free_column: int, start: int, came_from: list[int]) -> None:
        column, row = free_column, _NONE
        while row != start:
            row = came_from[column]
            self._row_of[column] = row
            self.column_of[row], column = column, self.column_of[row]
