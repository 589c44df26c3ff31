# shellcheck shell=bash
# Certificates of the lab: one CA, EC P-256, a year. Made once per lab; `down` removes them, keys and all.

ensure_pki() {
  local pki=$LAB_DIR/pki n
  (umask 077 && mkdir -p "$pki")
  [[ -f $pki/ca.crt ]] || make_ca "$pki"
  ensure_certificate control-plane serverAuth "IP:$(control_address),DNS:$SERVER_NAME"
  ensure_certificate operator clientAuth "URI:spiffe://$TRUST_DOMAIN/operator/admin"
  for ((n = 1; n <= DPUS; n++)); do
    ensure_certificate "dpu$n" clientAuth "URI:spiffe://$TRUST_DOMAIN/dpu/dpu$n"
  done
}

make_ca() {
  make_key "$1/ca.key"
  quiet_openssl req -new -x509 -key "$1/ca.key" -out "$1/ca.crt.new" -days 365 -subj "/O=Gatehouse lab/CN=$LAB_NAME CA" \
    -addext basicConstraints=critical,CA:TRUE,pathlen:0 -addext keyUsage=critical,keyCertSign,cRLSign
  mv "$1/ca.crt.new" "$1/ca.crt"
}

# ensure_certificate NAME USAGE SUBJECT_ALT_NAME: NAME.key and NAME.crt. The name people see is in the SAN alone.
ensure_certificate() {
  local pki=$LAB_DIR/pki name=$1
  [[ ! -f $pki/$name.crt ]] || return 0
  make_key "$pki/$name.key"
  quiet_openssl req -new -key "$pki/$name.key" -out "$pki/$name.csr" -subj "/O=Gatehouse lab/CN=$name"
  quiet_openssl x509 -req -in "$pki/$name.csr" -CA "$pki/ca.crt" -CAkey "$pki/ca.key" -days 365 -out "$pki/$name.crt.new" \
    -set_serial "0x$(openssl rand -hex 16 | sed 's/^./5/')" -extfile - <<EXTENSIONS
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = $2
subjectAltName = $3
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
EXTENSIONS
  rm "$pki/$name.csr"
  mv "$pki/$name.crt.new" "$pki/$name.crt"
}

# PKCS#8, readable by root alone from its first byte on.
make_key() {
  (umask 077 && quiet_openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1")
}

quiet_openssl() {
  local output
  output=$(openssl "$@" 2>&1) || die "openssl $1: $output"
}
