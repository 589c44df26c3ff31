package io.gatehouse.control.image;

import io.gatehouse.model.Dpu;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/** All DPUs by name and by VTEP address; the two always say the same. */
record DpuIndex(TreePMap<DpuName, Dpu> byName, PMap<IpAddress, DpuName> byVtep) {
  static final DpuIndex EMPTY = new DpuIndex(TreePMap.empty(), HashTreePMap.empty());

  DpuIndex plus(Dpu dpu) {
    DpuIndex rest = minus(dpu.name());
    return new DpuIndex(
        rest.byName.plus(dpu.name(), dpu), rest.byVtep.plus(dpu.vtepAddress(), dpu.name()));
  }

  DpuIndex minus(DpuName name) {
    Dpu dpu = byName.get(name);
    return dpu == null ? this : new DpuIndex(byName.minus(name), byVtep.minus(dpu.vtepAddress()));
  }
}
