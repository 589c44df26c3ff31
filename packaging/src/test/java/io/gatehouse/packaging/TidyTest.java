package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sizes and names of the code we write, by its syntax; generated code is not looked at. */
// The parameter of a tree scanner that has none.
@SuppressWarnings("VoidUsed")
final class TidyTest {
  private static final int MAX_FILE_LINES = 400;
  private static final int MAX_METHOD_LINES = 60;
  private static final int MAX_PARAMETERS = 5;
  private static final int MAX_TYPES_IN_PACKAGE = 20;

  /** Words that say nothing; a name made of them hides what a type is. */
  private static final Pattern EMPTY_WORD =
      Pattern.compile(
          "(Manager|Helper|Util|Utils|Impl|Processor|Info|Data|Base|Abstract|Common)(?![a-z])");

  /** The platform's own words for what the type extends. */
  private static final Set<String> WORDS_OF_THE_PLATFORM = Set.of("TrustManager", "KeyManager");

  private static final Pattern PUT_OFF = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");
  private static final Pattern SKIPPED =
      Pattern.compile("@Disabled\\b|\\bassum(eTrue|eFalse|ingThat)\\b");
  private static final Pattern SLEEP = Pattern.compile("\\bThread\\.sleep\\b|\\.sleep\\(");

  private final List<String> problems = new ArrayList<>();

  @Test
  void filesAreShort() throws IOException {
    for (Path file : sources()) {
      int lines = Files.readAllLines(file).size();
      if (lines > MAX_FILE_LINES) {
        problems.add(file + " has " + lines + " lines, more than " + MAX_FILE_LINES);
      }
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void packagesAreSmall() throws IOException {
    Map<Path, Integer> types = new TreeMap<>();
    for (Path file : sources()) {
      boolean main = file.toString().contains("/src/main/");
      if (main && !file.endsWith("package-info.java")) {
        types.merge(file.getParent(), 1, Integer::sum);
      }
    }
    types.forEach(
        (folder, count) -> {
          if (count > MAX_TYPES_IN_PACKAGE) {
            problems.add(folder + " has " + count + " types, more than " + MAX_TYPES_IN_PACKAGE);
          }
        });
    assertThat(problems).isEmpty();
  }

  @Test
  void nothingIsPutOffOrSkipped() throws IOException {
    for (Path file : sources()) {
      if (file.endsWith("TidyTest.java")) {
        continue;
      }
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        // Where there is no event to wait for, the line before says so.
        boolean explained = i > 0 && lines.get(i - 1).contains("// A pause ");
        boolean main = file.toString().contains("/src/main/");
        boolean sleeps = main && finds(SLEEP, lines.get(i)) && !explained;
        if (sleeps || finds(PUT_OFF, lines.get(i)) || finds(SKIPPED, lines.get(i))) {
          problems.add(file + ":" + (i + 1) + " " + lines.get(i).strip());
        }
      }
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void namesSayWhatAThingIsAndMethodsAreShort() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  diagnostic -> {},
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjectsFromPaths(sources()));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new Look(unit, positions).scan(unit, null);
      }
    }
    assertThat(problems).isEmpty();
  }

  /** Looks at the types and methods of one file. */
  private final class Look extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;

    Look(CompilationUnitTree unit, SourcePositions positions) {
      this.unit = unit;
      this.positions = positions;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
      String name = type.getSimpleName().toString();
      boolean excused = WORDS_OF_THE_PLATFORM.stream().anyMatch(name::endsWith);
      if (finds(EMPTY_WORD, name) && !excused) {
        problem(type, name + " has a word that says nothing");
      }
      if (type.getKind() == Tree.Kind.RECORD) {
        // A canonical constructor has as many parameters as the record has components.
        type.getMembers().forEach(member -> scanMember(name, member));
        return null;
      }
      return super.visitClass(type, nothing);
    }

    private void scanMember(String record, Tree member) {
      boolean canonical =
          member instanceof MethodTree method && method.getName().contentEquals("<init>");
      if (canonical) {
        length((MethodTree) member, record);
        return;
      }
      scan(member, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
      String name = method.getName().toString();
      if (method.getParameters().size() > parameterLimit(method)) {
        problem(method, name + " has " + method.getParameters().size() + " parameters");
      }
      length(method, name);
      return super.visitMethod(method, nothing);
    }

    /** A constructor may take one more, what it works with; a native method is C's. */
    private int parameterLimit(MethodTree method) {
      if (method.getModifiers().getFlags().contains(Modifier.NATIVE)) {
        return Integer.MAX_VALUE;
      }
      return method.getName().contentEquals("<init>") ? MAX_PARAMETERS + 1 : MAX_PARAMETERS;
    }

    @Override
    public @Nullable Void visitCatch(CatchTree caught, @Nullable Void nothing) {
      BlockTree block = caught.getBlock();
      boolean excused = text(block).contains("//");
      if (block.getStatements().isEmpty() && !excused) {
        problem(caught, "catches and says nothing");
      }
      return super.visitCatch(caught, nothing);
    }

    private void length(MethodTree method, String name) {
      LineMap lines = unit.getLineMap();
      long length =
          lines.getLineNumber(positions.getEndPosition(unit, method))
              - lines.getLineNumber(positions.getStartPosition(unit, method))
              + 1;
      if (length > MAX_METHOD_LINES) {
        problem(method, name + " has " + length + " lines");
      }
    }

    private String text(Tree tree) {
      try {
        return unit.getSourceFile()
            .getCharContent(true)
            .subSequence(
                (int) positions.getStartPosition(unit, tree),
                (int) positions.getEndPosition(unit, tree))
            .toString();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    private void problem(Tree where, String what) {
      long line = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, where));
      problems.add(unit.getSourceFile().getName() + ":" + line + " " + what);
    }
  }

  private static boolean finds(Pattern pattern, String text) {
    return pattern.matcher(text).find();
  }

  /** All source files of all modules. */
  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : List.of("proto", "agent", "control-plane", "packaging")) {
      Path folder = Path.of("..", module, "src");
      if (!Files.isDirectory(folder)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(folder)) {
        files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
      }
    }
    assertThat(sources).as("the test runs in its module's folder").hasSizeGreaterThan(100);
    return sources;
  }
}
