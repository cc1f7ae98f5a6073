"""How well the judges agree with people: figures, intervals, suggestions and a report."""
