"""Any chat model of LangChain as a judge model.

`model.LangChainModel` is the judge model, `opening.open_chat_model` makes a chat model from a class path. What a
request may name is decided in `class_paths` and `connector_params`, which load nothing of LangChain; so does this file.
"""
