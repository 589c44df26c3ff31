package io.gatehouse.model.name;

/** {@code dpus/{dpu}}. */
public record DpuName(String dpu) implements Comparable<DpuName> {
  public DpuName {
    NameSyntax.checkId(dpu);
  }

  public static DpuName parse(String name) {
    return new DpuName(NameSyntax.split(name, "dpus")[0]);
  }

  @Override
  public int compareTo(DpuName other) {
    return dpu.compareTo(other.dpu);
  }

  @Override
  public String toString() {
    return "dpus/" + dpu;
  }
}
