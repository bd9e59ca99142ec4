#!/usr/bin/env bash
# The step of action.yml: the inputs are in the environment, so that none of them is ever read as code. Annotations go to standard
# output, the report into the summary of the job. Exit codes are those of muster-pact: 0 verified, 1 findings, 2 nothing verified.
set -uo pipefail
# A pact may not name files by a pattern: what is named is what is verified.
set -f

read -r -d '' -a arguments <<<"${PACTS:-}"
[ -z "${BROKER:-}" ] || arguments+=(--broker "$BROKER")
[ -z "${PROVIDER_URL:-}" ] || arguments+=(--provider-url "$PROVIDER_URL")
if [ -n "${BROKER:-}" ] && [ -n "${PROVIDER_VERSION:-}" ]; then
  arguments+=(--publish --provider-version "$PROVIDER_VERSION")
fi

if [ -n "${KIT_COMMAND:-}" ]; then
  read -r -a kit <<<"$KIT_COMMAND"
else
  kit=(npx --yes "--package=@muster/pact-kit@${KIT_VERSION:-latest}" muster-pact)
fi

report=$(mktemp)
errors=$(mktemp)
trap 'rm -f "$report" "$errors"' EXIT
code=0
"${kit[@]}" verify "${arguments[@]}" --reporter github --reporter "text=$report" 2> >(tee "$errors" >&2) || code=$?
wait

case $code in
  0) verdict=passed ;;
  1) verdict=failed ;;
  *) verdict=unusable ;;
esac
[ "$verdict" != unusable ] || echo "::error title=Pacts::$(tail -n 1 "$errors")"
[ -z "${GITHUB_OUTPUT:-}" ] || echo "verdict=$verdict" >>"$GITHUB_OUTPUT"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  {
    echo "## Pacts: $verdict"
    echo
    echo '```text'
    if [ -s "$report" ]; then cat "$report"; else tail -n 20 "$errors"; fi
    echo '```'
  } >>"$GITHUB_STEP_SUMMARY"
fi
exit "$code"
