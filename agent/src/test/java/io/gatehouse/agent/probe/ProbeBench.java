package io.gatehouse.agent.probe;

import io.gatehouse.agent.path.PathPace;
import io.gatehouse.agent.path.PathPartners.Partner;
import io.gatehouse.agent.path.PathTable;
import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * What a DPU with 500 partners sends, and what that costs it: a real prober and real sockets, with
 * each partner on a loopback address of its own. First all partners answer, then none does. CPU is
 * of the prober's own two threads; those of the partners are not counted. Not a test: it asserts
 * nothing. Arguments: partners, seconds of each phase.
 */
public final class ProbeBench {
  private static final int PORT = 61_789;
  private static final int WANTED_BYTES = 1_500;
  private static final String OWN_LOOP = "own-loop";
  private static final IpAddress OWN = IpAddress.parse("127.1.0.1");

  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private volatile long proven;

  private ProbeBench() {}

  public static void main(String[] arguments) throws Exception {
    int partners = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 500;
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 30;
    new ProbeBench().run(partners, seconds);
  }

  private void run(int count, int seconds) throws Exception {
    EventLoopGroup others = loops("partners");
    EventLoopGroup own = loops(OWN_LOOP);
    List<ProbeSockets> partners = new ArrayList<>();
    SortedMap<DpuName, Partner> aims = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      IpAddress address = IpAddress.parse("127.2." + i / 250 + "." + (i % 250 + 1));
      partners.add(ProbeSockets.open(address, PORT, others, new Deaf(), System::nanoTime));
      aims.put(new DpuName("dpu" + i), new Partner(address, WANTED_BYTES));
    }
    answer(partners, Set.of(InetAddress.getByAddress(OWN.toBytes())));
    SecureRandom random = new SecureRandom();
    PathTable table =
        new PathTable(ProbeSockets.FLOWS, PathPace.DEFAULT, random::nextLong, System.nanoTime());
    try (PathProber prober =
        new PathProber(
            listener -> ProbeSockets.open(OWN, PORT, own, listener, System::nanoTime),
            table,
            sending -> {},
            new Counts())) {
      prober.aim(aims);
      prober.start();
      awaitProven(count);
      print(count + " partners, all answer", seconds);
      answer(partners, Set.of());
      print(count + " partners, none answers", seconds);
    }
    partners.forEach(ProbeSockets::close);
    var unused = own.shutdownGracefully();
    var unusedToo = others.shutdownGracefully();
  }

  private static EventLoopGroup loops(String name) {
    return new MultiThreadIoEventLoopGroup(
        1, new DefaultThreadFactory(name, true), EpollIoHandler.newFactory());
  }

  private static void answer(List<ProbeSockets> partners, Set<InetAddress> whom) {
    partners.forEach(sockets -> sockets.answerOnly(whom));
  }

  private void awaitProven(int count) {
    long start = System.nanoTime();
    while (proven < count) {
      LockSupport.parkNanos(10_000_000);
    }
    System.out.printf(
        Locale.ROOT, "all paths proven after %.1f s%n", (System.nanoTime() - start) / 1e9);
  }

  private void print(String what, int seconds) {
    double[] probes = new double[seconds];
    double[] answers = new double[seconds];
    double[] cpu = new double[seconds];
    for (int second = 0; second < seconds; second++) {
      long start = System.nanoTime();
      long sentBefore = sent.get();
      long answeredBefore = answered.get();
      long cpuBefore = cpuNanos();
      LockSupport.parkNanos(1_000_000_000);
      double wall = System.nanoTime() - start;
      probes[second] = (sent.get() - sentBefore) * 1e9 / wall;
      answers[second] = (answered.get() - answeredBefore) * 1e9 / wall;
      cpu[second] = (cpuNanos() - cpuBefore) * 100 / wall;
    }
    System.out.println(what);
    line("  probes a second", probes);
    line("  answers a second", answers);
    line("  CPU, percent of one core", cpu);
  }

  private static void line(String what, double[] values) {
    Arrays.sort(values);
    System.out.printf(
        Locale.ROOT,
        "%-28s N=%d  p50 %.1f  p90 %.1f  max %.1f%n",
        what,
        values.length,
        values[values.length / 2],
        values[values.length * 9 / 10],
        values[values.length - 1]);
  }

  /** Of the prober's thread and its event loop. */
  private static long cpuNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      boolean own =
          thread != null
              && (thread.getThreadName().startsWith(OWN_LOOP)
                  || thread.getThreadName().startsWith("path-probe"));
      nanos += own ? Math.max(0, threads.getThreadCpuTime(thread.getThreadId())) : 0;
    }
    return nanos;
  }

  private final class Counts implements PathProber.Listener {
    @Override
    public void pathsChanged(SortedMap<DpuName, PathStatus> paths) {
      proven =
          paths.values().stream()
              .filter(path -> path.verdict().state() == PathState.PROVEN)
              .count();
    }

    @Override
    public void limitsChanged(SortedMap<IpAddress, Integer> limits) {}

    @Override
    public void sent(int count) {
      sent.addAndGet(count);
    }

    @Override
    public void answered() {
      answered.incrementAndGet();
    }
  }

  /** A partner answers, and asks nothing itself. */
  private static final class Deaf implements ProbeSockets.Listener {
    @Override
    public void answered(InetAddress from, long nonce) {}

    @Override
    public void tunnelTested(InetAddress from, long nonce, boolean intact) {}

    @Override
    public void tooLarge(long nonce) {}

    @Override
    public void failed(Throwable reason) {}
  }
}
