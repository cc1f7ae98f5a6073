# shellcheck shell=bash disable=SC2034,SC2154 # variables are shared with the files beside it
# Sourced by the commands beside it: brings the stack to what the template and the environment say.

deploy_stack() { # needs `image`
  parameters=$(mktemp)
  trap 'rm -f "$parameters"' EXIT
  # In a file of one's own: what stands in a command line can be read by everybody on the machine.
  parameter_overrides > "$parameters"
  aws cloudformation deploy --stack-name "$stack" --template-file "$root/deploy/lambda/template.yaml" \
    --capabilities CAPABILITY_IAM CAPABILITY_AUTO_EXPAND --no-fail-on-empty-changeset \
    --parameter-overrides "file://$parameters" >&2
}

# What is not set keeps the value that the stack has, or the template's default.
parameter_overrides() {
  local auth=${AUTH:-}
  [[ -z $auth && (-n ${LLM_API_KEY:-} || ${BEDROCK_ACCESS:-} == true) ]] && auth=AWS_IAM
  printf '['
  override FunctionName "$stack"
  override LlmApiKey "${LLM_API_KEY:-}"
  override BedrockAccess "${BEDROCK_ACCESS:-}"
  override ModelId "${CLAUDE_MODEL_ID:-}"
  override Auth "$auth"
  override MemoryMb "${MEMORY_MB:-}"
  override TimeoutSeconds "${TIMEOUT_SECONDS:-}"
  override MaxConcurrency "${MAX_CONCURRENCY:-}"
  override Architecture "${ARCHITECTURE:-}"
  printf '%s]\n' "$(quoted "ImageUri=$image")"
}

override() { # NAME VALUE
  [[ -z $2 ]] || printf '%s, ' "$(quoted "$1=$2")"
}

quoted() { # TEXT
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

show_stack() {
  local url
  url=$(aws cloudformation describe-stacks --stack-name "$stack" \
    --query "Stacks[0].Outputs[?OutputKey=='InvokeUrl'].OutputValue" --output text)
  echo "${url%/}/run"
  echo "logs: aws logs tail \"/aws/lambda/$stack\" --follow --region $region" >&2
}
