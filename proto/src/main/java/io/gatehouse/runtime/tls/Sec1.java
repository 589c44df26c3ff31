package io.gatehouse.runtime.tls;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Wraps an EC key as written by {@code openssl ecparam -genkey} (SEC 1, RFC 5915) into PKCS#8 (RFC
 * 5958), which is what the JDK reads. Only DER, only named curves.
 */
final class Sec1 {
  private static final int INTEGER = 0x02;
  private static final int OCTETS = 0x04;
  private static final int SEQUENCE = 0x30;
  private static final int PARAMETERS = 0xa0;
  private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};

  /** 1.2.840.10045.2.1, id-ecPublicKey. */
  private static final byte[] EC_PUBLIC_KEY = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
  };

  private Sec1() {}

  static byte[] toPkcs8(Path file, byte[] sec1) {
    try {
      byte[] curve = curve(ByteBuffer.wrap(sec1));
      byte[] algorithm = element(SEQUENCE, EC_PUBLIC_KEY, curve);
      return element(SEQUENCE, VERSION_0, algorithm, element(OCTETS, sec1));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new TlsFileException(file, "holds an EC key without a named curve, or a broken one");
    }
  }

  /** The object identifier of the curve, with its tag: ECPrivateKey.parameters. */
  private static byte[] curve(ByteBuffer der) {
    ByteBuffer key = enter(der, SEQUENCE);
    enter(key, INTEGER);
    enter(key, OCTETS);
    ByteBuffer parameters = enter(key, PARAMETERS);
    byte[] curve = new byte[parameters.remaining()];
    parameters.get(curve);
    return curve;
  }

  private static ByteBuffer enter(ByteBuffer der, int tag) {
    if ((der.get() & 0xff) != tag) {
      throw new IllegalArgumentException("not the expected tag");
    }
    int length = der.get() & 0xff;
    if (length > 0x82 || length == 0x80) {
      throw new IllegalArgumentException("not a length of a key");
    }
    for (int more = length - 0x80, read = 0; more > 0; more--) {
      read = read << 8 | (der.get() & 0xff);
      length = read;
    }
    ByteBuffer content = der.slice();
    content.limit(Math.min(length, content.capacity()));
    if (length > content.capacity()) {
      throw new BufferUnderflowException();
    }
    der.position(der.position() + length);
    return content;
  }

  private static byte[] element(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    int length = content.size();
    ByteArrayOutputStream element = new ByteArrayOutputStream();
    element.write(tag);
    if (length > 0xff) {
      element.write(0x82);
      element.write(length >> 8);
    } else if (length > 0x7f) {
      element.write(0x81);
    }
    element.write(length);
    element.writeBytes(content.toByteArray());
    return element.toByteArray();
  }
}
