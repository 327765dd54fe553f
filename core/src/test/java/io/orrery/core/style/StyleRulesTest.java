package io.orrery.core.style;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests for the rules, on small files of their own. */
class StyleRulesTest {
  private static final String WORD = "no" + "body";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"A cache of routes.", "The lease of a server.", "Reads routes."})
  void aTypeDocBeginsWithAnArticleOrAVerb(String doc) throws IOException {
    assertThat(typeDoc(doc)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "What a trial reports.",
        "Where routes are.",
        "{@link Cache} of routes.",
        "Its end."
      })
  void aTypeDocThatBeginsOtherwiseIsFound(String doc) throws IOException {
    assertThat(typeDoc(doc))
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.rule()).isEqualTo(Rule.TYPE_DOC);
          assertThat(finding.line()).isEqualTo(2);
          assertThat(finding.wrong()).startsWith("Routes is documented as");
        });
  }

  @Test
  void aPackageDocThatBeginsWithARelativeClauseIsFound() throws IOException {
    String path = "a/src/main/package-info.java";
    assertThat(java(path, "/** What is routed. */\npackage a;\n")).hasSize(1);
    assertThat(java(path, "/** Routing tables. */\npackage a;\n")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "warn  | could not read table {}: {}            | true",
        "warn  | could not bind: the port is not free   | true",
        "warn  | table {} cannot be read: {}            | false",
        "error | {} failed                              | false",
        "info  | listening at {}                        | true",
        "info  | Listening at {}                        | false",
        "info  | NNI ended with code {}                 | true",
        "info  | what {} left is stored                 | false",
      })
  void aLogLineSaysWhatTheServerCouldNotDo(String level, String text, boolean isGood)
      throws IOException {
    List<Finding> found =
        java("a/src/main/A.java", "class A {{ LOG." + level + "(\"" + text + "\"); }}");
    assertThat(found).hasSize(isGood ? 0 : 1);
  }

  @Test
  void aNameThatIsAMetaphorIsFoundAlsoWithinAnotherType() throws IOException {
    assertThat(java("a/src/main/A.java", "class A {\n  record RequestDesk() {}\n}"))
        .singleElement()
        .hasToString(
            "a/src/main/A.java:2: type-name: RequestDesk\n"
                + "    rename it, for instance to Handler, as in CommandHandler");
  }

  @Test
  void aNameOfTwoTopLevelTypesOfMainCodeIsFoundInBoth() throws IOException {
    List<SourceFile> files =
        List.of(
            new SourceFile("a/src/main/A.java", "class A {}"),
            new SourceFile("b/src/main/A.java", "class A {}"),
            new SourceFile("b/src/test/A.java", "class A {}"),
            new SourceFile("b/src/main/B.java", "class B { class A {} }"));
    assertThat(JavaRules.check(files, Map.of()))
        .extracting(Finding::path)
        .containsExactly("a/src/main/A.java", "b/src/main/A.java");
  }

  @Test
  void aNameThatTwoTypesMayShareIsFoundWhereThreeOrOneHaveIt() throws IOException {
    List<SourceFile> files =
        List.of(
            new SourceFile("a/src/main/A.java", "class A {}"),
            new SourceFile("b/src/main/A.java", "class A {}"),
            new SourceFile("b/src/main/B.java", "class B {}"));
    assertThat(JavaRules.check(files, Map.of("A", "a reason"))).isEmpty();
    assertThat(JavaRules.check(files, Map.of("A", "a reason", "B", "a reason")))
        .extracting(Finding::path)
        .containsExactly("b/src/main/B.java");
    assertThat(
            JavaRules.check(
                List.of(
                    files.get(0), files.get(1), new SourceFile("c/src/main/A.java", "class A {}")),
                Map.of("A", "a reason")))
        .hasSize(3);
  }

  @Test
  void aBannedWordWithinTheNameOfAMethodOrAVariableIsFound() throws IOException {
    String part = WORD.substring(0, 1).toUpperCase(Locale.ROOT) + WORD.substring(1);
    String text = "class A {\n  int %sSays;\n  void a%sAsks() {}\n}".formatted(WORD, part);
    assertThat(java("a/src/test/A.java", text)).extracting(Finding::line).containsExactly(2, 3);
    assertThat(java("a/src/test/A.java", text.replace(WORD, WORD + "x").replace(part, part + "x")))
        .isEmpty();
  }

  @Test
  void aBannedWordIsFoundInTextsOfAllKindsButNotWithinAnotherWord() {
    String text = "// " + WORD + "\nimport a." + WORD + ";\nint x" + WORD + ";\n";
    assertThat(TextRules.check(new SourceFile("a/A.java", text)))
        .singleElement()
        .satisfies(finding -> assertThat(finding.line()).isEqualTo(1));
    assertThat(TextRules.check(new SourceFile("docs/a.md", "No" + "body asks."))).hasSize(1);
  }

  @Test
  void aBannedWordThatIsAKeyOfAFormatIsAllowedInQuotationMarks() {
    String keys = "required: [\"%1$s\"]\n{\"%1$s\": 1, \\\"%1$s\\\": 2}".formatted(WORD);
    assertThat(TextRules.check(new SourceFile("a/a.yaml", keys))).isEmpty();
    assertThat(TextRules.check(new SourceFile("a/a.yaml", "\"" + WORD + " asks\""))).hasSize(1);
  }

  @Test
  void aWideLineOfADocumentIsFoundUnlessItCannotBeWrapped() {
    String wide = "word ".repeat(25);
    String page = wide + "\n| " + wide + "|\n    " + wide + "\n" + "x".repeat(120);
    assertThat(TextRules.check(new SourceFile("a.md", page)))
        .extracting(Finding::line)
        .containsExactly(1, 3);
  }

  @ParameterizedTest
  @CsvSource({"400, 0", "401, 1", "1000, 1"})
  void aLongFileIsFound(int lines, int findings) {
    assertThat(TextRules.check(new SourceFile("A.java", "\n".repeat(lines)))).hasSize(findings);
  }

  @ParameterizedTest
  @CsvSource({
    "a/src/main/A.java, 500, 0",
    "a/src/main/A.java, 501, 1",
    "a/src/test/A.java, 401, 1",
    "a/src/main/a.css, 401, 1"
  })
  void aLongFileOfMainCodeMayGiveAReason(String path, int lines, int findings) {
    String reason = "/**\n * A list. The file is longer\n * than 400 lines, because it is.\n */\n";
    String text = reason + "\n".repeat(lines - 4);
    assertThat(TextRules.check(new SourceFile(path, text))).hasSize(findings);
  }

  @Test
  void buildOutputAndHiddenFoldersAreNotRead() throws IOException {
    Path root = folder.resolve("a clone");
    for (String path : List.of("target/A.java", ".git/a.md", "docs/a.md", "docs/a.png")) {
      Files.createDirectories(root.resolve(path).getParent());
      Files.writeString(root.resolve(path), "text");
    }
    assertThat(SourceFile.below(root)).containsExactly(new SourceFile("docs/a.md", "text"));
  }

  private static List<Finding> typeDoc(String doc) throws IOException {
    return java("a/src/main/Routes.java", "/** " + doc + " */\nclass Routes {}\n");
  }

  private static List<Finding> java(String path, String text) throws IOException {
    return JavaRules.check(List.of(new SourceFile(path, text)), Map.of());
  }
}
