package io.gatehouse.control.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Compares images: resources, indexes and memory. */
public final class ImageAssertions {
  private ImageAssertions() {}

  public static void assertSame(Image actual, Image expected, String where) {
    assertThat(actual.revision()).as(where).isEqualTo(expected.revision());
    assertThat(actual.tenants()).as(where).isEqualTo(expected.tenants());
    assertThat(actual.networks()).as(where).isEqualTo(expected.networks());
    assertThat(actual.ports()).as(where).isEqualTo(expected.ports());
    assertThat(actual.operators()).as(where).isEqualTo(expected.operators());
    assertThat(actual.securityGroups()).as(where).isEqualTo(expected.securityGroups());
    assertThat(actual.quarantines()).as(where).isEqualTo(expected.quarantines());
    assertThat(actual.peerings()).as(where).isEqualTo(expected.peerings());
    assertThat(actual.dpus()).as(where).isEqualTo(expected.dpus());
    assertThat(actual.restingVnis()).as(where).isEqualTo(expected.restingVnis());
    assertThat(actual.lastVni()).as(where).isEqualTo(expected.lastVni());
    assertThat(actual.state().carriers()).as(where).isEqualTo(expected.state().carriers());
    assertThat(actual.state().desiredRevisions())
        .as(where)
        .isEqualTo(expected.state().desiredRevisions());
    assertSameIdentities(actual, expected, where);
    assertThat(List.copyOf(actual.state().requests()))
        .as(where)
        .isEqualTo(List.copyOf(expected.state().requests()));
    actual
        .networks()
        .values()
        .forEach(
            network -> {
              assertThat(actual.membersOf(network.name()))
                  .as(where)
                  .isEqualTo(expected.membersOf(network.name()));
              assertThat(actual.networkOf(network.vni()))
                  .as(where)
                  .isEqualTo(expected.networkOf(network.vni()));
            });
    actual
        .dpus()
        .values()
        .forEach(
            dpu -> {
              assertThat(actual.portsOf(dpu.name()))
                  .as(where)
                  .isEqualTo(expected.portsOf(dpu.name()));
              assertThat(actual.dpuAt(dpu.vtepAddress()))
                  .as(where)
                  .isEqualTo(expected.dpuAt(dpu.vtepAddress()));
            });
  }

  private static void assertSameIdentities(Image actual, Image expected, String where) {
    assertThat(actual.identities().root()).as(where).isEqualTo(expected.identities().root());
    assertThat(actual.identities().policyKey())
        .as(where)
        .isEqualTo(expected.identities().policyKey());
    assertThat(actual.identities().usedTokens())
        .as(where)
        .isEqualTo(expected.identities().usedTokens());
    assertThat(actual.identities().authorities())
        .as(where)
        .isEqualTo(expected.identities().authorities());
    assertThat(actual.identities().certificates())
        .as(where)
        .isEqualTo(expected.identities().certificates());
    assertThat(actual.identities().holders()).as(where).isEqualTo(expected.identities().holders());
    assertThat(actual.identities().tokens()).as(where).isEqualTo(expected.identities().tokens());
  }
}
