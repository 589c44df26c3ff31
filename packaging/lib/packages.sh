# shellcheck shell=bash
# Debian packages: installed when missing, with a clear error where that is not possible.

readonly LAB_PACKAGES=(ethtool iproute2 iputils-ping nftables openssl openvswitch-switch procps traceroute)
readonly BUILD_PACKAGES=(maven openjdk-17-jdk-headless)
readonly TEST_PACKAGES=(isc-dhcp-client lldpd ndisc6 openssl postgresql shellcheck softhsm2 tcpdump udhcpc user-mode-linux)

# ensure_packages NAME…: does nothing when all are there.
ensure_packages() {
  local installed package missing=()
  installed=$(dpkg-query --show --showformat='${Package}=${db:Status-Status}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    [[ $'\n'$installed$'\n' == *$'\n'"$package=installed"$'\n'* ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  install_packages "${missing[@]}"
}

install_packages() {
  ((EUID == 0)) || die "missing Debian packages, and only root can install them: apt-get install $*"
  command -v apt-get >/dev/null || die "missing packages, and this is no Debian to install them on: $*"
  say "Installing Debian packages: $*"
  export DEBIAN_FRONTEND=noninteractive
  apt-get install --yes --quiet --no-install-recommends "$@" >/dev/null 2>&1 && return
  # The lists may be old or absent, as in a fresh container.
  apt-get update --quiet >/dev/null || die "apt-get update failed; still missing: $*"
  apt-get install --yes --quiet --no-install-recommends "$@" >/dev/null || die "apt-get could not install: $*"
}
