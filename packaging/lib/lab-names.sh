# shellcheck shell=bash
# Names, addresses and folders of a lab: the only place that knows them. docs/lab.md is the same for people.

LAB_NAME=${GATEHOUSE_LAB_NAME:-gh}
LAB_ROOT=${GATEHOUSE_LAB_DIR:-/run/gatehouse-lab}
LAB_DIR=$LAB_ROOT/$LAB_NAME
readonly LAB_NAME LAB_ROOT LAB_DIR

readonly FUNCTIONS=(pf0vf0 pf0vf1 pf0vf2 pf0vf3)
readonly SERVER_NAME=control-plane.gatehouse.test TRUST_DOMAIN=gatehouse.test
readonly CONTROL_PORT=8443 ENROLLMENT_PORT=8444 AGENT_OBSERVE_PORT=9464 CONTROL_OBSERVE_PORT=9465
readonly MAX_DPUS=64

# Settings of the running lab, fixed by `up` and kept in lab.conf.
DPUS=3 UNDERLAY=v4 UNDERLAY_MTU=1500

check_lab_name() {
  [[ $LAB_NAME =~ ^[a-z][a-z0-9]{0,7}$ ]] || die "GATEHOUSE_LAB_NAME=$LAB_NAME: not 1 to 8 of a-z and 0-9, starting with a letter"
  # A Unix socket's path has at most 107 bytes; the longest one here is dpu64/ovs-vswitchd.1234567.ctl.
  ((${#LAB_DIR} <= 70)) || die "GATEHOUSE_LAB_DIR: $LAB_ROOT is too long for socket paths inside it"
}

lab_is_up() { [[ -f $LAB_DIR/lab.conf ]]; }

save_settings() {
  mkdir -p "$LAB_DIR"
  printf '%s=%s\n' dpus "$DPUS" underlay "$UNDERLAY" mtu "$UNDERLAY_MTU" >"$LAB_DIR/lab.conf"
}

load_settings() {
  local key value
  lab_is_up || { warn "no lab '$LAB_NAME' is running; start it with: packaging/lab up"; exit "$EXIT_NO_LAB"; }
  while IFS='=' read -r key value; do
    case $key in
      dpus) DPUS=$value ;;
      underlay) UNDERLAY=$value ;;
      mtu) UNDERLAY_MTU=$value ;;
    esac
  done <"$LAB_DIR/lab.conf"
}

# One command at a time changes a lab. The lock is its folder; `down` removes that, so look again after waiting.
lock_lab() {
  while :; do
    mkdir -p "$LAB_DIR"
    exec 9<"$LAB_DIR"
    flock --timeout 120 9 || die "another command has been changing lab '$LAB_NAME' for 120 s"
    [[ ! /proc/self/fd/9 -ef $LAB_DIR ]] || return 0
  done
}

netns_exists() { [[ -e /run/netns/$LAB_NAME-$1 ]]; }
dpu_dir() { printf '%s/dpu%s' "$LAB_DIR" "$1"; }
control_dir() { printf '%s/control' "$LAB_DIR"; }

# Each takes a DPU's number. v4: 172.16.N.0/24 per DPU, 172.30.N.0/30 leaf to spine, 172.31.0.0/24 control.
by_family() { if [[ $UNDERLAY == v6 ]]; then printf '%s' "$2"; else printf '%s' "$1"; fi; }
prefix_length() { by_family 24 64; }
vtep_address() { by_family "172.16.$1.1" "fd16:0:0:$1::1"; }
leaf_gateway() { by_family "172.16.$1.254" "fd16:0:0:$1::fe"; }
dpu_subnet() { by_family "172.16.$1.0/24" "fd16:0:0:$1::/64"; }
leaf_side() { by_family "172.30.$1.2" "fd30:0:0:$1::2"; }
spine_side() { by_family "172.30.$1.1" "fd30:0:0:$1::1"; }
control_address() { by_family 172.31.0.1 fd31::1; }
control_gateway() { by_family 172.31.0.254 fd31::fe; }
control_target() { by_family "$(control_address):$CONTROL_PORT" "[$(control_address)]:$CONTROL_PORT"; }
enrollment_target() { by_family "$(control_address):$ENROLLMENT_PORT" "[$(control_address)]:$ENROLLMENT_PORT"; }
# What VXLAN leaves of the underlay's MTU.
tenant_mtu() { printf '%s' $((UNDERLAY_MTU - $(by_family 50 70))); }

# Reads "2" or "dpu2"; sets DPU to the number.
parse_dpu() {
  DPU=${1#dpu}
  [[ $DPU =~ ^[1-9][0-9]*$ ]] && ((DPU <= DPUS)) && return
  die "unknown DPU '$1'; known: $(seq --format=dpu%g --separator=' ' 1 "$DPUS")"
}

known_places() {
  local path
  for path in /run/netns/"$LAB_NAME"-*; do
    [[ ! -e $path ]] || printf '%s\n' "${path#"/run/netns/$LAB_NAME-"}"
  done | sort --version-sort
}
