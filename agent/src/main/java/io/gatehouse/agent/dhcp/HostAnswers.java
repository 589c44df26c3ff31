package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.flow.Octets;

/** The answer to a packet of a host, whatever it asks for. */
public final class HostAnswers {
  private HostAnswers() {}

  /**
   * Answers a packet.
   *
   * @param frame from the Ethernet header on, from the port that the terms are of
   */
  public static Verdict answer(Octets frame, HostTerms terms) {
    try {
      Datagram question = DatagramCodec.read(frame);
      if (!question.link().from().equals(terms.mac())) {
        return new Verdict.Dropped(Verdict.Reason.FOREIGN);
      }
      if (question.protocol() == Datagram.ICMPV6) {
        return RouterAdvertiser.answer(question, terms);
      }
      int port = question.load().toPort();
      if (question.from().isV4() && port == Dhcpv4Server.SERVER_PORT) {
        return Dhcpv4Server.answer(question, terms);
      }
      if (question.from().isV6() && port == Dhcpv6Server.SERVER_PORT) {
        return Dhcpv6Server.answer(question, terms);
      }
      return new Verdict.Dropped(Verdict.Reason.MALFORMED);
    } catch (MalformedPacketException e) {
      return new Verdict.Dropped(Verdict.Reason.MALFORMED);
    }
  }
}
