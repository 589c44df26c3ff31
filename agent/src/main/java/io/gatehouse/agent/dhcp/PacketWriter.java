package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.Arrays;

/** Writes bytes one behind the other. */
final class PacketWriter {
  private byte[] bytes = new byte[512];
  private int size;

  int size() {
    return size;
  }

  PacketWriter u8(int value) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
    }
    bytes[size++] = (byte) value;
    return this;
  }

  PacketWriter u16(int value) {
    return u8(value >> 8).u8(value);
  }

  PacketWriter u32(long value) {
    return u16((int) (value >> 16)).u16((int) value);
  }

  PacketWriter put(byte[] value) {
    for (byte b : value) {
      u8(b);
    }
    return this;
  }

  PacketWriter put(MacAddress mac) {
    return put(mac.toBytes());
  }

  PacketWriter put(IpAddress address) {
    return put(address.toBytes());
  }

  PacketWriter zeros(int count) {
    for (int i = 0; i < count; i++) {
      u8(0);
    }
    return this;
  }

  /** Overwrites two bytes that are there already. */
  PacketWriter set16(int at, int value) {
    bytes[at] = (byte) (value >> 8);
    bytes[at + 1] = (byte) value;
    return this;
  }

  /**
   * The Internet checksum of a run of bytes (RFC 1071).
   *
   * @param start of what else is added up, such as a pseudo-header
   */
  int checksum(int from, long start) {
    long sum = start;
    for (int i = from; i < size; i++) {
      sum += (long) (bytes[i] & 0xff) << ((i - from) % 2 == 0 ? 8 : 0);
    }
    while (sum >> 16 != 0) {
      sum = (sum & 0xffff) + (sum >> 16);
    }
    return (int) ~sum & 0xffff;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  Octets toOctets() {
    return Octets.of(toBytes());
  }
}
