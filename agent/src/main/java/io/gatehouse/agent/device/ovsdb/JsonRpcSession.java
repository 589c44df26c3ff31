package io.gatehouse.agent.device.ovsdb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection's JSON-RPC 1.0 (RFC 7047 §4): calls with a deadline, notifications, echo both
 * ways. Used on its channel's event loop only. It ends once, with a cause; calls without an answer
 * then fail with UNREACHABLE, since nobody knows whether the server did them.
 */
final class JsonRpcSession extends SimpleChannelInboundHandler<JsonNode> {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int SHOWN_CHARACTERS = 500;
  private static final byte[] NO_PARAMS = "[]".getBytes(StandardCharsets.UTF_8);

  private final OvsdbConfig config;
  private final boolean tls;
  private final Events events;
  private final Map<Long, Call> calls = new HashMap<>();
  private long lastId;
  private @Nullable ChannelHandlerContext context;
  private @Nullable DeviceException end;

  /** What the session tells its owner, on the event loop. */
  interface Events {
    /** Connected, and the TLS handshake is done where there is one. Called at most once. */
    void ready(JsonRpcSession session);

    /** The server tells something; {@code params} is an array. A failure ends the session. */
    void notified(String method, JsonNode params) throws DeviceException;

    /** Called exactly once; nothing is called after it. */
    void ended(DeviceException cause);
  }

  private record Call(
      String method, CompletableFuture<JsonNode> reply, ScheduledFuture<?> deadline) {}

  JsonRpcSession(OvsdbConfig config, Events events) {
    super(JsonNode.class);
    this.config = config;
    this.tls = config.address() instanceof OvsdbAddress.Tls;
    this.events = events;
  }

  /** The bytes of params, to be made on the thread that asks. */
  static byte[] encode(JsonNode params) {
    try {
      return JSON.writeValueAsBytes(params);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree can always be written", e);
    }
  }

  /**
   * Sends a request. The future completes on the event loop, with the result or with {@link
   * DeviceException}; REJECTED is the server's own no.
   */
  CompletableFuture<JsonNode> call(String method, byte[] params) {
    CompletableFuture<JsonNode> reply = new CompletableFuture<>();
    ChannelHandlerContext ctx = context;
    DeviceException refusal = refusal(ctx, method, params.length);
    if (refusal != null || ctx == null) {
      reply.completeExceptionally(refusal);
      return reply;
    }
    long id = ++lastId;
    ScheduledFuture<?> deadline =
        ctx.executor()
            .schedule(() -> late(id), config.times().call().toNanos(), TimeUnit.NANOSECONDS);
    calls.put(id, new Call(method, reply, deadline));
    String head = "{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":";
    send(ctx, head, params);
    return reply;
  }

  /** Ends the session for this cause, unless it has ended already. */
  void drop(DeviceException cause) {
    if (end != null) {
      return;
    }
    end = cause;
    if (context != null) {
      var unused = context.close();
    }
    Map<Long, Call> unanswered = Map.copyOf(calls);
    calls.clear();
    unanswered.values().forEach(call -> lost(call, cause));
    events.ended(cause);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    if (!tls) {
      events.ready(this);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    drop(new DeviceException(Kind.UNREACHABLE, config.address() + ": the connection was closed"));
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        events.ready(this);
        return;
      }
      drop(unreachable("TLS handshake failed", handshake.cause()));
    }
    if (event instanceof IdleStateEvent idle && idle.state() == IdleState.READER_IDLE) {
      silent(ctx, idle);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) {
    Throwable cause = thrown instanceof DecoderException ? thrown.getCause() : thrown;
    if (cause instanceof DeviceException known) {
      drop(new DeviceException(known.kind(), config.address() + ": " + known.getMessage(), known));
      return;
    }
    if (cause instanceof IOException) {
      drop(unreachable("the connection broke", cause));
      return;
    }
    drop(new DeviceException(Kind.PROTOCOL, config.address() + ": " + cause, cause));
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, JsonNode message) throws DeviceException {
    if (end != null) {
      return;
    }
    JsonNode id = message.path("id");
    if (!message.has("method")) {
      answered(id, message);
      return;
    }
    String method = message.path("method").asText();
    JsonNode params = message.path("params");
    if (!params.isArray()) {
      throw new DeviceException(Kind.PROTOCOL, "params of " + method + " are not an array");
    }
    if (id.isNull() || id.isMissingNode()) {
      events.notified(method, params);
      return;
    }
    asked(ctx, method, id, params);
  }

  /** RFC 7047 §4.1.11 is the only request that a server makes. */
  private void asked(ChannelHandlerContext ctx, String method, JsonNode id, JsonNode params)
      throws DeviceException {
    if (!method.equals("echo")) {
      throw new DeviceException(Kind.PROTOCOL, "the server asks for the unknown " + method);
    }
    if (!ctx.channel().isWritable()) {
      throw new DeviceException(Kind.PROTOCOL, "the server asks for echoes and does not read them");
    }
    String head =
        "{\"id\":" + new String(encode(id), StandardCharsets.UTF_8) + ",\"error\":null,\"result\":";
    send(ctx, head, encode(params));
  }

  private void answered(JsonNode id, JsonNode message) throws DeviceException {
    if (!id.isIntegralNumber() || id.longValue() < 1 || id.longValue() > lastId) {
      throw new DeviceException(Kind.PROTOCOL, "an answer to a request that was never sent");
    }
    Call call = calls.remove(id.longValue());
    if (call == null) {
      return; // Too late: its caller was told so at the deadline.
    }
    call.deadline().cancel(false);
    JsonNode error = message.path("error");
    if (!error.isNull() && !error.isMissingNode()) {
      String text = call.method() + ": " + reason(error);
      call.reply().completeExceptionally(new DeviceException(Kind.REJECTED, text));
      return;
    }
    call.reply().complete(message.path("result"));
  }

  /** The words of {@code <error>} (RFC 7047 §3.1), without its {@code syntax}: that repeats us. */
  static String reason(JsonNode error) {
    String text = error.isTextual() ? error.asText() : error.path("error").asText();
    if (error.has("details")) {
      text += ": " + error.path("details").asText();
    }
    String printable = text.replaceAll("\\p{Cntrl}", "?");
    return printable.length() <= SHOWN_CHARACTERS
        ? printable
        : printable.substring(0, SHOWN_CHARACTERS) + "…";
  }

  private void silent(ChannelHandlerContext ctx, IdleStateEvent idle) {
    if (!idle.equals(IdleStateEvent.FIRST_READER_IDLE_STATE_EVENT)) {
      long silence = 2 * config.times().probe().toMillis();
      drop(unreachable("silent for " + silence + " ms, and did not answer an echo", null));
      return;
    }
    if (ctx.channel().isActive()) {
      var unused = call("echo", NO_PARAMS);
    }
  }

  private @Nullable DeviceException refusal(
      @Nullable ChannelHandlerContext ctx, String method, int bytes) {
    if (end != null || ctx == null || !ctx.channel().isActive()) {
      return unreachable(method + " was not sent, there is no connection", end);
    }
    if (bytes > config.bounds().messageBytes()) {
      return new DeviceException(Kind.REJECTED, method + " was not sent: " + bytes + " bytes");
    }
    if (calls.size() >= config.bounds().calls() || !ctx.channel().isWritable()) {
      return unreachable(
          method + " was not sent, " + calls.size() + " calls wait for an answer", null);
    }
    return null;
  }

  private void late(long id) {
    Call call = calls.remove(id);
    if (call != null) {
      String text = call.method() + ": no answer within " + config.times().call().toMillis();
      call.reply().completeExceptionally(unreachable(text + " ms, its outcome is unknown", null));
    }
  }

  private void lost(Call call, DeviceException cause) {
    call.deadline().cancel(false);
    call.reply()
        .completeExceptionally(
            unreachable(call.method() + ": no answer, its outcome is unknown", cause));
  }

  private DeviceException unreachable(String text, @Nullable Throwable cause) {
    return new DeviceException(Kind.UNREACHABLE, config.address() + ": " + text, cause);
  }

  private static void send(ChannelHandlerContext ctx, String head, byte[] body) {
    ByteBuf message =
        Unpooled.wrappedBuffer(
            head.getBytes(StandardCharsets.UTF_8), body, new byte[] {(byte) '}'});
    var unused = ctx.writeAndFlush(message);
  }
}
