# shellcheck shell=bash
# Processes of the lab. Each has a record, FOLDER/WHAT.pid = "pid starttime": a pid alone may be somebody else's by now.

readonly STOP_TIMEOUT=30

# start_time PID: field 22 of /proc/PID/stat (clock ticks since boot); fails when there is no such process.
start_time() {
  local stat fields
  { stat=$(<"/proc/$1/stat"); } 2>/dev/null || return
  read -ra fields <<<"${stat##*) }"
  # A zombie has ended.
  [[ ${fields[0]} != Z ]] || return
  printf '%s' "${fields[19]}"
}

record_process() { printf '%s %s\n' "$2" "$(start_time "$2")" >"$1"; }

# running_pid RECORD: prints the pid; fails unless exactly that process still runs.
running_pid() {
  local pid started
  [[ -f $1 ]] && read -r pid started <"$1" || return
  [[ -n $started && $(start_time "$pid") == "$started" ]] || return
  printf '%s' "$pid"
}

# spawn RECORD LOG PLACE COMMAND…: in the background, in its own session, without the locks of lab and archives.
spawn() {
  local record=$1 log=$2 namespace=$LAB_NAME-$3
  shift 3
  setsid ip netns exec "$namespace" "$@" </dev/null >>"$log" 2>&1 8<&- 9<&- &
  record_process "$record" $!
}

# end_process RECORD SIGNAL: and wait until it is gone. Does nothing when it does not run.
end_process() {
  local record=$1 signal=$2 pid
  if pid=$(running_pid "$record"); then
    kill -s "$signal" "$pid" 2>/dev/null || true
    if ! wait_for_exit "$record" "$STOP_TIMEOUT"; then
      warn "pid $pid ($(basename "$record" .pid)) still runs ${STOP_TIMEOUT} s after SIG$signal"
      return 1
    fi
  fi
  rm -f "$record"
}

# pidwait sleeps on a pidfd, it does not poll; that it found no process is as good as that one ended.
wait_for_exit() {
  timeout "$2" pidwait --pidfile "$1" 2>/dev/null || true
  ! running_pid "$1" >/dev/null
}
