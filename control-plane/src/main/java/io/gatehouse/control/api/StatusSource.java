package io.gatehouse.control.api;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.Port;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.DpuStatus;
import io.gatehouse.proto.v1.PortStatus;
import java.util.List;
import java.util.Optional;

/** What DPUs have reported. Methods return at once, from any thread. */
public interface StatusSource {
  /** Knows nothing. */
  StatusSource NONE =
      new StatusSource() {
        @Override
        public PortStatus portStatus(Image image, Port port) {
          return PortStatus.getDefaultInstance();
        }

        @Override
        public DpuStatus dpuStatus(Image image, DpuName dpu) {
          return DpuStatus.newBuilder().setDesiredRevision(image.desiredRevision(dpu)).build();
        }

        @Override
        public Optional<List<String>> functions(DpuName dpu) {
          return Optional.empty();
        }
      };

  /** What the port's DPU last read back of it. */
  PortStatus portStatus(Image image, Port port);

  /** What is known of a DPU. */
  DpuStatus dpuStatus(Image image, DpuName dpu);

  /** Functions that the DPU has reported; empty if it has reported nothing yet. */
  Optional<List<String>> functions(DpuName dpu);
}
