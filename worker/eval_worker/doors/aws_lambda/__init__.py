"""AWS Lambda: `eval_worker.doors.aws_lambda.handler` is the function's handler."""

from eval_worker.doors.aws_lambda.function import handler

__all__ = ["handler"]
