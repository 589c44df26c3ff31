# shellcheck shell=bash
# What of the lab runs, and since when; the state of its links.

# Exit status: 0, or 3 when a process has ended by itself.
lab_status() {
  local n what degraded=0
  say "Lab '$LAB_NAME': $DPUS DPUs, underlay IP$UNDERLAY with MTU $UNDERLAY_MTU, state in $LAB_DIR"
  printf '\n%s%-24s %-9s %-8s %-20s %s%s\n' "$BOLD" PROCESS STATE PID SINCE RSS "$PLAIN"
  process_row control-plane "$(control_dir)/control-plane.pid" || degraded=1
  for ((n = 1; n <= DPUS; n++)); do
    for what in ovsdb vswitchd agent; do
      process_row "dpu$n $what" "$(dpu_dir "$n")/$what.pid" || degraded=1
    done
  done
  printf '\n%s%-24s %-9s %-6s %s%s\n' "$BOLD" LINK STATE MTU LEADS_TO "$PLAIN"
  link_rows control 'eth0 fabric'
  for ((n = 1; n <= DPUS; n++)); do
    dpu_link_rows "$n"
  done
  ((!degraded)) || return "$EXIT_DEGRADED"
}

process_row() {
  local pid since rss
  if pid=$(running_pid "$2"); then
    since=$(date --date="$(ps -o lstart= -p "$pid")" '+%F %T')
    rss=$(ps -o rss= -p "$pid")
    printf '%-24s %-9s %-8s %-20s %d MB\n' "$1" running "$pid" "$since" $((rss / 1024))
    return
  fi
  if [[ -f $2 ]]; then
    printf '%-24s %s%-9s%s %s\n' "$1" "$RED" died "$PLAIN" "$(cut -d' ' -f1 "$2")"
    return 1
  fi
  printf '%-24s %s\n' "$1" stopped
}

dpu_link_rows() {
  local n=$1 function host rows=("up0 fab$1" 'br-phy VTEP')
  rows[1]="br-phy VTEP $(vtep_address "$n")"
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
  local place=$1 link target links
  shift
  links=$(ip -n "$LAB_NAME-$place" -json link show | jq --raw-output '
    .[] | "\(.ifname) \(if .flags | index("NO-CARRIER") then "no-cable" elif .flags | index("UP") then "up" else "down" end) \(.mtu)"')
  while read -r link target; do
    awk -v place="$place" -v link="$link" -v target="$target" '
      $1 == link { found = 1; printf "%-24s %-9s %-6s %s\n", place " " link, $2, $3, target }
      END { if (!found) printf "%-24s %-9s %-6s %s\n", place " " link, "absent", "-", target }' <<<"$links"
  done < <(printf '%s\n' "$@")
}
