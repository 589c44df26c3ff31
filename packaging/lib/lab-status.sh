# shellcheck shell=bash
# What of the lab runs, and since when; the state of its links.

CLOCK_TICKS=$(getconf CLK_TCK) PAGE_BYTES=$(getconf PAGESIZE)
readonly CLOCK_TICKS PAGE_BYTES

# Exit status: 0, or 3 when a process has ended by itself.
lab_status() {
  local n degraded=0
  show_processes || degraded=1
  printf '\n%s%-24s %-9s %-6s %s%s\n' "$BOLD" LINK STATE MTU LEADS_TO "$PLAIN"
  link_rows control 'eth0 fabric'
  for ((n = 1; n <= DPUS; n++)); do
    dpu_link_rows "$n"
  done
  ((!degraded)) || exit "$EXIT_DEGRADED"
}

# Fails when one of them has died.
show_processes() {
  local n what degraded=0
  say "Lab '$LAB_NAME': $DPUS DPUs, underlay IP$UNDERLAY with MTU $UNDERLAY_MTU, state in $LAB_DIR"
  printf '\n%s%-24s %-9s %-8s %-20s %s%s\n' "$BOLD" PROCESS STATE PID SINCE RSS "$PLAIN"
  process_row control-plane "$(control_dir)/control-plane.pid" || degraded=1
  for ((n = 1; n <= DPUS; n++)); do
    for what in ovsdb vswitchd agent; do
      process_row "dpu$n $what" "$(dpu_dir "$n")/$what.pid" || degraded=1
    done
  done
  return "$degraded"
}

process_row() {
  local pid
  if pid=$(running_pid "$2"); then
    printf '%-24s %-9s %-8s %(%F %T)T  %d MB\n' "$1" running "$pid" "$(started_at "$2")" "$(resident_megabytes "$pid")"
    return
  fi
  if [[ -f $2 ]]; then
    printf '%-24s %s%-9s%s %s\n' "$1" "$RED" died "$PLAIN" "$(cut -d' ' -f1 "$2")"
    return 1
  fi
  printf '%-24s %s\n' "$1" stopped
}

# started_at RECORD: seconds since 1970, from the clock ticks since boot that the record holds.
started_at() {
  local ticks key value
  read -r _ ticks <"$1"
  while read -r key value; do
    [[ $key != btime ]] || printf '%d' $((value + ticks / CLOCK_TICKS))
  done </proc/stat
}

resident_megabytes() {
  local pages
  read -r _ pages _ <"/proc/$1/statm"
  printf '%d' $((pages * PAGE_BYTES / 1048576))
}

dpu_link_rows() {
  local n=$1 function host rows
  rows=("up0 fab$1" "br-phy VTEP $(vtep_address "$n")")
  for function in "${FUNCTIONS[@]}"; do
    if host=$(host_at "dpu$n" "$function"); then
      rows+=("$function host $host: $(cut -d' ' -f3,5- "$(host_record "$host")")")
    else
      rows+=("$function nothing")
    fi
  done
  link_rows "dpu$n" "${rows[@]}"
  link_rows "fab$n" 'spine fabric'
}

# link_rows PLACE "LINK WHERE TO"…
link_rows() {
  local place=$1 row line link state mtu
  local -A links=()
  shift
  while read -r line; do
    [[ $line =~ ^[0-9]+:\ ([^:@]+)[^:]*:\ \<(.*)\>\ mtu\ ([0-9]+) ]] || continue
    links[${BASH_REMATCH[1]}]="$(link_state ",${BASH_REMATCH[2]},") ${BASH_REMATCH[3]}"
  done < <(ip -n "$LAB_NAME-$place" -oneline link show)
  for row in "$@"; do
    link=${row%% *}
    read -r state mtu <<<"${links[$link]:-absent -}"
    printf '%-24s %-9s %-6s %s\n' "$place $link" "$state" "$mtu" "${row#* }"
  done
}

link_state() {
  case $1 in
    *,NO-CARRIER,*) printf 'no-cable' ;;
    *,UP,*) printf 'up' ;;
    *) printf 'down' ;;
  esac
}
