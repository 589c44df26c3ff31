package io.gatehouse.control.image.identity;

import java.util.Optional;

/**
 * What all trust of a fleet hangs on.
 *
 * @param root certificate of the root; empty before the first start with a PKI
 * @param policyKey public half of the key that signs policy; empty if none was named yet
 */
record Anchors(Optional<Der> root, Optional<Der> policyKey) {}
