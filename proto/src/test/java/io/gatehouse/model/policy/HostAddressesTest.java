package io.gatehouse.model.policy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.RateLimits;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HostAddressesTest {
  private static final PortName PORT = PortName.parse("tenants/a/networks/n/ports/p");

  private static LocalPortPolicy local(String mac, String... addresses) {
    return new LocalPortPolicy(
        PORT,
        "u",
        "pf0vf0",
        MacAddress.parse(mac),
        ips(addresses),
        true,
        PortSecurity.NONE,
        RateLimits.NONE,
        Optional.empty());
  }

  private static List<IpAddress> ips(String... addresses) {
    return Stream.of(addresses).map(IpAddress::parse).toList();
  }

  @Test
  void aHostsAddressesAreTaken() {
    assertThatCode(() -> local("02:00:00:00:00:01", "10.0.0.1", "fd00::1", "fe80::1"))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "ff:ff:ff:ff:ff:ff, 10.0.0.1, mac_address",
    "01:00:5e:00:00:01, 10.0.0.1, mac_address",
    "00:00:00:00:00:00, 10.0.0.1, mac_address",
    "02:00:00:00:00:01, 0.0.0.0, ip_addresses",
    "02:00:00:00:00:01, ::, ip_addresses",
    "02:00:00:00:00:01, 224.0.0.1, ip_addresses",
    "02:00:00:00:00:01, ff02::1, ip_addresses"
  })
  void whatIsNotOneHostsIsRefused(String mac, String address, String field) {
    assertThatThrownBy(() -> local(mac, address))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(field + "=");
  }

  @Test
  void anAddressTwiceIsRefused() {
    MacAddress mac = MacAddress.parse("02:00:00:00:00:01");
    List<IpAddress> twice = ips("10.0.0.1", "10.0.0.1");
    assertThatThrownBy(
            () -> new RemotePortPolicy(PORT, "u", mac, twice, new DpuName("d"), PortSecurity.NONE))
        .hasMessageContaining("has an address twice");
  }
}
