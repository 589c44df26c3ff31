# shellcheck shell=bash
# Builds the programs when their sources are newer, and shows that a long command is alive.

REPOSITORY=$(dirname "$PACKAGING")
readonly REPOSITORY BUILD_MARK=$PACKAGING/target/built

# Tests are not compiled: packaging/test is for them.
build_programs() {
  if is_built; then
    say 'The programs are built already.'
    return
  fi
  mkdir -p "$PACKAGING/target"
  local log=$PACKAGING/target/build.log
  # Jars of versions that are no longer used would stay on the class path.
  rm -rf "$PACKAGING/target/lib"
  with_progress 'mvn package (a first build also downloads: minutes)' "$log" \
    mvn --batch-mode --no-transfer-progress --file "$REPOSITORY/pom.xml" -Dmaven.test.skip=true package
  touch "$BUILD_MARK"
}

is_built() {
  [[ -f $BUILD_MARK ]] && compgen -G "$PACKAGING/target/lib/*.jar" >/dev/null || return
  [[ -z $(find "$REPOSITORY"/{pom.xml,proto,agent,control-plane,packaging/pom.xml} -path '*/target' -prune -o -type f -newer "$BUILD_MARK" -print -quit) ]]
}

# with_progress WHAT LOG COMMAND…: runs an external command, its output into the log; ends the script if it fails.
with_progress() {
  local what=$1 log=$2 start=$SECONDS ticker status=0
  shift 2
  : >"$log"
  tick "$what" "$log" &
  ticker=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  [[ ! -t 1 ]] || printf '\r\e[K'
  if ((status)); then
    tail --lines=30 "$log" >&2
    die "failed: $what; the whole log: $log"
  fi
  say "$what: done in $((SECONDS - start)) s"
}

# Says how long it has been, and what Maven builds now: each second on a terminal, else every 15 s.
tick() {
  local what=$1 log=$2 start=$SECONDS module
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    module=$(grep -o 'Building Gatehouse.*' "$log" | tail --lines=1 || true)
    if [[ -t 1 ]]; then
      printf '\r\e[K%s … %d s  %s' "$what" $((SECONDS - start)) "$DIM${module#Building }$PLAIN"
    elif (((SECONDS - start) % 15 == 0)); then
      say "$what … $((SECONDS - start)) s  ${module#Building }"
    fi
  done
}
