package io.gatehouse.agent.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.path.PathPartners.Partner;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import io.gatehouse.model.security.PortSecurity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whom a DPU probes, and up to what size. */
class PathPartnersTest {
  private static final IpAddress OWN = IpAddress.parse("172.16.1.1");
  private static final DpuName D2 = new DpuName("d2");

  private final List<PolicyResource> resources =
      new ArrayList<>(
          List.of(
              new VtepPolicy(new DpuName("d1"), OWN),
              new VtepPolicy(D2, IpAddress.parse("172.16.2.1")),
              new VtepPolicy(new DpuName("d3"), IpAddress.parse("172.16.3.1"))));

  @Test
  void aPartnerHasAPortInANetworkOfThisDpuAndTheLargestNetworkCounts() {
    network("blue", 1_450);
    network("green", 8_950);
    port("blue", "a", "d2");
    port("green", "b", "d2");
    port("blue", "c", "d2");
    assertThat(partners(OWN))
        .isEqualTo(Map.of(D2, new Partner(IpAddress.parse("172.16.2.1"), 9_000)));
  }

  @Test
  void overIpv6TheEncapsulationIsLarger() {
    resources.add(new VtepPolicy(D2, IpAddress.parse("fd16::2")));
    network("blue", 1_430);
    port("blue", "a", "d2");
    assertThat(partners(IpAddress.parse("fd16::1")))
        .isEqualTo(Map.of(D2, new Partner(IpAddress.parse("fd16::2"), 1_500)));
  }

  @Test
  void whoseNetworkOrAddressIsUnknownIsNotProbed() {
    network("blue", 1_450);
    port("red", "a", "d2");
    port("blue", "b", "d9");
    assertThat(partners(OWN)).isEmpty();
    port("blue", "c", "d2");
    assertThat(partners(IpAddress.parse("fd16::1"))).as("another family").isEmpty();
  }

  private Map<DpuName, Partner> partners(IpAddress own) {
    return PathPartners.of(Policy.of(1, resources), own);
  }

  @Test
  void aDpuWhosePortsAreAllDisabledHasNoPartners() {
    network("blue", 1_450);
    port("blue", "a", "d2");
    resources.replaceAll(r -> r instanceof LocalPortPolicy port ? Policies.disabled(port) : r);
    assertThat(partners(OWN)).isEmpty();
  }

  /** Or nobody would learn that the path that has lowered it is whole again. */
  @Test
  void aNetworkThatAPathHasLoweredIsProbedForWhatItHad() {
    network("blue", 1_350, 1_450);
    network("green", 1_400);
    port("blue", "a", "d2");
    port("green", "b", "d2");
    assertThat(partners(OWN))
        .isEqualTo(Map.of(D2, new Partner(IpAddress.parse("172.16.2.1"), 1_500)));
  }

  private void network(String id, int mtuBytes) {
    network(id, mtuBytes, mtuBytes);
  }

  /** With a port of this DPU. */
  private void network(String id, int mtuBytes, int probeMtuBytes) {
    resources.add(
        Policies.localPort(
            "acme/" + id + "/here", "pf0vf" + id.length(), "02:00:00:00:00:09", "10.0.0.9"));
    resources.add(
        new NetworkPolicy(
            NetworkName.parse("tenants/acme/networks/" + id),
            new Vni(id.length()),
            List.of(Cidr.parse("10.0.0.0/24")),
            mtuBytes,
            mtuBytes,
            probeMtuBytes,
            HostConfiguration.DEFAULT));
  }

  private void port(String network, String id, String dpu) {
    resources.add(
        new RemotePortPolicy(
            PortName.parse("tenants/acme/networks/" + network + "/ports/" + id),
            "uid",
            MacAddress.parse("02:00:00:00:00:01"),
            List.of(IpAddress.parse("10.0.0.1")),
            new DpuName(dpu),
            PortSecurity.NONE));
  }
}
