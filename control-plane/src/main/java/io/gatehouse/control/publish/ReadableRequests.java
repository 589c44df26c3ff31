package io.gatehouse.control.publish;

import io.gatehouse.proto.v1.SyncRequest;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/**
 * Reads requests of a stream so that bytes that are no message become an empty message, which the
 * session refuses like any other that is out of bounds. Left to itself gRPC would log a stack trace
 * for each, and close the call while another thread may be sending, which ends the connection.
 */
final class ReadableRequests implements MethodDescriptor.Marshaller<SyncRequest> {
  private final MethodDescriptor.Marshaller<SyncRequest> strict;

  ReadableRequests(MethodDescriptor.Marshaller<SyncRequest> strict) {
    this.strict = strict;
  }

  @Override
  public InputStream stream(SyncRequest request) {
    return strict.stream(request);
  }

  @Override
  public SyncRequest parse(InputStream stream) {
    try {
      return strict.parse(stream);
    } catch (StatusRuntimeException e) {
      return SyncRequest.getDefaultInstance();
    }
  }
}
