"""What answers a judge: a Bedrock model, a LangChain chat model, or the offline model."""
