package io.orrery.core.style;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Checks type docs, log lines and names of types in the syntax trees of the JDK's compiler. */
final class JavaRules {
  private static final Set<String> LOGGERS = Set.of("LOG", "LOGGER", "log", "logger");
  private static final Set<String> LEVELS = Set.of("trace", "debug", "info", "warn", "error");
  private static final Set<String> FAILURES = Set.of("warn", "error");
  private static final Pattern FIRST_WORD = Pattern.compile("[\\p{L}'’]+");

  /** The places between the words of an identifier. */
  private static final Pattern WORD_ENDS = Pattern.compile("_|(?<=\\p{Ll})(?=\\p{Lu})");

  /** A failure that is told from the side of the thing: "X cannot be read", "X was not stored". */
  private static final Pattern PASSIVE =
      Pattern.compile("\\b(cannot|is not|are not|was not|were not|not be|failed)\\b");

  private final List<Finding> findings = new ArrayList<>();

  /** The files of each simple name of a top-level type in main code. */
  private final Map<String, List<String>> names = new TreeMap<>();

  private JavaRules() {}

  /**
   * Checks Java files.
   *
   * @param shared names that two types may have; one that a single type has is found as well
   */
  static List<Finding> check(List<SourceFile> files, Map<String, String> shared)
      throws IOException {
    JavaRules rules = new JavaRules();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Source> sources = files.stream().map(Source::new).toList();
    JavacTask task =
        (JavacTask)
            compiler.getTask(null, null, ignored -> {}, List.of("-proc:none"), null, sources);
    Trees trees = Trees.instance(task);
    for (CompilationUnitTree unit : task.parse()) {
      rules.new Visitor(trees, unit).scan(unit, null);
    }
    rules.names.forEach((name, paths) -> rules.twice(name, paths, shared.containsKey(name)));
    return rules.findings;
  }

  private void twice(String name, List<String> paths, boolean isShared) {
    for (String path : paths) {
      if (isShared && paths.size() == 1) {
        findings.add(
            new Finding(
                Rule.NAME_TWICE,
                path,
                1,
                name + " is in shared-names.txt, and only one type has it"));
      }
      if (paths.size() > (isShared ? 2 : 1)) {
        List<String> others = paths.stream().filter(other -> !other.equals(path)).toList();
        findings.add(
            new Finding(
                Rule.NAME_TWICE, path, 1, name + " is also in " + String.join(", ", others)));
      }
    }
  }

  /** A file in memory, so that the text is read once. */
  private static final class Source extends SimpleJavaFileObject {
    private final SourceFile file;

    Source(SourceFile file) {
      super(address(file.path()), JavaFileObject.Kind.SOURCE);
      this.file = file;
    }

    private static URI address(String path) {
      try {
        return new URI("source", null, "/" + path, null);
      } catch (URISyntaxException e) {
        throw new IllegalArgumentException("could not make an address of " + path, e);
      }
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return file.text();
    }
  }

  private final class Visitor extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final Trees trees;
    private final CompilationUnitTree unit;
    private final String path;

    Visitor(Trees trees, CompilationUnitTree unit) {
      this.trees = trees;
      this.unit = unit;
      this.path = unit.getSourceFile().toUri().getPath().substring(1);
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
      String name = type.getSimpleName().toString();
      if (!name.isEmpty()) {
        boolean isTopLevel = getCurrentPath().getParentPath().getLeaf() == unit;
        if (isTopLevel && path.contains("src/main/")) {
          names.computeIfAbsent(name, ignored -> new ArrayList<>()).add(path);
        }
        name(type, name);
        doc(type, name);
      }
      return super.visitClass(type, nothing);
    }

    private void name(ClassTree type, String name) {
      String better = Wording.NAMES.get(name);
      for (String part : WORD_ENDS.split(name)) {
        better = better == null ? Wording.NAME_PARTS.get(part) : better;
      }
      if (better != null) {
        add(Rule.TYPE_NAME, type, name, "rename it, for instance to " + better);
      }
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
      words(method, method.getName().toString());
      return super.visitMethod(method, nothing);
    }

    @Override
    public @Nullable Void visitVariable(VariableTree variable, @Nullable Void nothing) {
      words(variable, variable.getName().toString());
      return super.visitVariable(variable, nothing);
    }

    /** Finds words that texts do not use in the names of methods, fields and variables. */
    private void words(Tree place, String name) {
      for (String part : WORD_ENDS.split(name)) {
        String better = Wording.WORDS.get(part.toLowerCase(Locale.ROOT));
        if (better != null) {
          add(Rule.BANNED_WORD, place, name, better);
        }
      }
    }

    private void doc(ClassTree type, String name) {
      String doc = trees.getDocComment(getCurrentPath());
      if (doc != null && !isNounOrVerb(firstWord(doc))) {
        doc(type, name, doc);
      }
    }

    /** Lets the doc of a package begin with any noun, but with no relative clause. */
    @Override
    public @Nullable Void visitPackage(PackageTree named, @Nullable Void nothing) {
      String doc = trees.getDocComment(getCurrentPath());
      if (doc != null && Wording.FIRST_WORDS.containsKey(firstWord(doc).toLowerCase(Locale.ROOT))) {
        doc(named, "the package", doc);
      }
      return super.visitPackage(named, nothing);
    }

    private void doc(Tree place, String name, String doc) {
      String text = doc.strip();
      String begin = text.substring(0, Math.min(text.length(), 50)).replace('\n', ' ');
      add(Rule.TYPE_DOC, place, name + " is documented as \"" + begin + "...\"");
    }

    private static String firstWord(String doc) {
      String text = doc.strip();
      Matcher word = FIRST_WORD.matcher(text);
      return word.lookingAt() ? word.group() : text.split("\\s", 2)[0];
    }

    /** Says whether a doc begins with an article, or with a verb (or plural noun) on -s. */
    private boolean isNounOrVerb(String first) {
      String word = first.toLowerCase(Locale.ROOT);
      return Set.of("a", "an", "the").contains(word)
          || (word.endsWith("s") && !Wording.FIRST_WORDS.containsKey(word));
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void nothing) {
      if (call.getMethodSelect() instanceof MemberSelectTree method
          && method.getExpression() instanceof IdentifierTree logger
          && LOGGERS.contains(logger.getName().toString())
          && LEVELS.contains(method.getIdentifier().toString())
          && !call.getArguments().isEmpty()) {
        String text = literal(call.getArguments().getFirst());
        if (text != null) {
          log(call, FAILURES.contains(method.getIdentifier().toString()), text);
        }
      }
      return super.visitMethodInvocation(call, nothing);
    }

    private void log(Tree call, boolean isFailure, String text) {
      Matcher word = FIRST_WORD.matcher(text);
      String first = word.lookingAt() ? word.group() : "";
      boolean isPassive = isFailure && PASSIVE.matcher(text).find();
      if (text.startsWith("could not ")) {
        return;
      }
      if (isPassive
          || (!first.isEmpty() && Character.isUpperCase(first.charAt(0)) && !isName(first))
          || Wording.FIRST_WORDS.containsKey(first.toLowerCase(Locale.ROOT))) {
        add(Rule.LOG_LINE, call, "\"" + text + "\"");
      }
    }

    /**
     * Says whether a capitalised word may begin a log line: a name such as Kafka, NNI, TensorBoard.
     */
    private boolean isName(String word) {
      return word.substring(1).chars().anyMatch(Character::isUpperCase)
          || Set.of("Kafka", "Kubernetes", "Vert").contains(word);
    }

    /** Returns the leftmost text of a concatenation, or null when it does not begin with one. */
    private static @Nullable String literal(ExpressionTree expression) {
      return switch (expression) {
        case LiteralTree literal -> literal.getValue() instanceof String text ? text : null;
        case BinaryTree sum -> literal(sum.getLeftOperand());
        case ParenthesizedTree inner -> literal(inner.getExpression());
        default -> null;
      };
    }

    private void add(Rule rule, Tree place, String wrong) {
      add(rule, place, wrong, rule.advice());
    }

    private void add(Rule rule, Tree place, String wrong, String right) {
      long start = trees.getSourcePositions().getStartPosition(unit, place);
      int line = (int) unit.getLineMap().getLineNumber(start);
      findings.add(new Finding(rule, path, line, wrong, right));
    }
  }
}
