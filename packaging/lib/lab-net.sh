# shellcheck shell=bash
# Namespaces, veth pairs, and the routed underlay: one leaf per DPU, one spine. Every step can be repeated.

ensure_netns() {
  netns_exists "$1" || ip netns add "$LAB_NAME-$1"
  ip -n "$LAB_NAME-$1" link set lo up
}

in_netns() {
  local place=$1
  shift
  ip netns exec "$LAB_NAME-$place" "$@"
}

link_exists() { ip -n "$LAB_NAME-$1" link show dev "$2" >/dev/null 2>&1; }

# ensure_veth PLACE_A LINK_A PLACE_B LINK_B MTU: made with both ends down.
ensure_veth() {
  link_exists "$1" "$2" && return
  ip link add name "$2" mtu "$5" netns "$LAB_NAME-$1" type veth peer name "$4" mtu "$5" netns "$LAB_NAME-$3"
}

# disable_offloads PLACE: the kernel leaves checksums and segmentation to a "device" that a veth does not have;
# what OVS's userspace datapath then forwards is a wrong TCP packet, while ping works.
disable_offloads() {
  # shellcheck disable=SC2016 # for the inner shell
  in_netns "$1" bash -c 'for link in $(ip -brief link show type veth | cut -d@ -f1); do
    ethtool -K "$link" tx off tso off gso off gro off >/dev/null
  done'
}

# ensure_address PLACE LINK ADDRESS/LENGTH: and the link up. No waiting for duplicate address detection.
ensure_address() {
  local flags=()
  [[ $3 != *:* ]] || flags=(nodad)
  ip -n "$LAB_NAME-$1" address replace "$3" dev "$2" "${flags[@]}" &&
    ip -n "$LAB_NAME-$1" link set dev "$2" up
}

ensure_route() { ip -n "$LAB_NAME-$1" route replace "$2" via "$3"; }

ensure_forwarding() {
  in_netns "$1" sysctl --quiet --write net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
}

# ensure_guarded PLACE LINK: OVS reads the link; the kernel must not, or it answers for addresses of its own.
ensure_guarded() {
  in_netns "$1" nft --file - <<RULES
table netdev lab_guard
delete table netdev lab_guard
table netdev lab_guard {
  chain ingress {
    type filter hook ingress devices = { $2 } priority -500; policy drop;
  }
}
RULES
  ip -n "$LAB_NAME-$1" link set dev "$2" up
}

ensure_spine() {
  ensure_netns fabric
  ensure_netns control
  ensure_forwarding fabric
  ensure_veth fabric control control eth0 "$UNDERLAY_MTU"
  disable_offloads control
  ensure_address fabric control "$(control_gateway)/$(prefix_length)"
  ensure_address control eth0 "$(control_address)/$(prefix_length)"
  ensure_route control default "$(control_gateway)"
}

# ensure_leaf N: the router of DPU N, between it and the spine.
ensure_leaf() {
  local leaf=fab$1 length
  length=$(by_family 30 64)
  ensure_netns "$leaf"
  ensure_forwarding "$leaf"
  ensure_veth fabric "$leaf" "$leaf" spine "$UNDERLAY_MTU"
  ensure_address fabric "$leaf" "$(spine_side "$1")/$length"
  ensure_address "$leaf" spine "$(leaf_side "$1")/$length"
  ensure_route "$leaf" default "$(spine_side "$1")"
  ensure_route fabric "$(dpu_subnet "$1")" "$(leaf_side "$1")"
}

# ensure_dpu_links N: the DPU's uplink, and its functions with their other ends in the server's namespace.
ensure_dpu_links() {
  local dpu=dpu$1 server=server$1 function
  ensure_netns "$dpu"
  ensure_netns "$server"
  # Before the links are there, so that none of them ever has IPv6 in the DPU's own kernel; br-phy gets it back.
  in_netns "$dpu" sysctl --quiet --write net.ipv6.conf.default.disable_ipv6=1
  ensure_veth "$dpu" up0 "fab$1" dpu "$UNDERLAY_MTU"
  ensure_guarded "$dpu" up0
  ensure_address "fab$1" dpu "$(leaf_gateway "$1")/$(prefix_length)"
  for function in "${FUNCTIONS[@]}"; do
    ensure_veth "$dpu" "$function" "$server" "$function" "$UNDERLAY_MTU"
    ip -n "$LAB_NAME-$dpu" link set dev "$function" up
  done
  disable_offloads "$dpu"
  disable_offloads "$server"
  disable_offloads "fab$1"
}

# set_hop_mtu N MTU: the hop between leaf N and the spine, both ends; later packets feel it at once.
set_hop_mtu() {
  ip -n "$LAB_NAME-fabric" link set dev "fab$1" mtu "$2"
  ip -n "$LAB_NAME-fab$1" link set dev spine mtu "$2"
}

# Links go first: a process that somebody left inside a namespace keeps it, and must not keep a path through it.
remove_network() {
  local place link
  for place in $(known_places); do
    for link in $(ip -n "$LAB_NAME-$place" -brief link show type veth | cut -d@ -f1); do
      ip -n "$LAB_NAME-$place" link delete dev "$link" 2>/dev/null || true
    done
  done
  for place in $(known_places); do
    report_leftovers "$place"
    ip netns delete "$LAB_NAME-$place"
  done
}

report_leftovers() {
  local pid
  for pid in $(ip netns pids "$LAB_NAME-$1" 2>/dev/null); do
    warn "not started by the lab, so left running: pid $pid ($(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)) in $LAB_NAME-$1"
  done
}
