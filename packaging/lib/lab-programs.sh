# shellcheck shell=bash
# Gatehouse's own programs in the lab: their configuration files, how they start, and when they are ready.

LIB=${GATEHOUSE_LIB:-$PACKAGING/target/lib} CDS=${GATEHOUSE_CDS:-$PACKAGING/target/cds}
readonly BIN=$PACKAGING/bin LIB CDS READY_TIMEOUT=120 RECORD_TIMEOUT=600

# Files that are there stay as they are: people edit them and restart the program.
ensure_configs() {
  local n
  mkdir -p "$(control_dir)"
  write_once "$(control_dir)/control-plane.yaml" control_plane_yaml
  for ((n = 1; n <= DPUS; n++)); do
    mkdir -p "$(dpu_dir "$n")/state"
    write_once "$(dpu_dir "$n")/agent.yaml" agent_yaml "$n"
  done
}

# write_once FILE COMMAND…: whole or not at all.
write_once() {
  [[ ! -f $1 ]] || return 0
  "${@:2}" >"$1.new"
  mv "$1.new" "$1"
}

agent_yaml() {
  local n=$1 dir functions
  dir=$(dpu_dir "$n")
  functions=$(printf ', %s' "${FUNCTIONS[@]}")
  cat <<YAML
dpu: dpu$n
control_plane:
  target: "$(control_target)"
  server_name: $SERVER_NAME
identity: {directory: $dir/identity, token_file: $dir/token, enrollment_target: "$(enrollment_target)"}
ovs: {database: "unix:$dir/db.sock", run_directory: $dir}
datapath: netdev
vtep: {address: "$(vtep_address "$n")", underlay_mtu: $UNDERLAY_MTU}
underlay: {device: br-phy, address: "$(vtep_address "$n")/$(prefix_length)", gateway: "$(leaf_gateway "$n")"}
functions: {by_name: [${functions:2}], uplink: up0}
lldp: {socket: $dir/lldpd.sock}
state_directory: $dir/state
socket: $dir/agent.sock
observe: {address: 127.0.0.1, port: $AGENT_OBSERVE_PORT}
log: {format: text, level: info}
YAML
}

control_plane_yaml() {
  cat <<YAML
listen: {address: "$(control_address)", port: $CONTROL_PORT}
enrollment: {listen: {port: $ENROLLMENT_PORT}}
pki: {directory: $(control_dir)/pki, server_names: [$SERVER_NAME, "$(control_address)"]}
trust_domain: $TRUST_DOMAIN
journal: {url: "jdbc:sqlite:$(control_dir)/journal.db"}
observe: {address: 127.0.0.1, port: $CONTROL_OBSERVE_PORT}
log: {format: text, level: info}
YAML
}

require_built() {
  compgen -G "$LIB/*.jar" >/dev/null ||
    die "the programs are not built; run: mvn package (or packaging/demo), or take the network alone: lab up --no-agents"
}

# Programs start twice as fast from an archive of their classes. A build's first lab records it, and a lab that is
# made at the same time waits for that.
ensure_class_archives() {
  has_class_archives && return
  # What runs already is not stopped for it.
  running_pid "$(control_dir)/control-plane.pid" >/dev/null && return
  running_pid "$(dpu_dir 1)/agent.pid" >/dev/null && return
  mkdir -p "$CDS"
  exec 8<"$CDS"
  flock --timeout "$RECORD_TIMEOUT" 8 || die "another lab has been recording archives of classes for $RECORD_TIMEOUT s"
  has_class_archives || record_class_archives
  exec 8<&-
}

# Everything is started once, does its work, and lists what it loads; then the archives of that are written.
record_class_archives() {
  local program
  say 'First start of this build: recording archives of classes, for fast starts later.'
  export GATEHOUSE_CDS_RECORD=classes
  start_range control-plane 1 1 yes
  ensure_operator
  ensure_enrolled 1 1
  start_range agent 1 1 yes
  in_netns control env GATEHOUSE_CONTEXT="$(control_dir)/context.yaml" "$BIN/gatehouse" status >/dev/null || true
  end_range agent 1 1 TERM
  end_range control-plane 1 1 TERM
  export GATEHOUSE_CDS_RECORD=archive
  for program in gatehouse-control-plane gatehouse-agent gatehouse; do
    "$BIN/$program" >/dev/null || die "no archive of the classes of $program"
  done
  unset GATEHOUSE_CDS_RECORD
}

has_class_archives() {
  has_class_archive gatehouse-control-plane && has_class_archive gatehouse-agent && has_class_archive gatehouse
}

# has_class_archive NAME: for any Java, newer than every jar.
has_class_archive() {
  [[ -n $(find "$CDS" -name "$1-[0-9]*.jsa" -print -quit 2>/dev/null) ]] &&
    [[ -z $(find "$LIB" -name '*.jar' -newer "$CDS" -print -quit) ]]
}

start_control_plane() {
  local dir
  dir=$(control_dir)
  running_pid "$dir/control-plane.pid" >/dev/null && return
  spawn "$dir/control-plane.pid" "$dir/control-plane.log" control "$BIN/gatehouse-control-plane" run --config "$dir/control-plane.yaml"
}

start_agent() {
  local dir
  dir=$(dpu_dir "$1")
  running_pid "$dir/agent.pid" >/dev/null && return
  spawn "$dir/agent.pid" "$dir/agent.log" "dpu$1" "$BIN/gatehouse-agent" run --config "$dir/agent.yaml"
}

# wait_ready RECORD LOG PLACE PORT: until /readyz answers 200. There is no event to wait for from outside.
wait_ready() {
  local record=$1 log=$2 deadline=$((SECONDS + READY_TIMEOUT))
  until is_ready "$3" "$4"; do
    if ! running_pid "$record" >/dev/null; then
      tail --lines=20 "$log" >&2
      die "$3: $(basename "$record" .pid) ended by itself; the whole log: $log"
    fi
    if ((SECONDS >= deadline)); then
      tail --lines=20 "$log" >&2
      die "$3: $(basename "$record" .pid) is not ready after $READY_TIMEOUT s; the whole log: $log"
    fi
    sleep 0.1
  done
}

is_ready() {
  # shellcheck disable=SC2016 # for the inner shell
  in_netns "$1" timeout 2 bash -c '
    exec 3<>"/dev/tcp/127.0.0.1/$1"
    printf "GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n" >&3
    read -r _ status _ <&3
    [[ $status == 200 ]]' _ "$2" 2>/dev/null
}

wait_control_plane_ready() {
  wait_ready "$(control_dir)/control-plane.pid" "$(control_dir)/control-plane.log" control "$CONTROL_OBSERVE_PORT"
}

wait_agent_ready() {
  wait_ready "$(dpu_dir "$1")/agent.pid" "$(dpu_dir "$1")/agent.log" "dpu$1" "$AGENT_OBSERVE_PORT"
}
