"""The flags that every command which judges has in common."""

import click

judge_model_option = click.option(
    "--judge-model",
    metavar="MODEL",
    help="bedrock, offline, or langchain:CLASS_PATH with its parameters in JUDGE_MODEL_PARAMS. [JUDGE_MODEL]",
)
judges_file_option = click.option(
    "--judges-file", metavar="FILE", help="Your own judges, laid over the built-in ones. [JUDGES_FILE]"
)
log_format_option = click.option("--log-format", metavar="FORMAT", help="console or json. [LOG_FORMAT]")
log_level_option = click.option("--log-level", metavar="LEVEL", help="debug, info, warning or error. [LOG_LEVEL]")
