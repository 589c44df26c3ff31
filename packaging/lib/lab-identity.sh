# shellcheck shell=bash
# Who is who in the lab, by the product's own means: the control plane makes its authorities and a token for the first
# operator; the operator logs in with it, registers the DPUs and gives each a token, with which its agent enrols.

# ensure_operator: a context file for the command line, once per lab.
ensure_operator() {
  local token
  token=$(control_dir)/pki/admin.token
  [[ ! -f $(control_dir)/context.yaml ]] || return 0
  [[ -f $token ]] || die "the control plane has left no token for its first operator in $token; see its log"
  as_operator login --server "$(control_target)" --enrollment-server "$(enrollment_target)" --server-name "$SERVER_NAME" \
    --token-file "$token" >/dev/null
}

# ensure_enrolled FIRST LAST: each of these DPUs has an identity, or a token to get one.
ensure_enrolled() {
  local n token
  for ((n = $1; n <= $2; n++)); do
    token=$(dpu_dir "$n")/token
    [[ ! -f $(dpu_dir "$n")/identity/identity.pem && ! -f $token ]] || continue
    register_dpu "$n"
    (umask 077 && as_operator dpu enroll "dpu$n" >"$token.new")
    mv "$token.new" "$token"
  done
}

# await_enrolled FIRST LAST: an agent is ready before it has an identity, and a token is good for one try.
await_enrolled() {
  local n deadline=$((SECONDS + READY_TIMEOUT))
  for ((n = $1; n <= $2; n++)); do
    until [[ -f $(dpu_dir "$n")/identity/identity.pem ]]; do
      ((SECONDS < deadline)) || die "dpu$n has not enrolled within $READY_TIMEOUT s; see its log: packaging/lab logs agent $n"
      sleep 0.1
    done
  done
}

register_dpu() {
  command_line dpu get "dpu$1" >/dev/null 2>&1 ||
    as_operator dpu create "dpu$1" --vtep "$(vtep_address "$1")" --underlay-mtu "$UNDERLAY_MTU" >/dev/null
}

as_operator() { command_line "$@" || die "gatehouse $1 failed; the reason stands above"; }

# Recording an archive of classes costs seconds: only who asks for it by name does it.
command_line() {
  in_netns control env --unset=GATEHOUSE_CDS_RECORD GATEHOUSE_CONTEXT="$(control_dir)/context.yaml" "$BIN/gatehouse" "$@"
}
