"""Claude on AWS Bedrock, by boto3 and a shorter way beside it."""
