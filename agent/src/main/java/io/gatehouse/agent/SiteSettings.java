package io.gatehouse.agent;

import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.Underlay;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.runtime.config.YamlMap;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The settings that say what this DPU is: name, datapath, VTEP, underlay. */
record SiteSettings(
    Supplier<Site> site, Supplier<Integer> underlayMtuBytes, Supplier<Integer> probePort) {
  private static final int MIN_MTU_BYTES = 576;
  private static final int MAX_MTU_BYTES = 65_535;
  private static final int DEFAULT_MTU_BYTES = 1_500;
  private static final int MIN_PROBE_PORT = 1_024;
  private static final int MAX_PROBE_PORT = 65_535;

  /** Above those that Linux gives to clients by itself, so that it is free. */
  private static final int DEFAULT_PROBE_PORT = 61_789;

  static SiteSettings read(YamlMap root) {
    Supplier<DpuName> dpu = root.value("dpu", DpuName::new).required();
    Supplier<String> datapath =
        root.choice("datapath", Set.of("system", "netdev")).orElse("system");
    YamlMap vtep = root.map("vtep");
    Supplier<IpAddress> address = vtep.value("address", IpAddress::parse).required();
    Supplier<Integer> mtu =
        vtep.integer("underlay_mtu", MIN_MTU_BYTES, MAX_MTU_BYTES).orElse(DEFAULT_MTU_BYTES);
    Supplier<Integer> probePort =
        vtep.integer("probe_port", MIN_PROBE_PORT, MAX_PROBE_PORT).orElse(DEFAULT_PROBE_PORT);
    Supplier<Optional<Underlay>> underlay =
        root.has("underlay") ? underlay(root.map("underlay")) : Optional::empty;
    return new SiteSettings(
        () ->
            new Site(
                dpu.get(),
                address.get(),
                Site.Datapath.valueOf(datapath.get().toUpperCase(Locale.ROOT)),
                underlay.get()),
        mtu,
        probePort);
  }

  private static Supplier<Optional<Underlay>> underlay(YamlMap map) {
    Supplier<String> device = map.text("device").required();
    Supplier<Prefixed> address = map.value("address", Prefixed::parse).required();
    Supplier<Optional<IpAddress>> gateway = map.value("gateway", IpAddress::parse).optional();
    return () ->
        Optional.of(
            new Underlay(
                device.get(), address.get().address(), address.get().length(), gateway.get()));
  }

  /** An address with the length of its subnet's prefix. */
  private record Prefixed(IpAddress address, int length) {
    static Prefixed parse(String text) {
      int slash = text.indexOf('/');
      String length = text.substring(slash + 1);
      if (slash < 0 || length.isEmpty() || length.length() > 3 || !digits(length)) {
        throw new InvalidValueException(
            "address", text, "is not address/length, such as 192.0.2.1/24");
      }
      IpAddress address = IpAddress.parse(text.substring(0, slash));
      int bits = Integer.parseInt(length);
      if (bits > address.family().bits()) {
        throw new InvalidValueException(
            "address", text, "has a prefix longer than " + address.family().bits() + " bits");
      }
      return new Prefixed(address, bits);
    }

    private static boolean digits(String text) {
      return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
  }
}
