package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.flow.Octets;
import java.util.HexFormat;
import java.util.List;

/** What clients of Debian 12 sent on a link, as tcpdump recorded it; the host's MAC ends in 01. */
final class CapturedQuestions {
  private static final String BOOTP_ZEROS = "00".repeat(202);

  /** A DHCPDISCOVER of udhcpc 1.35. */
  static final Octets DISCOVER_UDHCPC =
      frame(
          "ffffffffffff02000000000108004500014800000000401179a600000000ffffffff00440043"
              + "0134d90201010600da93823d000000000000000000000000000000000000000002000000"
              + "0001"
              + BOOTP_ZEROS
              + "638253633501013902024037070103060c0f1c2a3c0c756468637020312e33352e303d07"
              + "01020000000001ff0000000000000000000000000000000000000000");

  /** A DHCPDISCOVER of dhclient 4.4.3. */
  static final Octets DISCOVER_DHCLIENT =
      frame(
          "ffffffffffff020000000001080045100148000000008011399600000000ffffffff00440043"
              + "01345b4401010600effc6621000000000000000000000000000000000000000002000000"
              + "0001"
              + BOOTP_ZEROS
              + "638253633501010c02766d370d011c02030f06770c2c2f1a792aff"
              + "00".repeat(37));

  /** A SOLICIT of dhclient 4.4.3. */
  static final Octets SOLICIT_DHCLIENT =
      frame(
          "33330001000202000000000186dd6005ce5500401101fe80000000000000000000fffe000001"
              + "ff020000000000000000000000010002022202230040fcd8017b84030001000e00010001"
              + "32a068b802000000000100060008001700180027001f0008000200000003000c00000001"
              + "00000e1000001518");

  /** A router solicitation of Linux 6. */
  static final Octets SOLICITATION_LINUX =
      frame(
          "33330000000202000000000186dd6000000000103afffe80000000000000000000fffe000001"
              + "ff02000000000000000000000000000285007b2c000000000101020000000001");

  /** A router solicitation of rdisc6 1.0.5. */
  static final Octets SOLICITATION_RDISC6 =
      frame(
          "33330000000202000000000186dd600a4d1000083afffe80000000000000000000fffe000001"
              + "ff02000000000000000000000000000285007e3600000000");

  static final List<Octets> ALL =
      List.of(
          DISCOVER_UDHCPC,
          DISCOVER_DHCLIENT,
          SOLICIT_DHCLIENT,
          SOLICITATION_LINUX,
          SOLICITATION_RDISC6);

  private CapturedQuestions() {}

  private static Octets frame(String hex) {
    return Octets.of(HexFormat.of().parseHex(hex));
  }
}
