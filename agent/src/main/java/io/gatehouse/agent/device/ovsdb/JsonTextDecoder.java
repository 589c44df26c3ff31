package io.gatehouse.agent.device.ovsdb;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.ByteProcessor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a byte stream into JSON objects (RFC 7047 §4: JSON-RPC 1.0 over a stream, no delimiter
 * between the texts) and reads them. Each byte is looked at once, however it was segmented. Fails
 * with PROTOCOL on anything else than objects and white space, and on what passes a bound; after
 * that it swallows all input.
 */
final class JsonTextDecoder extends ByteToMessageDecoder {
  private final int maxBytes;
  private final int maxDepth;
  private final int maxValues;
  private final ObjectReader reader;
  private final Scan scan = new Scan();
  private boolean failed;

  JsonTextDecoder(OvsdbConfig.Bounds bounds) {
    this.maxBytes = bounds.messageBytes();
    this.maxDepth = bounds.depth();
    this.maxValues = bounds.values();
    StreamReadConstraints limits =
        StreamReadConstraints.builder()
            .maxNestingDepth(maxDepth)
            .maxStringLength(maxBytes)
            .maxDocumentLength(maxBytes)
            .build();
    this.reader =
        JsonMapper.builder(factory(limits))
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .reader();
  }

  /** Rows are named by their uuid: interning each name would fill the JVM's table of strings. */
  private static JsonFactory factory(StreamReadConstraints limits) {
    return JsonFactory.builder()
        .streamReadConstraints(limits)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .build();
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (failed) {
      in.skipBytes(in.readableBytes());
      return;
    }
    try {
      JsonNode text = next(in);
      if (text != null) {
        out.add(text);
      }
    } catch (DeviceException e) {
      failed = true;
      in.skipBytes(in.readableBytes());
      throw e;
    }
  }

  private @Nullable JsonNode next(ByteBuf in) throws Exception {
    if (scan.bytes == 0) {
      skipWhitespace(in);
    }
    int start = in.readerIndex();
    int end = in.forEachByte(start + scan.bytes, in.readableBytes() - scan.bytes, scan);
    if (end < 0) {
      return null;
    }
    byte[] text = new byte[end + 1 - start];
    in.readBytes(text);
    scan.bytes = 0;
    scan.values = 0;
    try {
      return reader.readTree(text);
    } catch (JsonProcessingException e) {
      throw new DeviceException(Kind.PROTOCOL, "not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static void skipWhitespace(ByteBuf in) {
    int text = in.forEachByte(b -> b == ' ' || b == '\n' || b == '\r' || b == '\t');
    in.skipBytes(text < 0 ? in.readableBytes() : text - in.readerIndex());
  }

  /** Finds the brace that closes the object; keeps its place between segments. */
  private final class Scan implements ByteProcessor {
    private int bytes;
    private int depth;
    private int values;
    private boolean inString;
    private boolean escaped;

    @Override
    public boolean process(byte b) throws DeviceException {
      if (bytes == 0 && b != '{') {
        throw new DeviceException(Kind.PROTOCOL, "a message does not start with {");
      }
      if (++bytes > maxBytes) {
        throw new DeviceException(Kind.PROTOCOL, "a message is longer than " + maxBytes + " bytes");
      }
      if (inString) {
        inString = escaped || b != '"';
        escaped = !escaped && b == '\\';
        return true;
      }
      switch (b) {
        case '"' -> inString = true;
        case '{', '[' -> {
          depth++;
          values++;
        }
        case ',', ':' -> values++;
        case '}', ']' -> depth--;
        default -> {}
      }
      requireSmall();
      return depth > 0;
    }

    /** A few bytes can become a large object in memory, so values are counted as well. */
    private void requireSmall() throws DeviceException {
      if (depth > maxDepth) {
        throw new DeviceException(
            Kind.PROTOCOL, "a message is nested deeper than " + maxDepth + " levels");
      }
      if (values > maxValues) {
        throw new DeviceException(
            Kind.PROTOCOL, "a message has more than " + maxValues + " values");
      }
    }
  }
}
