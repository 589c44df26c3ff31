package io.gatehouse.control.testing;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/** Calls any RPC of the contract by its description. */
public final class AnyCall {
  private static final long LIMIT_SECONDS = 60;

  private AnyCall() {}

  /** The first answer of an RPC; a stream of requests has the one request. */
  public static Message first(Channel channel, MethodDescriptor method, Message request) {
    io.grpc.MethodDescriptor<Message, Message> descriptor =
        io.grpc.MethodDescriptor.<Message, Message>newBuilder()
            .setType(method.isServerStreaming() ? MethodType.SERVER_STREAMING : MethodType.UNARY)
            .setFullMethodName(method.getService().getFullName() + "/" + method.getName())
            .setRequestMarshaller(marshaller(method.getInputType()))
            .setResponseMarshaller(marshaller(method.getOutputType()))
            .build();
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (!method.isServerStreaming()) {
      return ClientCalls.blockingUnaryCall(channel, descriptor, options, request);
    }
    Iterator<Message> answers =
        ClientCalls.blockingServerStreamingCall(channel, descriptor, options, request);
    return answers.hasNext()
        ? answers.next()
        : DynamicMessage.getDefaultInstance(method.getOutputType());
  }

  /** How a call ended. */
  public static Status status(Runnable call) {
    try {
      call.run();
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  private static io.grpc.MethodDescriptor.Marshaller<Message> marshaller(
      com.google.protobuf.Descriptors.Descriptor type) {
    return ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(type));
  }
}
