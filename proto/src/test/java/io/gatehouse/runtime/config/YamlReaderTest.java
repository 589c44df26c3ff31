package io.gatehouse.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlReaderTest {
  private static final String GOOD =
      """
      # An agent.
      dpu: dpu1
      datapath: netdev
      vtep:
        address: 192.0.2.1
      control_planes: [127.0.0.1:8443, "[::1]:8444"]
      listen:
        port: 9100
      resync: 30s
      state: var/state
      """;

  @TempDir Path directory;

  /** What a program's settings look like when they are read. */
  private record Settings(
      DpuName dpu,
      String datapath,
      IpAddress vtep,
      List<HostPort> controlPlanes,
      int port,
      Duration resync,
      Path state,
      Optional<String> note,
      boolean dryRun) {

    static Settings read(Path file) {
      YamlMap root = YamlReader.read(file);
      Supplier<DpuName> dpu = root.value("dpu", DpuName::new).required();
      Supplier<String> datapath =
          root.choice("datapath", Set.of("netdev", "system")).orElse("system");
      Supplier<IpAddress> vtep = root.map("vtep").value("address", IpAddress::parse).required();
      Supplier<List<HostPort>> controlPlanes =
          root.list("control_planes", 8, HostPort::parse).required();
      Supplier<Integer> port = root.map("listen").integer("port", 1, 65_535).orElse(9090);
      Supplier<Duration> resync =
          root.duration("resync", Duration.ofSeconds(1), Duration.ofHours(1))
              .orElse(Duration.ofSeconds(30));
      Supplier<Path> state = root.path("state").orElse(Path.of("/var/lib/gatehouse"));
      Supplier<Optional<String>> note = root.text("note").optional();
      Supplier<Boolean> dryRun = root.flag("dry_run").orElse(false);
      return root.finish(
          () ->
              new Settings(
                  dpu.get(),
                  datapath.get(),
                  vtep.get(),
                  controlPlanes.get(),
                  port.get(),
                  resync.get(),
                  state.get(),
                  note.get(),
                  dryRun.get()));
    }
  }

  @Test
  void readsTypedSettings() throws IOException {
    Settings settings = Settings.read(file(GOOD));
    assertThat(settings)
        .isEqualTo(
            new Settings(
                new DpuName("dpu1"),
                "netdev",
                IpAddress.parse("192.0.2.1"),
                List.of(new HostPort("127.0.0.1", 8443), new HostPort("::1", 8444)),
                9100,
                Duration.ofSeconds(30),
                directory.resolve("var/state"),
                Optional.empty(),
                false));
  }

  @Test
  void reportsEveryProblemWithItsLine() throws IOException {
    assertProblems(
        """
        dpu: Dpu1
        datpath: netdev
        vtep:
          adress: 192.0.2.1
        control_planes:
          - 127.0.0.1:8443
          - nowhere
          - ::1:5
        listen:
          port: 0
          port: 70000
        resync: 2 hours
        note: [a]
        dry_run: yes
        state:
        """,
        "1: dpu: Dpu1 is not an id: 1 to 40 of a-z, 0-9 and \"-\", starting with a letter, not"
            + " ending in \"-\"",
        "2: datpath: is not known; did you mean datapath?",
        "3: vtep.address: is missing",
        "4: vtep.adress: is not known; did you mean address?",
        "7: control_planes[1]: nowhere is not host:port, such as 192.0.2.1:8443 or"
            + " [2001:db8::1]:8443",
        "8: control_planes[2]: ::1:5 is not host:port, such as 192.0.2.1:8443 or"
            + " [2001:db8::1]:8443",
        "10: listen.port: 0 is outside 1..65535",
        "11: port: was given before, in line 10",
        "12: resync: 2 hours is not a number with a unit (ms, s, m, h, d), such as 30s",
        "13: note: a list stands where one value is needed",
        "14: dry_run: yes is neither true nor false",
        "15: state: nothing stands where one value is needed");
  }

  @Test
  void reportsWhatIsMissingAtTheMapThatLacksIt() throws IOException {
    assertProblems(
        "vtep: 5\n",
        "1: dpu: is missing",
        "1: vtep: a single value stands where a map is needed",
        "1: control_planes: is missing");
  }

  @Test
  void takesIntegersInDecimalOnly() throws IOException {
    for (String port : List.of("0x10", "010", "\"80\"", "8.0", "1_000", "12345678901234567890")) {
      String shown = port.replace("\"", "");
      assertProblems(
          GOOD.replace("9100", port), "8: listen.port: " + shown + " is not a decimal integer");
    }
  }

  @Test
  void constructsNothingFromTags() throws IOException {
    assertProblems(
        GOOD.replace("netdev", "!!javax.script.ScriptEngineManager [x]"),
        "3: is not YAML: Global tag is not allowed:"
            + " tag:yaml.org,2002:javax.script.ScriptEngineManager");
    assertProblems(
        GOOD.replace("dpu1", "!env HOME"),
        "2: the tag !env is not allowed",
        "2: dpu: HOME is not an id: 1 to 40 of a-z, 0-9 and \"-\", starting with a letter, not"
            + " ending in \"-\"");
  }

  @Test
  void boundsDepthAliasesAndSize() throws IOException {
    assertThat(problems("a: " + "[".repeat(100) + "]".repeat(100)))
        .contains("Nesting Depth exceeded");
    assertThat(problems("a: &a [x]\nb: *a\n")).contains("aliases");
    assertThat(problems("a: " + "x".repeat(300_000))).endsWith(": is larger than 262144 bytes");
  }

  @Test
  void saysWhyAFileIsNoYaml() throws IOException {
    assertThat(problems("a: [1\nb: 2\n")).contains("settings.yaml:2: is not YAML: ");
    assertThat(problems("a: 1\n---\nb: 2\n")).endsWith(": has 2 documents, not one");
    assertThat(problems("")).endsWith(": has 0 documents, not one");
    Path latin1 = Files.write(directory.resolve("latin1"), new byte[] {'a', ':', (byte) 0xe4});
    assertThat(thrownBy(latin1)).hasMessageEndingWith(": is not UTF-8");
    assertThat(thrownBy(directory.resolve("none"))).hasMessageEndingWith("none: no such file");
    assertThat(thrownBy(directory)).hasMessageContaining("cannot be read: ");
  }

  @Test
  void reportsAValueThatTheRecordRefuses() throws IOException {
    YamlMap root = YamlReader.read(file("port: 1\n"));
    Supplier<Integer> port = root.integer("port", 1, 9).required();
    ConfigException thrown =
        catchThrowableOfType(
            ConfigException.class, () -> root.finish(() -> new HostPort("not a name", port.get())));
    assertThat(thrown)
        .hasMessageEndingWith("host: not a name is neither an address nor a DNS name");
  }

  @Test
  void aMapMayBeAskedForTwiceAndKeysBeSkipped() throws IOException {
    YamlMap root = YamlReader.read(file("quota: {a: 1, b: 2, c: 3}\nstatus: 5\n"));
    Supplier<Integer> a = root.map("quota").integer("a", 0, 9).required();
    Supplier<Integer> b = root.map("quota").integer("b", 0, 9).required();
    root.map("quota").skipOthers();
    root.skip(List.of("status"));
    assertThat(root.<Integer>finish(() -> a.get() + b.get())).isEqualTo(3);
  }

  @Test
  void readsDocumentsAndListsOfMaps() {
    YamlDocuments documents = documents("kind: A\n---\n- kind: B\n- kind: C\n---\n---\nkind: D\n");
    List<Supplier<String>> kinds =
        documents.maps().stream().map(map -> map.text("kind").required()).toList();
    assertThat(documents.finish(() -> kinds.stream().map(Supplier::get).toList()))
        .containsExactly("A", "B", "C", "D");
    assertThat(documents.maps()).extracting(YamlMap::line).containsExactly(1, 3, 4, 7);
  }

  @Test
  void reportsTheProblemsOfAllDocumentsTogether() {
    YamlDocuments documents = documents("kind: A\nx: 1\n---\nkind: B\ny: 1\n---\n- 3\n");
    documents.maps().forEach(map -> map.text("kind").required());
    ConfigException thrown =
        catchThrowableOfType(ConfigException.class, () -> documents.finish(() -> 0));
    assertThat(thrown)
        .hasMessage(
            """
            stdin:2: x: is not known
            stdin:5: y: is not known
            stdin:7: a single value stands where a map is needed""");
  }

  @Test
  void anyBytesGiveSettingsOrProblems() throws IOException {
    long seed = 20_260_802;
    SplittableRandom random = new SplittableRandom(seed);
    byte[] good = GOOD.getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 2_000; round++) {
      byte[] bytes = good.clone();
      for (int change = random.nextInt(1, 6); change > 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(1, 128);
      }
      Path file = Files.write(directory.resolve("fuzz"), bytes);
      try {
        Settings.read(file);
      } catch (ConfigException e) {
        assertThat(e.problems()).as("seed %d round %d", seed, round).isNotEmpty();
      }
    }
  }

  private void assertProblems(String yaml, String... expected) throws IOException {
    String[] lines = problems(yaml).replace(directory + "/settings.yaml:", "").split("\n");
    assertThat(lines).containsExactly(expected);
  }

  private String problems(String yaml) throws IOException {
    return String.valueOf(thrownBy(file(yaml)).getMessage());
  }

  private static ConfigException thrownBy(Path file) {
    return catchThrowableOfType(ConfigException.class, () -> Settings.read(file));
  }

  private static YamlDocuments documents(String yaml) {
    return YamlReader.readAll(
        "stdin", new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
  }

  private Path file(String yaml) throws IOException {
    return Files.writeString(directory.resolve("settings.yaml"), yaml);
  }
}
