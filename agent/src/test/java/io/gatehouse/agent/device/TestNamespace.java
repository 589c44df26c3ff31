package io.gatehouse.agent.device;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network namespace of one test, with one thread inside it. What that thread opens or starts
 * (sockets, processes, /proc/sys/net) belongs to the namespace; other threads are not touched.
 */
public final class TestNamespace implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final int CLONE_NEWNET = 0x40000000;
  private static final int O_RDONLY_CLOEXEC = 0x80000;
  private static final long MAX_SECONDS = 30;

  private final String name =
      "ghnl-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
  private final ExecutorService inside =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
          });

  /** The C library's calls that enter a namespace. */
  static final class Calls {
    static {
      Native.register(Calls.class, "c");
    }

    private Calls() {}

    static native int open(String path, int flags) throws LastErrorException;

    static native int setns(int fd, int type) throws LastErrorException;

    static native int close(int fd) throws LastErrorException;
  }

  public TestNamespace() throws Exception {
    execute(List.of("ip", "netns", "add", name));
    run(this::enter);
  }

  public String name() {
    return name;
  }

  /** Runs on the thread inside. */
  public <T> T run(Callable<T> task) throws Exception {
    try {
      return inside.submit(task).get(MAX_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      if (e.getCause() instanceof AssertionError failed) {
        throw failed;
      }
      throw e;
    }
  }

  /** Runs a command line inside, split at spaces; it must succeed. */
  public String sh(String commandLine) throws Exception {
    return execute(prefixed(commandLine));
  }

  /** A process inside, for those that go on; the caller ends it. */
  public Process start(String commandLine) throws IOException {
    return new ProcessBuilder(prefixed(commandLine)).redirectErrorStream(true).start();
  }

  @Override
  public void close() throws IOException {
    inside.shutdownNow();
    execute(List.of("ip", "netns", "del", name));
  }

  private Void enter() {
    int fd = Calls.open("/run/netns/" + name, O_RDONLY_CLOEXEC);
    Calls.setns(fd, CLONE_NEWNET);
    Calls.close(fd);
    return null;
  }

  private List<String> prefixed(String commandLine) {
    List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", name));
    command.addAll(List.of(commandLine.split(" ", -1)));
    return command;
  }

  private static String execute(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    // Its output has ended, so it is about to.
    int status = process.onExit().join().exitValue();
    if (status != 0) {
      throw new IOException(command + " ended with " + status + ": " + output);
    }
    return output;
  }
}
