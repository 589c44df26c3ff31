package io.gatehouse.runtime.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads YAML 1.1 into trees of nodes, so that every complaint has a line. Nothing is constructed
 * from tags; size, depth and aliases are bounded.
 */
public final class YamlReader {
  private static final int MAX_CONFIG_BYTES = 256 * 1024;
  private static final int MAX_DOCUMENTS_BYTES = 32 * 1024 * 1024;
  private static final int MAX_DEPTH = 20;

  private YamlReader() {}

  /**
   * Reads a file of settings: one document, a map.
   *
   * @throws ConfigException if there is no such file or it is not YAML
   */
  public static YamlMap read(Path file) {
    ConfigProblems problems = new ConfigProblems(file.toString());
    List<Node> documents = List.of();
    try (InputStream in = Files.newInputStream(file)) {
      documents = compose(in, MAX_CONFIG_BYTES, problems);
    } catch (NoSuchFileException e) {
      problems.add(0, "", "no such file");
    } catch (IOException e) {
      problems.add(0, "", "cannot be read: " + e.getMessage());
    }
    problems.throwIfAny();
    if (documents.size() != 1) {
      problems.add(0, "", "has " + documents.size() + " documents, not one");
    }
    problems.throwIfAny();
    YamlTree.check(documents.get(0), problems);
    Path parent = file.toAbsolutePath().getParent();
    return YamlMap.ofRoot(documents.get(0), problems, parent == null ? Path.of("/") : parent);
  }

  /**
   * Reads a stream of documents, each a map or a list of maps.
   *
   * @param source what to call the stream in complaints
   * @param in the text in UTF-8, at most 32 MiB; not closed
   * @throws ConfigException if it is not YAML
   */
  public static YamlDocuments readAll(String source, InputStream in) {
    ConfigProblems problems = new ConfigProblems(source);
    List<Node> documents = List.of();
    try {
      documents = compose(in, MAX_DOCUMENTS_BYTES, problems);
    } catch (IOException e) {
      problems.add(0, "", "cannot be read: " + e.getMessage());
    }
    problems.throwIfAny();
    for (Node document : documents) {
      YamlTree.check(document, problems);
    }
    return YamlDocuments.of(documents, problems);
  }

  private static List<Node> compose(InputStream in, int maxBytes, ConfigProblems problems)
      throws IOException {
    byte[] bytes = in.readNBytes(maxBytes + 1);
    if (bytes.length > maxBytes) {
      problems.add(0, "", "is larger than " + maxBytes + " bytes");
      return List.of();
    }
    List<Node> documents = new ArrayList<>();
    try {
      for (Node document : yaml(maxBytes).composeAll(utf8(bytes))) {
        documents.add(document);
      }
    } catch (CharacterCodingException e) {
      problems.add(0, "", "is not UTF-8");
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      problems.add(line, "", "is not YAML: " + oneLine(e.getProblem()));
    } catch (YAMLException e) {
      problems.add(0, "", "is not YAML: " + oneLine(e.getMessage()));
    }
    return documents;
  }

  private static Yaml yaml(int maxBytes) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(maxBytes);
    options.setNestingDepthLimit(MAX_DEPTH);
    options.setMaxAliasesForCollections(0);
    options.setAllowRecursiveKeys(false);
    return new Yaml(new SafeConstructor(options));
  }

  private static Reader utf8(byte[] bytes) throws CharacterCodingException {
    return new StringReader(
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
  }

  private static String oneLine(@Nullable String text) {
    return String.valueOf(text).lines().findFirst().orElse("");
  }
}
