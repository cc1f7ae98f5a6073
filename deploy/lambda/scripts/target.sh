# shellcheck shell=bash disable=SC2034,SC2154 # variables are shared with the files beside it
# Sourced by the commands beside it: which function in which region is meant, and whether AWS can be reached there.

fail() { # EXIT-CODE MESSAGE
  echo "$(basename "$0"): $2" >&2
  exit "$1"
}

read_target() { # NAME REGION
  [[ $# -eq 2 ]] || fail 2 "give a name and a region: $(basename "$0") agentic us-east-1"
  [[ $1 =~ ^[a-z][a-z0-9-]{0,39}$ ]] || fail 2 "the name must be lower-case letters, digits and -, 40 at most: $1"
  [[ $2 =~ ^[a-z]{2}(-[a-z]+)+-[0-9]$ ]] || fail 2 "the region must be one such as us-east-1, not $2"
  stack="eval-worker-$1"
  repository="$stack"
  region=$2
  export AWS_REGION=$region AWS_DEFAULT_REGION=$region AWS_PAGER=""
}

need() { # COMMAND WHAT-FOR
  command -v "$1" > /dev/null || fail 1 "$1 is needed, to $2: install it first"
}

need_account() { # sets `account`
  need aws "reach your AWS account"
  account=$(aws sts get-caller-identity --query Account --output text) \
    || fail 1 "AWS does not know who you are: configure credentials first (aws configure)"
}

stack_status() { # prints nothing where there is no stack
  aws cloudformation describe-stacks --stack-name "$stack" \
    --query 'Stacks[0].StackStatus' --output text 2> /dev/null || true
}
