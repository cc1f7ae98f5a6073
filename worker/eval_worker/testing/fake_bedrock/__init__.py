"""A Bedrock that is none: real Converse over HTTP on 127.0.0.1, answers at once, fails when told to.

It answers whatever a request asks for: a forced tool by its schema, structured output by its schema, else JSON in
text, always with the highest level. In a test, with the names from `eval_worker.testing`:

    with FakeBedrock() as bedrock:
        client = boto3.client("bedrock-runtime", endpoint_url=bedrock.url, region_name="us-east-1",
                              aws_access_key_id="fake", aws_secret_access_key="fake")
        bedrock.script(Throttle(retry_after=1), when=judge("faithfulness"), times=3)  # its next 3 calls
        bedrock.script(ServerError(), seconds=10)                                     # everything, for 10 s
        bedrock.reply(level=2, when=text("evt-007"))                                  # until told otherwise
        bedrock.limit(calls_per_second=50)                                            # throttles those beyond
        bedrock.calm()                                                                # all well again

A cache point behind the system prompt counts as on Bedrock: the first call that is answered writes what stands before
it, if that is `FakeBedrock(prompt_cache_floor=1_024)` tokens or more, and for five minutes the next ones read it.

Rules that end (`times`, `seconds`) play first, in the order given; then the standing rule given last.

For a worker in another process, start it with `bedrock.environment()`, which is

    AWS_ENDPOINT_URL_BEDROCK_RUNTIME=http://127.0.0.1:<port>
    AWS_ACCESS_KEY_ID=fake AWS_SECRET_ACCESS_KEY=fake AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1

and, so that the fake stands alone, `python -m eval_worker.testing.fake_bedrock --port 8099 --latency 0.5`. That one is
steered by `RemoteFakeBedrock("http://127.0.0.1:8099")`, which has the same methods, or with curl:

    curl -d '{"outcome": {"kind": "Throttle", "retry_after": 1}, "when": {"judge": "faithfulness"}, "times": 3}' \
        http://127.0.0.1:8099/_fake/script
    curl -d '{"outcome": {"kind": "Reply", "level": 2}, "when": {"text": "evt-007"}}' http://127.0.0.1:8099/_fake/script
    curl -d '{"seconds": 0.5}' http://127.0.0.1:8099/_fake/latency
    curl -d '{"calls_per_second": 50}' http://127.0.0.1:8099/_fake/limit
    curl -X POST http://127.0.0.1:8099/_fake/calm
    curl http://127.0.0.1:8099/_fake/counters
"""
