# shellcheck shell=bash
# What every script of this folder shares: messages, errors, and the rule that root is needed.

# Green and red are for people: only on a terminal, and never where NO_COLOR is set.
if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
  GREEN=$'\e[32m' RED=$'\e[31m' BOLD=$'\e[1m' DIM=$'\e[2m' PLAIN=$'\e[0m'
else
  GREEN='' RED='' BOLD='' DIM='' PLAIN=''
fi
readonly GREEN RED BOLD DIM PLAIN

readonly EXIT_FAILED=1 EXIT_USAGE=2 EXIT_DEGRADED=3 EXIT_NO_LAB=4

say() { printf '%s\n' "$*"; }
warn() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

die() {
  warn "$*"
  exit "$EXIT_FAILED"
}

usage_error() {
  warn "$*"
  warn "try: ${0##*/} --help"
  exit "$EXIT_USAGE"
}

# A command that fails where nobody looked is a bug of the script: say where.
report_bug() {
  local status=$1 source=$2 line=$3 command=$4
  warn "unexpected failure (exit $status) at ${source##*/}:$line: $command"
}

require_root() {
  ((EUID == 0)) || die "needs root: it makes network namespaces"
}
