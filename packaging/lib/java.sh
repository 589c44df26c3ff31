# shellcheck shell=bash
# How the programs are started: which Java, which class path, which options. Sourced by the launchers in bin/.

launcher_dir=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# In the source tree the build puts the jars into target/lib; a package puts them beside this file.
GATEHOUSE_LIB=${GATEHOUSE_LIB:-$launcher_dir/../target/lib}
GATEHOUSE_CDS=${GATEHOUSE_CDS:-$launcher_dir/../target/cds}

find_java() {
  if [[ -n ${JAVA_HOME:-} ]]; then
    JAVA=$JAVA_HOME/bin/java
    [[ -x $JAVA ]] || launch_error "JAVA_HOME=$JAVA_HOME has no bin/java"
    return
  fi
  JAVA=$(command -v java) || launch_error "no java: set JAVA_HOME, or install openjdk-17-jre-headless"
}

# Major version, from the file that every JDK carries; asking java itself would cost a start of it.
java_major() {
  local release version=''
  release=$(dirname "$(dirname "$(readlink -f "$JAVA")")")/release
  [[ ! -r $release ]] || version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$release")
  [[ -n $version ]] || version=$("$JAVA" -version 2>&1 | sed -n '1s/.*"\([0-9]*\).*/\1/p')
  ((version >= 17)) || launch_error "$JAVA is version ${version:-unknown}; needed is 17 or later"
  printf '%s' "$version"
}

launch_error() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# launch MAIN_CLASS OPTIONS -- ARGUMENTS: becomes the program. GATEHOUSE_JAVA_OPTS is added last, so that it wins.
# Netty's events for the flight recorder make the JVM start that, also when nobody records.
launch() {
  local main=$1 name=${0##*/} major extra options=(-XX:+UseSerialGC -XX:-UsePerfData -XX:+ExitOnOutOfMemoryError -Dio.netty.jfr.enabled=false)
  shift
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  find_java
  major=$(java_major)
  compgen -G "$GATEHOUSE_LIB/*.jar" >/dev/null || launch_error "no jars in $GATEHOUSE_LIB; build them: mvn package"
  ((major < 22)) || options+=(--enable-native-access=ALL-UNNAMED)
  ((major < 24)) || options+=(--sun-misc-unsafe-memory-access=allow)
  add_class_archive "$name-$major.jsa"
  read -ra extra <<<"${GATEHOUSE_JAVA_OPTS:-}"
  exec "$JAVA" "${options[@]}" "${extra[@]}" -cp "$GATEHOUSE_LIB/*" "$main" "$@"
}

# An archive of loaded classes halves the start. One of another build or another Java is ignored, silently.
# It is made by two runs: GATEHOUSE_CDS_RECORD=classes lists what a run of the program loads, and =archive writes the
# archive of that and starts nothing. What a run writes when it ends would lack old class files, such as picocli's.
add_class_archive() {
  local archive=$GATEHOUSE_CDS/$1
  case ${GATEHOUSE_CDS_RECORD:-} in
    classes)
      mkdir -p "$GATEHOUSE_CDS"
      options+=("-XX:DumpLoadedClassList=$archive.classes")
      ;;
    archive) options+=(-Xshare:dump "-XX:SharedClassListFile=$archive.classes" "-XX:SharedArchiveFile=$archive" -Xmx512m -Xlog:disable) ;;
    *) [[ ! -f $archive ]] || options+=(-Xshare:auto "-XX:SharedArchiveFile=$archive" -Xlog:cds=off -Xlog:cds+dynamic=off) ;;
  esac
}
