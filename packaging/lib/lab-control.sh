# shellcheck shell=bash
# stop, start, kill, restart of one daemon on one DPU or on all; and the log that it writes.

process_usage() {
  cat <<'USAGE'
usage: lab stop|start|kill|restart agent|vswitchd|ovsdb|control-plane [DPU] [--no-wait]

stop sends SIGTERM, kill sends SIGKILL; both return when the process is gone. start and restart return when it is
ready; with --no-wait, as soon as an agent or the control plane has been launched. Without a DPU: on all of them.
USAGE
}

lab_process() {
  local verb=$1 what=${2:-} wait=yes first=1 last=$DPUS
  [[ ${!#} != --no-wait ]] || { wait=no && set -- "${@:1:$#-1}"; }
  check_process_name "$verb" "$what"
  (($# <= 3)) || usage_error "$verb: too many arguments"
  if [[ $what == control-plane ]]; then
    (($# == 2)) || usage_error "$verb control-plane takes no DPU"
    last=1
  elif (($# == 3)); then
    parse_dpu "$3"
    first=$DPU last=$DPU
  fi
  lock_lab
  [[ $verb == start ]] || end_range "$what" "$first" "$last" "$([[ $verb == kill ]] && echo KILL || echo TERM)"
  [[ $verb == stop || $verb == kill ]] || start_range "$what" "$first" "$last" "$wait"
}

check_process_name() {
  case $2 in
    agent | vswitchd | ovsdb | control-plane) ;;
    '') usage_error "$1: what? one of agent, vswitchd, ovsdb, control-plane" ;;
    *) usage_error "$1: '$2' is none of agent, vswitchd, ovsdb, control-plane" ;;
  esac
}

# process_folder WHAT N: where its record and its log are.
process_folder() { if [[ $1 == control-plane ]]; then control_dir; else dpu_dir "$2"; fi; }

end_range() {
  local n
  for ((n = $2; n <= $3; n++)); do
    end_process "$(process_folder "$1" "$n")/$1.pid" "$4"
  done
}

# start_range WHAT FIRST LAST WAIT: all of them start, and only then each is waited for.
start_range() {
  local n
  for ((n = $2; n <= $3; n++)); do start_one "$1" "$n"; done
  [[ $4 == yes ]] || return 0
  for ((n = $2; n <= $3; n++)); do wait_one "$1" "$n"; done
}

start_one() {
  case $1 in
    ovsdb) start_ovsdb "$2" ;;
    vswitchd) start_vswitchd "$2" ;;
    agent) require_built && start_agent "$2" ;;
    control-plane) require_built && start_control_plane ;;
  esac
}

wait_one() {
  case $1 in
    agent) wait_agent_ready "$2" ;;
    control-plane) wait_control_plane_ready ;;
  esac
}

# lab logs WHAT [DPU] [--follow]
lab_logs() {
  local what=${1:-} n=1 follow=() log
  check_process_name logs "$what"
  shift
  while (($#)); do
    case $1 in
      --follow | -f) follow=(--follow=name) ;;
      *) parse_dpu "$1" && n=$DPU ;;
    esac
    shift
  done
  log=$(log_file "$what" "$n")
  [[ -f $log ]] || die "no log yet: $log"
  exec tail --lines=+1 "${follow[@]}" "$log"
}

log_file() {
  local -A names=([ovsdb]=ovsdb-server [vswitchd]=ovs-vswitchd)
  printf '%s/%s.log' "$(process_folder "$1" "$2")" "${names[$1]:-$1}"
}
