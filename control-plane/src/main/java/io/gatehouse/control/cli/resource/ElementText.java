package io.gatehouse.control.cli.resource;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.AddressPair;
import io.gatehouse.proto.v1.HostConfiguration;
import io.gatehouse.proto.v1.HostRoute;
import io.gatehouse.proto.v1.RuleDirection;
import io.gatehouse.proto.v1.SecurityRule;
import io.gatehouse.wire.HostConfigurationWire;
import io.gatehouse.wire.PortSecurityWire;
import io.gatehouse.wire.SecurityGroupWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Elements of lists as one word each: a rule {@code ingress,tcp,80-443,remote=10.0.0.0/24}, a pair
 * {@code 10.0.0.100/32,00:00:5e:00:01:07}, a route {@code 0.0.0.0/0=10.0.0.1}. What is read is
 * written as the control plane would, so that equal things are equal.
 */
final class ElementText {
  private static final String FORM =
      "is not of the form ingress|egress[,PROTOCOL[,PORT[-PORT]]][,type=N][,code=N]"
          + "[,remote=CIDR | ,group=TENANT/GROUP]";

  private ElementText() {}

  /** Whether messages of the type have such a form. */
  static boolean has(Descriptor type) {
    return type.equals(SecurityRule.getDescriptor())
        || type.equals(AddressPair.getDescriptor())
        || type.equals(HostRoute.getDescriptor());
  }

  /** Reads one element; a complaint has the path below it, or no field. */
  static Message parse(Descriptor type, String text) {
    if (type.equals(SecurityRule.getDescriptor())) {
      return canonical(rule(text));
    }
    if (type.equals(AddressPair.getDescriptor())) {
      String[] parts = text.split(",", 2);
      AddressPair.Builder pair = AddressPair.newBuilder().setIpCidr(parts[0]);
      return canonical((parts.length > 1 ? pair.setMacAddress(parts[1]) : pair).build());
    }
    String[] parts = text.split("=", -1);
    if (parts.length != 2) {
      throw new InvalidValueException("", text, "is not of the form DESTINATION=ROUTER");
    }
    return canonical(HostRoute.newBuilder().setDestination(parts[0]).setNextHop(parts[1]).build());
  }

  /** The element as the control plane would write it. */
  static Message canonical(Message element) {
    Descriptor type = element.getDescriptorForType();
    try {
      if (type.equals(SecurityRule.getDescriptor())) {
        SecurityRule rule = SecurityRule.parseFrom(element.toByteString());
        return plain(SecurityGroupWire.rules(SecurityGroupWire.readRules(List.of(rule))).get(0));
      }
      if (type.equals(AddressPair.getDescriptor())) {
        AddressPair pair = AddressPair.parseFrom(element.toByteString());
        return plain(
            PortSecurityWire.pairs(PortSecurityWire.read(List.of(), List.of(pair))).get(0));
      }
      HostRoute route = HostRoute.parseFrom(element.toByteString());
      HostConfiguration only = HostConfiguration.newBuilder().addRoutes(route).build();
      return plain(
          HostConfigurationWire.toProto(HostConfigurationWire.fromProto(only)).getRoutes(0));
    } catch (InvalidValueException e) {
      // The one element that was read stands alone: its place in a list is not known here.
      throw e.renamed(e.field().replaceFirst("^[a-z_]+\\[0]\\.?", ""));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a message is read as its own type", e);
    }
  }

  /** Writes one element. */
  static String show(Message element) {
    Descriptor type = element.getDescriptorForType();
    try {
      if (type.equals(SecurityRule.getDescriptor())) {
        return show(SecurityRule.parseFrom(element.toByteString()));
      }
      if (type.equals(AddressPair.getDescriptor())) {
        AddressPair pair = AddressPair.parseFrom(element.toByteString());
        String mac = pair.getMacAddress();
        return pair.getIpCidr() + (mac.isEmpty() ? "" : "," + mac);
      }
      HostRoute route = HostRoute.parseFrom(element.toByteString());
      return route.getDestination() + "=" + route.getNextHop();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a message is read as its own type", e);
    }
  }

  private static SecurityRule rule(String text) {
    SecurityRule.Builder rule = SecurityRule.newBuilder();
    List<String> words = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      int equals = word.indexOf('=');
      if (equals < 0) {
        words.add(word);
        continue;
      }
      option(rule, word.substring(0, equals), word.substring(equals + 1), text);
    }
    if (words.size() > 3) {
      throw new InvalidValueException("", text, FORM);
    }
    switch (words.isEmpty() ? "" : words.get(0).toLowerCase(Locale.ROOT)) {
      case "ingress" -> rule.setDirection(RuleDirection.RULE_DIRECTION_INGRESS);
      case "egress" -> rule.setDirection(RuleDirection.RULE_DIRECTION_EGRESS);
      default -> throw new InvalidValueException("", text, FORM);
    }
    if (words.size() > 1) {
      rule.setProtocol(words.get(1));
    }
    if (words.size() > 2) {
      ports(rule, words.get(2));
    }
    return rule.build();
  }

  private static void ports(SecurityRule.Builder rule, String text) {
    String[] ends = text.split("-", 2);
    int first = number("port_min", ends[0]);
    rule.setPortMin(first).setPortMax(ends.length > 1 ? number("port_max", ends[1]) : first);
  }

  private static void option(SecurityRule.Builder rule, String key, String value, String whole) {
    switch (key) {
      case "type" -> rule.setIcmpType(number("icmp_type", value));
      case "code" -> rule.setIcmpCode(number("icmp_code", value));
      case "remote" -> rule.setRemoteCidr(value);
      case "group" -> rule.setRemoteGroup(ResourceKinds.SECURITY_GROUP.form().parse(value));
      default -> throw new InvalidValueException("", whole, FORM);
    }
  }

  private static int number(String field, String text) {
    boolean digits = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits || text.length() > 5) {
      throw new InvalidValueException(field, text, "is not a number of up to five digits");
    }
    return Integer.parseInt(text);
  }

  private static String show(SecurityRule rule) {
    StringBuilder text =
        new StringBuilder(
            rule.getDirection() == RuleDirection.RULE_DIRECTION_INGRESS ? "ingress" : "egress");
    if (!rule.getProtocol().isEmpty()) {
      text.append(',').append(rule.getProtocol());
    }
    if (rule.getPortMin() > 0) {
      text.append(',').append(rule.getPortMin());
      text.append(rule.getPortMax() > rule.getPortMin() ? "-" + rule.getPortMax() : "");
    }
    if (rule.hasIcmpType()) {
      text.append(",type=").append(rule.getIcmpType());
    }
    if (rule.hasIcmpCode()) {
      text.append(",code=").append(rule.getIcmpCode());
    }
    if (rule.hasRemoteCidr()) {
      text.append(",remote=").append(rule.getRemoteCidr());
    }
    if (rule.hasRemoteGroup()) {
      SecurityGroupName group = SecurityGroupName.parse(rule.getRemoteGroup());
      text.append(",group=").append(group.tenant().tenant()).append('/').append(group.group());
    }
    return text.toString();
  }

  /** What the command line handles is described by the contract, and of no class of its own. */
  private static Message plain(Message message) {
    return DynamicMessage.newBuilder(message.getDescriptorForType()).mergeFrom(message).build();
  }
}
