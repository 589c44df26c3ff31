# shellcheck shell=bash
# Open vSwitch of each DPU: its own ovsdb-server and ovs-vswitchd, and br-phy that carries the VTEP's address.

readonly OVS_SCHEMA=/usr/share/openvswitch/vswitch.ovsschema

# with_ovs N COMMAND…: in the DPU's namespace, where OVS's own tools find its sockets without options.
with_ovs() {
  local n=$1 dir
  dir=$(dpu_dir "$n")
  shift
  in_netns "dpu$n" env OVS_RUNDIR="$dir" OVS_LOGDIR="$dir" OVS_DBDIR="$dir" OVS_SYSCONFDIR="$dir" "$@"
}

# adopt_ovs_daemon N RECORD PROGRAM: writes the record of a daemon that an interrupted command started without one.
adopt_ovs_daemon() {
  local dir pid
  dir=$(dpu_dir "$1")
  [[ ! -f $dir/$2.pid && -f $dir/$3.pid ]] || return 0
  pid=$(<"$dir/$3.pid")
  if tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF "$3 " && grep -qF "$dir/" "/proc/$pid/cmdline"; then
    record_process "$dir/$2.pid" "$pid"
  fi
}

adopt_ovs_daemons() {
  local dir
  for dir in "$LAB_DIR"/dpu*; do
    adopt_ovs_daemon "${dir##*/dpu}" ovsdb ovsdb-server
    adopt_ovs_daemon "${dir##*/dpu}" vswitchd ovs-vswitchd
  done
}

# Both daemons detach once they serve. Their console and syslog are off: the log file has it all.
start_ovs_daemon() {
  local n=$1 record=$2 program=$3 dir
  dir=$(dpu_dir "$n")
  adopt_ovs_daemon "$n" "$record" "$program"
  shift 3
  running_pid "$dir/$record.pid" >/dev/null && return
  # Left by kill -9: control sockets named after a pid that is no more.
  rm -f "$dir/$program".*.ctl
  with_ovs "$n" "$program" "$@" --pidfile --log-file -vconsole:off -vsyslog:off --detach --no-chdir 9<&- \
    2>>"$dir/$program.log" || die "dpu$n: $program did not start; see $dir/$program.log"
  record_process "$dir/$record.pid" "$(<"$dir/$program.pid")"
}

start_ovsdb() {
  local dir
  dir=$(dpu_dir "$1")
  mkdir -p "$dir"
  [[ -f $dir/conf.db ]] || ovsdb-tool create "$dir/conf.db" "$OVS_SCHEMA"
  start_ovs_daemon "$1" ovsdb ovsdb-server "$dir/conf.db" "--remote=punix:$dir/db.sock" \
    --remote=db:Open_vSwitch,Open_vSwitch,manager_options
  with_ovs "$1" ovs-vsctl --no-wait --timeout=10 init
}

# After a restart br-phy is a new device without addresses: to give it them back is the agent's job.
start_vswitchd() {
  running_pid "$(dpu_dir "$1")/ovsdb.pid" >/dev/null || die "dpu$1: ovs-vswitchd cannot start without ovsdb; first: lab start ovsdb $1"
  start_ovs_daemon "$1" vswitchd ovs-vswitchd "unix:$(dpu_dir "$1")/db.sock"
}

# ensure_underlay N: br-phy joins the uplink and the DPU's own stack, which needs the VTEP's address and a route.
ensure_underlay() {
  local n=$1
  with_ovs "$n" ovs-vsctl --timeout=15 \
    -- --may-exist add-br br-phy \
    -- set bridge br-phy datapath_type=netdev fail_mode=standalone "other_config:hwaddr=$(printf '02:aa:00:00:00:%02x' "$n")" \
    -- --may-exist add-port br-phy up0 \
    -- set interface up0 "mtu_request=$UNDERLAY_MTU" \
    -- set interface br-phy "mtu_request=$UNDERLAY_MTU"
  in_netns "dpu$n" sysctl --quiet --write net.ipv6.conf.br-phy.disable_ipv6=0
  ensure_address "dpu$n" br-phy "$(vtep_address "$n")/$(prefix_length)"
  ensure_route "dpu$n" default "$(leaf_gateway "$n")"
}

# set_uplink_mtu N MTU: the link to the leaf, both ends, and the device with the VTEP's address.
set_uplink_mtu() {
  ip -n "$LAB_NAME-fab$1" link set dev dpu mtu "$2"
  with_ovs "$1" ovs-vsctl --timeout=15 \
    -- set interface up0 "mtu_request=$2" \
    -- set interface br-phy "mtu_request=$2"
}

lab_vsctl() { ovs_tool "$1" ovs-vsctl "${@:2}"; }
lab_ofctl() { ovs_tool "$1" ovs-ofctl --protocols=OpenFlow15 "${@:2}"; }
lab_appctl() { ovs_tool "$1" ovs-appctl "${@:2}"; }

ovs_tool() {
  parse_dpu "$1"
  with_ovs "$DPU" "${@:2}"
}
