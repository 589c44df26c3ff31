package io.gatehouse.runtime.identity;

import java.io.ByteArrayOutputStream;

/** The few elements of DER (X.690) that a certificate request needs. */
final class Der {
  static final int BIT_STRING = 0x03;
  static final int SEQUENCE = 0x30;
  static final int ATTRIBUTES = 0xa0;
  static final byte[] VERSION_0 = {0x02, 0x01, 0x00};

  private Der() {}

  /** One element; the parts are its content. */
  static byte[] element(int tag, byte[]... parts) {
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
