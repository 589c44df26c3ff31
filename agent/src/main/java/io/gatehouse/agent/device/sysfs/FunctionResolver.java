package io.gatehouse.agent.device.sysfs;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the network device of a function by what the hardware says of itself (sysfs(5):
 * phys_port_name, phys_switch_id, the PCI device), read anew each time, because names change at
 * boot. A device's own name counts only if it was allowed, which is for labs. Safe for several
 * threads.
 */
public final class FunctionResolver {
  /** Where the kernel lists the devices of a network namespace. */
  public static final Path DEFAULT_FOLDER = Path.of("/sys/class/net");

  private static final int MAX_DEVICES = 1 << 16;
  private static final Pattern PCI_ADDRESS =
      Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");

  private final Path folder;
  private final Set<String> byName;

  /**
   * @param folder such as {@link #DEFAULT_FOLDER}
   * @param byName devices that may be meant by their own name
   */
  public FunctionResolver(Path folder, Set<String> byName) {
    this.folder = folder;
    this.byName = Set.copyOf(byName);
  }

  /**
   * The name of the device that is the function now; empty if there is none. REJECTED if two
   * devices claim the function: the message names them.
   */
  public Optional<String> resolve(String function) throws DeviceException {
    return resolve(list(), function);
  }

  /** As {@link #resolve(String)}, in a list that was read before, for many functions at once. */
  public static Optional<String> resolve(List<DpuFunction> functions, String function)
      throws DeviceException {
    Set<String> devices =
        functions.stream()
            .filter(f -> f.matches(function))
            .map(DpuFunction::device)
            .collect(Collectors.toCollection(TreeSet::new));
    if (devices.size() > 1) {
      throw new DeviceException(
          Kind.REJECTED,
          "function " + function + " is claimed by several devices: " + String.join(", ", devices));
    }
    return devices.stream().findFirst();
  }

  /**
   * All functions known, by the names of their devices. UNREACHABLE if the folder is unreadable.
   */
  public List<DpuFunction> list() throws DeviceException {
    List<DpuFunction> functions = new ArrayList<>();
    for (Path device : devices()) {
      String name = String.valueOf(device.getFileName());
      Optional<String> pci = pciAddress(device);
      Optional<String> switchId = KernelFile.readAttribute(device.resolve("phys_switch_id"));
      Optional<String> port = KernelFile.readAttribute(device.resolve("phys_port_name"));
      port.ifPresent(p -> functions.add(new DpuFunction(p, pci, switchId, name)));
      if (byName.contains(name) && !port.equals(Optional.of(name))) {
        functions.add(new DpuFunction(name, pci, switchId, name));
      }
    }
    return functions;
  }

  private List<Path> devices() throws DeviceException {
    List<Path> devices = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
      for (Path entry : entries) {
        devices.add(entry);
        if (devices.size() > MAX_DEVICES) {
          throw new DeviceException(
              Kind.PROTOCOL, folder + " has more than " + MAX_DEVICES + " devices");
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      throw new DeviceException(
          Kind.UNREACHABLE, "cannot list " + folder + ": " + e.getMessage(), e);
    }
    devices.sort(Comparator.naturalOrder());
    return devices;
  }

  /** The PCI address at the end of the device's link; empty for what is not on PCI. */
  private static Optional<String> pciAddress(Path device) {
    try {
      Path target = Files.readSymbolicLink(device.resolve("device"));
      return Optional.of(String.valueOf(target.getFileName()))
          .filter(name -> PCI_ADDRESS.matcher(name).matches());
    } catch (IOException e) {
      return Optional.empty(); // a virtual device, or one that is just going away
    }
  }
}
