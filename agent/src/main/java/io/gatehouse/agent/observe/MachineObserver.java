package io.gatehouse.agent.observe;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.sysfs.DpuFunction;
import io.gatehouse.agent.device.sysfs.FunctionResolver;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.PortZone;
import io.gatehouse.agent.state.observed.BridgeView;
import io.gatehouse.agent.state.observed.ConnectionLimitView;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.observed.KernelView;
import io.gatehouse.agent.state.observed.MeterView;
import io.gatehouse.agent.state.observed.Observation;
import io.gatehouse.agent.state.observed.Observed;
import io.gatehouse.agent.state.observed.PortView;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads everything that a plan is compared with, and the facts that it is made from. */
public final class MachineObserver {
  private static final Logger log = LoggerFactory.getLogger(MachineObserver.class);

  /** Looks at one device. */
  public interface Look<V> {
    Observed<V> observe() throws InterruptedException;
  }

  /** Looks at the bridges. */
  public interface BridgeLook {
    /**
     * Looks.
     *
     * @param functionDevices devices that are functions of this DPU
     */
    Observed<BridgeView> observe(Set<String> functionDevices) throws InterruptedException;
  }

  /** Looks at the network stack, anew once it was told. */
  public interface KernelLook extends Look<KernelView> {
    void mayHaveChanged();
  }

  private final BridgeLook bridges;
  private final Look<FlowView> flows;
  private final Look<MeterView> meters;
  private final Look<ConnectionLimitView> limits;
  private final KernelLook kernel;
  private final FunctionResolver functions;
  private volatile boolean functionsStale = true;
  private volatile List<DpuFunction> lastFunctions = List.of();

  public MachineObserver(
      BridgeLook bridges,
      Look<FlowView> flows,
      Look<MeterView> meters,
      Look<ConnectionLimitView> limits,
      KernelLook kernel,
      FunctionResolver functions) {
    this.bridges = bridges;
    this.flows = flows;
    this.meters = meters;
    this.limits = limits;
    this.kernel = kernel;
    this.functions = functions;
  }

  /**
   * Observes.
   *
   * @param wanted functions that the policy names
   */
  public Observation observe(Collection<String> wanted) throws InterruptedException {
    Observed<KernelView> kernelView = kernel.observe();
    refreshFunctions();
    Map<String, String> devices = devices(wanted);
    Set<String> functionDevices = new HashSet<>();
    lastFunctions.forEach(function -> functionDevices.add(function.device()));
    Observed<BridgeView> bridge = bridges.observe(functionDevices);
    Observed<MeterView> meterView =
        bridge.isKnown() ? meters.observe() : new Observed.Unknown<>("the bridge is unknown");
    Observed<FlowView> flowView =
        bridge.isKnown() ? flows.observe() : new Observed.Unknown<>("the bridge is unknown");
    Facts facts = facts(devices, bridge);
    return new Observation(bridge, meterView, limits(facts, flowView), flowView, kernelView, facts);
  }

  /**
   * Nobody has a limit where no port has a zone; and where there are flows, there is a datapath.
   */
  private Observed<ConnectionLimitView> limits(Facts facts, Observed<FlowView> flowView)
      throws InterruptedException {
    if (facts.zones().isEmpty()) {
      return new Observed.Known<>(ConnectionLimitView.NONE);
    }
    return flowView.isKnown() ? limits.observe() : new Observed.Unknown<>("the flows are unknown");
  }

  /** Devices came, went or changed: kernel and functions are to be read again. From any thread. */
  public void linksMayHaveChanged() {
    functionsStale = true;
    kernel.mayHaveChanged();
  }

  /** Functions as last seen. From any thread. */
  public List<DpuFunction> functions() {
    return lastFunctions;
  }

  /** Reads the functions once, before anybody asks for them. */
  public void readFunctions() {
    refreshFunctions();
  }

  private void refreshFunctions() {
    if (!functionsStale) {
      return;
    }
    functionsStale = false;
    try {
      lastFunctions = functions.list();
    } catch (DeviceException e) {
      functionsStale = true;
      log.atWarn().addKeyValue("reason", e.getMessage()).log("the DPU's functions cannot be read");
    }
  }

  private Map<String, String> devices(Collection<String> wanted) {
    Map<String, String> devices = new HashMap<>();
    for (String function : wanted) {
      try {
        FunctionResolver.resolve(lastFunctions, function)
            .ifPresent(device -> devices.put(function, device));
      } catch (DeviceException e) {
        log.atWarn()
            .addKeyValue("function", function)
            .addKeyValue("reason", e.getMessage())
            .log("a function cannot be told apart");
      }
    }
    return devices;
  }

  private static Facts facts(Map<String, String> devices, Observed<BridgeView> bridge) {
    Map<String, Integer> numbers = new HashMap<>();
    Map<String, String> errors = new HashMap<>();
    Map<String, PortZone> zones = new HashMap<>();
    Map<String, Integer> mtus = new HashMap<>();
    if (bridge instanceof Observed.Known<BridgeView> known) {
      for (PortView port : known.value().ports().values()) {
        port.openFlowPort().ifPresent(number -> numbers.put(port.device(), number));
        port.error().ifPresent(error -> errors.put(port.device(), error));
        port.zone().ifPresent(zone -> zones.put(port.device(), zone));
        port.mtuBytes().ifPresent(mtu -> mtus.put(port.device(), mtu));
      }
      return new Facts(
          devices, numbers, errors, known.value().otherBridges(), zones, mtus, Optional.empty());
    }
    String reason =
        bridge instanceof Observed.Unknown<BridgeView> unknown ? unknown.reason() : "not looked at";
    return new Facts(devices, numbers, errors, Map.of(), zones, mtus, Optional.of(reason));
  }
}
