# shellcheck shell=bash
# The whole lab: made, completed, taken away.

up_usage() {
  cat <<USAGE
usage: lab up [--dpus N] [--no-agents] [--underlay v4|v6] [--mtu BYTES]

  --dpus N       1 to $MAX_DPUS DPUs (default 3); a running lab can grow, not shrink
  --no-agents    the network and Open vSwitch alone: neither agents nor the control plane
  --underlay F   v4 (default) or v6: addresses of the VTEPs and of the control plane
  --mtu BYTES    1280 to 9216, MTU of the underlay (default 1500)

Safe to repeat: what is there stays, what is missing or has died is started.
USAGE
}

lab_up() {
  local dpus='' underlay='' mtu='' programs=yes running=no
  while (($#)); do
    [[ $1 == --no-agents || $# -ge 2 ]] || usage_error "up: '$1' is no option, or lacks its value"
    case $1 in
      --no-agents) programs=no ;;
      --dpus) dpus=$2 ;;
      --underlay) underlay=$2 ;;
      --mtu) mtu=$2 ;;
      *) usage_error "up: unknown option $1" ;;
    esac
    [[ $1 == --no-agents ]] && shift || shift 2
  done
  check_wishes "$dpus" "$underlay" "$mtu"
  require_root
  ensure_packages "${LAB_PACKAGES[@]}"
  [[ $programs == no ]] || require_built
  lock_lab
  if lab_is_up; then
    running=yes
    load_settings
  fi
  settle "$running" "$dpus" "$underlay" "$mtu"
  save_settings
  make_network
  [[ $programs == no ]] || start_programs
  [[ $running == no ]] || say "Lab '$LAB_NAME' was there already; checked and completed."
  show_processes
}

check_wishes() {
  check_range --dpus "${1:-3}" 1 "$MAX_DPUS"
  check_range --mtu "${3:-1500}" 1280 9216
  [[ -z $2 || $2 == v4 || $2 == v6 ]] || usage_error "up: --underlay $2 is neither v4 nor v6"
}

check_range() {
  [[ $2 =~ ^[0-9]{1,9}$ ]] && ((10#$2 >= $3 && 10#$2 <= $4)) || usage_error "up: $1 $2 is outside $3..$4"
}

# settle RUNNING DPUS UNDERLAY MTU: takes the wishes, unless a running lab cannot follow them.
settle() {
  if [[ $1 == yes ]]; then
    [[ -z $3 || $3 == "$UNDERLAY" ]] || die "lab '$LAB_NAME' runs with underlay $UNDERLAY; first: lab down"
    [[ -z $4 || $4 == "$UNDERLAY_MTU" ]] || die "lab '$LAB_NAME' runs with MTU $UNDERLAY_MTU; first: lab down"
    [[ -z $2 ]] || (($2 >= DPUS)) || die "lab '$LAB_NAME' runs with $DPUS DPUs and cannot shrink to $2; first: lab down"
  fi
  DPUS=${2:-$DPUS} UNDERLAY=${3:-$UNDERLAY} UNDERLAY_MTU=${4:-$UNDERLAY_MTU}
}

make_network() {
  local n jobs=() job
  ensure_configs
  ensure_spine
  for ((n = 1; n <= DPUS; n++)); do
    make_dpu "$n" &
    jobs+=($!)
  done
  for job in "${jobs[@]}"; do
    wait "$job" || die "lab '$LAB_NAME' is not complete; the reason stands above. Try again, or: lab down"
  done
  disable_offloads fabric
}

make_dpu() {
  ensure_leaf "$1"
  ensure_dpu_links "$1"
  start_ovsdb "$1"
  start_vswitchd "$1"
  ensure_underlay "$1"
}

# Agents keep trying until the control plane is there; started last, they find it at once.
start_programs() {
  ensure_class_archives
  start_range control-plane 1 1 yes
  ensure_operator
  ensure_enrolled 1 "$DPUS"
  start_range agent 1 "$DPUS" yes
  await_enrolled 1 "$DPUS"
}

# Needs no settings: what a broken `up` left behind goes as well.
lab_down() {
  local record
  require_root
  if [[ ! -d $LAB_DIR && -z $(known_places) ]]; then
    say "No lab '$LAB_NAME' is here."
    return
  fi
  lock_lab
  adopt_ovs_daemons
  # Agents first, or they would repair what is being taken apart; the databases last.
  for record in "$LAB_DIR"/*/agent.pid "$LAB_DIR"/control/control-plane.pid "$LAB_DIR"/*/vswitchd.pid "$LAB_DIR"/*/ovsdb.pid; do
    end_process "$record" TERM || end_process "$record" KILL
  done
  remove_network
  rm -rf "$LAB_DIR"
  rmdir "$LAB_ROOT" 2>/dev/null || true
  say "Lab '$LAB_NAME' is gone."
}

# lab_exec PLACE COMMAND…: in every place the tools find their sockets and certificates without options.
lab_exec() {
  local place=${1:-} variables=("PATH=$BIN:$PATH" "GATEHOUSE_CONTEXT=$(control_dir)/context.yaml")
  [[ -n $place ]] || usage_error "exec: where?"
  netns_exists "$place" || die "unknown place '$place'; known: $(known_places | tr '\n' ' ')"
  (($# >= 2)) || usage_error "exec $place: which command?"
  if [[ $place =~ ^dpu[0-9]+$ ]]; then
    variables+=("OVS_RUNDIR=$LAB_DIR/$place" "OVS_DBDIR=$LAB_DIR/$place" "GATEHOUSE_AGENT_SOCKET=$LAB_DIR/$place/agent.sock")
  fi
  exec ip netns exec "$LAB_NAME-$place" env "${variables[@]}" "${@:2}"
}

lab_hop() {
  (($# == 2)) || usage_error "hop: takes a DPU and an MTU"
  parse_dpu "$1"
  check_range mtu "$2" 68 65535
  set_hop_mtu "$DPU" "$2"
}

lab_uplink() {
  (($# == 2)) || usage_error "uplink: takes a DPU and an MTU"
  parse_dpu "$1"
  check_range mtu "$2" 1280 9216
  set_hop_mtu "$DPU" "$2"
  set_uplink_mtu "$DPU" "$2"
}
