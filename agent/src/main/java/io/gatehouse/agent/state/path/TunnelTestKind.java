package io.gatehouse.agent.state.path;

/** What is inside the tunnel when it is tested. */
public enum TunnelTestKind {
  UDP_IPV4(1, true, 17),
  TCP_IPV4(2, true, 6),
  UDP_IPV6(3, false, 17),
  TCP_IPV6(4, false, 6);

  private final int code;
  private final boolean v4;
  private final int protocol;

  TunnelTestKind(int code, boolean v4, int protocol) {
    this.code = code;
    this.v4 = v4;
    this.protocol = protocol;
  }

  /** Its number in such a packet. */
  public int code() {
    return code;
  }

  public boolean isV4() {
    return v4;
  }

  /** IP protocol number. */
  public int protocol() {
    return protocol;
  }
}
