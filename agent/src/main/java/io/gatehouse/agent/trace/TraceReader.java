package io.gatehouse.agent.trace;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text of {@code ofproto/trace} (ofproto-dpif-trace.c): one pass over its lines. A pass
 * of the packet through the tables ends with its datapath actions; each copy that went to the
 * connection tracker has a pass of its own. Whatever is not whole is an error: half a trace would
 * look like a drop.
 */
public final class TraceReader {
  private static final Pattern STEP =
      Pattern.compile(
          "([0-9]{1,3})\\. (?:(.*), )?priority ([0-9]{1,5})(?:, cookie 0x([0-9a-f]{1,16}))?");
  private static final Pattern BRIDGE = Pattern.compile("bridge\\(\"(.*)\"\\)");
  private static final Pattern MISS = Pattern.compile("[0-9]{1,3}\\. No match\\.");
  private static final Pattern OUTPUT = Pattern.compile("output:([0-9]{1,5})");
  private static final Pattern REGISTER = Pattern.compile("-> output port is ([0-9]{1,10})");
  private static final Pattern TUNNEL_ID =
      Pattern.compile(
          "(?:set_field:0x([0-9a-f]{1,16})->tun_id|-> NXM_NX_TUN_ID\\[.*\\] is now"
              + " 0x([0-9a-f]{1,16}))");
  private static final Pattern TUNNEL_TO =
      Pattern.compile("set_field:([0-9a-fA-F.:]{2,45})->(?:tun_dst|tun_ipv6_dst)");
  private static final Pattern FLOW_TUNNEL_ID = Pattern.compile("[ ,]tun_id=0x([0-9a-f]{1,16})");
  private static final Pattern FLOW_TUNNEL_TO =
      Pattern.compile("[ ,](?:tun_dst|tun_ipv6_dst)=([0-9a-fA-F.:]{2,45})");
  private static final Pattern NOT_SENT =
      Pattern.compile(">> (skipping output to input port|Nonexistent output port).*");
  private static final int HERE = -1;
  private static final long LAST_PORT = 0xffff;
  private static final long FIRST_RESERVED = 0xff00;

  private final List<Trace.Sent> sent = new ArrayList<>();
  private final List<Trace.Step> steps = new ArrayList<>();
  private boolean floods;
  private String bridge = "";

  /** How deep the name of another bridge stands whose lines are read. */
  private int elsewhere = HERE;

  private int inPort;
  private int passes;
  private int ends;
  private int forks;
  private int sentBefore;
  private long tunnelId;
  private Optional<IpAddress> tunnelTo = Optional.empty();
  private int sentByLast;

  private TraceReader() {}

  /**
   * Reads a trace.
   *
   * @param inPort that the packet came in at
   */
  public static Trace read(String text, int inPort) throws UnreadableTraceException {
    TraceReader reader = new TraceReader();
    reader.inPort = inPort;
    for (String line : text.split("\n", -1)) {
      reader.line(line.stripTrailing());
    }
    reader.requireWhole();
    return new Trace(reader.sent, reader.floods, reader.steps);
  }

  private void requireWhole() throws UnreadableTraceException {
    if (passes == 0) {
      throw new UnreadableTraceException("no flow");
    }
    if (ends != passes) {
      throw new UnreadableTraceException(ends + " of " + passes + " passes have an end");
    }
    if (passes != forks + 1) {
      throw new UnreadableTraceException(
          forks + " copies were tracked, " + (passes - 1) + " came back");
    }
  }

  private void line(String raw) throws UnreadableTraceException {
    String line = raw.strip();
    if (line.contains("The forked pipeline will be resumed")) {
      forks++;
    } else if (!line.isEmpty() && !isElsewhere(line, raw.length() - line.length())) {
      own(line);
    }
  }

  /**
   * True for what another bridge does with the packet: a tunnel of the userspace datapath goes on
   * over the bridge that has the VTEP's address. Its lines stand below its name; the first one that
   * is less deep, or the end of the pass, is ours again.
   */
  private boolean isElsewhere(String line, int depth) {
    Matcher header = BRIDGE.matcher(line);
    if (header.matches()) {
      String name = header.group(1);
      bridge = bridge.isEmpty() ? name : bridge;
      elsewhere = name.equals(bridge) ? HERE : depth;
      return true;
    }
    if (line.startsWith("Final flow: ") || line.startsWith("Flow: ") || depth < elsewhere) {
      elsewhere = HERE;
    }
    return elsewhere != HERE;
  }

  private void own(String line) throws UnreadableTraceException {
    if (line.startsWith("Flow: ")) {
      passes++;
      sentBefore = sent.size();
      flow(line);
      return;
    }
    if (line.startsWith("Datapath actions: ")) {
      ends++;
      return;
    }
    if (line.startsWith("Translation failed")) {
      sent.subList(sentBefore, sent.size()).clear();
      return;
    }
    if (!step(line)) {
      action(line);
    }
  }

  private boolean step(String line) throws UnreadableTraceException {
    Matcher step = STEP.matcher(line);
    if (!step.matches()) {
      return MISS.matcher(line).matches();
    }
    if (passes == 0) {
      throw new UnreadableTraceException("a table before the flow");
    }
    String match = step.group(2);
    String cookie = step.group(4);
    steps.add(
        new Trace.Step(
            Integer.parseInt(step.group(1)),
            Integer.parseInt(step.group(3)),
            cookie == null ? 0 : Long.parseUnsignedLong(cookie, 16),
            match == null ? "" : match));
    sentByLast = 0;
    return true;
  }

  /** What the packet brings along from its tunnel, or from the pass before. */
  private void flow(String line) throws UnreadableTraceException {
    tunnelId = 0;
    tunnelTo = Optional.empty();
    Matcher id = FLOW_TUNNEL_ID.matcher(line);
    if (id.find()) {
      tunnelId = Long.parseUnsignedLong(id.group(1), 16);
    }
    Matcher to = FLOW_TUNNEL_TO.matcher(line);
    while (to.find()) {
      tunnelTo(to.group(1));
    }
  }

  private void tunnelTo(String address) throws UnreadableTraceException {
    try {
      IpAddress found = IpAddress.parse(address);
      tunnelTo = found.isUnspecified() ? tunnelTo : Optional.of(found);
    } catch (InvalidValueException e) {
      throw new UnreadableTraceException(address + " is no address");
    }
  }

  /** True if the line writes where the tunnel leads. */
  private boolean tunnel(String line) throws UnreadableTraceException {
    Matcher id = TUNNEL_ID.matcher(line);
    if (id.matches()) {
      String value = id.group(1) == null ? id.group(2) : id.group(1);
      tunnelId = Long.parseUnsignedLong(value, 16);
      return true;
    }
    Matcher to = TUNNEL_TO.matcher(line);
    if (to.matches()) {
      tunnelTo(to.group(1));
    }
    return to.matches();
  }

  private void action(String line) throws UnreadableTraceException {
    if (tunnel(line)) {
      return;
    }
    if (line.startsWith(">>")) {
      if (NOT_SENT.matcher(line).matches()) {
        takeBack();
      }
      return;
    }
    Matcher register = REGISTER.matcher(line);
    if (register.matches()) {
      sendToRegister(Long.parseLong(register.group(1)));
      return;
    }
    if (line.startsWith("->")) {
      return; // What an action has done, in other words.
    }
    sentByLast = 0;
    Matcher output = OUTPUT.matcher(line);
    if (output.matches()) {
      send(Integer.parseInt(output.group(1)));
      return;
    }
    named(line);
  }

  private void named(String line) {
    switch (line) {
      case "IN_PORT" -> send(inPort);
      case "LOCAL" -> send(Actions.LOCAL);
      case "NORMAL", "FLOOD", "ALL" -> floods = true;
      default -> {
        if (line.startsWith("controller(") || line.startsWith("CONTROLLER:")) {
          send(Actions.CONTROLLER);
        }
      }
    }
  }

  private void sendToRegister(long port) {
    if (port > LAST_PORT) {
      return;
    }
    int number = (int) (port >= FIRST_RESERVED ? port | 0xffff_0000L : port);
    if (number == Actions.NORMAL || number == Actions.FLOOD || number == Actions.ALL) {
      floods = true;
      return;
    }
    send(number == Actions.IN_PORT ? inPort : number);
  }

  private void send(int port) {
    sent.add(new Trace.Sent(port, tunnelId, tunnelTo));
    sentByLast = 1;
  }

  private void takeBack() {
    if (sentByLast == 1) {
      sent.remove(sent.size() - 1);
      sentByLast = 0;
    }
  }
}
