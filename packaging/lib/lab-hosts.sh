# shellcheck shell=bash
# Tenant hosts: a namespace each, at the far end of one function of one DPU.

host_record() { printf '%s/hosts/%s' "$LAB_DIR" "$1"; }

host_usage() {
  cat <<'USAGE'
usage: lab host add NAME --dpu N --function F --mac MAC --ip ADDRESS/LENGTH [--ip …] [--mtu BYTES]
       lab host del NAME
       lab host list

Gives function F (pf0vf0 to pf0vf3) of DPU N to a new host: a network namespace with one interface, eth0.
--mtu defaults to the largest IP packet that VXLAN carries over this lab's underlay.
USAGE
}

lab_host() {
  local action=${1:-}
  [[ -z $action ]] || shift
  case $action in
    add) host_add "$@" ;;
    del) host_del "$@" ;;
    list) host_list ;;
    *) usage_error "host: '$action' is none of add, del, list" ;;
  esac
}

host_add() {
  local name=${1:-} dpu='' function='' mac='' mtu ips=()
  mtu=$(tenant_mtu)
  [[ -z $name ]] || shift
  while (($#)); do
    [[ $# -ge 2 ]] || usage_error "host add: $1 needs a value"
    case $1 in
      --dpu) dpu=$2 ;;
      --function) function=$2 ;;
      --mac) mac=${2,,} ;;
      --ip) ips+=("$2") ;;
      --mtu) mtu=$2 ;;
      *) usage_error "host add: unknown option $1" ;;
    esac
    shift 2
  done
  check_host "$name" "$dpu" "$function" "$mac" "$mtu" "${ips[@]}"
  lock_lab
  host_is_new "$name" "dpu$DPU $function $mac $mtu ${ips[*]}" || return 0
  make_host "$name" "$DPU" "$function" "$mac" "$mtu" "${ips[@]}" || {
    remove_host "$name" "$DPU" "$function"
    die "host $name: not made"
  }
  mkdir -p "$LAB_DIR/hosts"
  printf '%s\n' "dpu$DPU $function $mac $mtu ${ips[*]}" >"$(host_record "$name")"
}

# check_host NAME DPU FUNCTION MAC MTU IP…: sets DPU.
check_host() {
  local ip
  [[ $1 =~ ^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$ ]] || usage_error "host add: name '$1' is not 1 to 32 of a-z, 0-9 and -, starting with a letter"
  [[ ! $1 =~ ^(control|fabric|(dpu|fab|server)[0-9]+)$ ]] || usage_error "host add: the name '$1' is the lab's own"
  [[ -n $2 ]] || usage_error "host add: --dpu is missing"
  parse_dpu "$2"
  [[ " ${FUNCTIONS[*]} " == *" $3 "* ]] || usage_error "host add: unknown function '$3'; known: ${FUNCTIONS[*]}"
  [[ $4 =~ ^[0-9a-f][02468ace](:[0-9a-f]{2}){5}$ ]] || usage_error "host add: --mac '$4' is no unicast MAC address"
  [[ $5 =~ ^[0-9]+$ ]] && (($5 >= 68 && $5 <= 65535)) || usage_error "host add: --mtu '$5' is outside 68..65535"
  for ip in "${@:6}"; do
    [[ $ip =~ ^[0-9a-fA-F.:]+/[0-9]+$ ]] || usage_error "host add: --ip '$ip' is no ADDRESS/LENGTH"
  done
}

# host_is_new NAME RECORD: fails when exactly that host is there already; ends the command when another one is.
host_is_new() {
  local record function
  record=$(host_record "$1")
  if [[ -f $record ]]; then
    [[ $(<"$record") == "$2" ]] || die "host $1 is there already, as: $(<"$record"); remove it first: lab host del $1"
    return 1
  fi
  read -r _ function _ <<<"$2"
  link_exists "server$DPU" "$function" || die "dpu$DPU $function is taken by host $(host_at "dpu$DPU" "$function")"
}

# host_at DPU FUNCTION: the host that has it; fails when none has.
host_at() {
  local record dpu function
  for record in "$LAB_DIR"/hosts/*; do
    [[ -f $record ]] || continue
    read -r dpu function _ <"$record"
    [[ $dpu != "$1" || $function != "$2" ]] || { basename "$record"; return 0; }
  done
  return 1
}

make_host() {
  local name=$1 n=$2 function=$3 mac=$4 mtu=$5 ip
  ensure_netns "$name" &&
    in_netns "$name" sysctl --quiet --write net.ipv6.conf.default.accept_dad=0 &&
    ip -n "$LAB_NAME-server$n" link set dev "$function" netns "$LAB_NAME-$name" name eth0 address "$mac" mtu "$mtu" ||
    return
  for ip in "${@:6}"; do
    ensure_address "$name" eth0 "$ip" || return
  done
  ip -n "$LAB_NAME-$name" link set dev eth0 up
}

host_del() {
  local name=${1:-} dpu function
  [[ -n $name ]] || usage_error "host del: which one?"
  [[ -f $(host_record "$name") ]] || die "unknown host '$name'; known: $(host_names)"
  lock_lab
  read -r dpu function _ <"$(host_record "$name")"
  remove_host "$name" "${dpu#dpu}" "$function"
  rm -f "$(host_record "$name")"
}

# The function goes back to the server first: with the namespace it would die, and its DPU's end with it.
remove_host() {
  if link_exists "$1" eth0; then
    ip -n "$LAB_NAME-$1" link set dev eth0 netns "$LAB_NAME-server$2" name "$3" mtu "$UNDERLAY_MTU"
  fi
  netns_exists "$1" || return 0
  report_leftovers "$1"
  ip netns delete "$LAB_NAME-$1"
}

host_names() {
  local record names=()
  for record in "$LAB_DIR"/hosts/*; do
    [[ ! -f $record ]] || names+=("${record##*/}")
  done
  printf '%s' "${names[*]:-none}"
}

host_list() {
  local record dpu function mac mtu ips
  printf '%-14s %-6s %-9s %-18s %-6s %s\n' HOST DPU FUNCTION MAC MTU ADDRESSES
  for record in "$LAB_DIR"/hosts/*; do
    [[ -f $record ]] || continue
    read -r dpu function mac mtu ips <"$record"
    printf '%-14s %-6s %-9s %-18s %-6s %s\n' "${record##*/}" "$dpu" "$function" "$mac" "$mtu" "$ips"
  done
}
