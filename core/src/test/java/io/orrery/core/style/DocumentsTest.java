package io.orrery.core.style;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares documents with what they are about: decision records, and types of the program. */
class DocumentsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path FOLDER = ROOT.resolve("docs/decisions");
  private static final Pattern HEADING = Pattern.compile("# (\\d{4}): (.+)");
  private static final Pattern CODE = Pattern.compile("`([A-Z][a-z]\\w*)(\\.\\w+)?`");
  private static final Pattern LINK = Pattern.compile("\\[(\\d{4})]\\([^)]*\\)");
  private static final Pattern STATUS =
      Pattern.compile("accepted(, amended by \\d{4}(, \\d{4})*)?|superseded by \\d{4}.*");

  @Test
  void everyRecordIsInTheIndexWithItsTitleAndAStatus() throws IOException {
    List<String> index = Files.readAllLines(FOLDER.resolve("README.md"));
    List<String> rows = index.stream().filter(line -> line.startsWith("| [")).toList();
    List<Path> records;
    try (Stream<Path> files = Files.list(FOLDER)) {
      records =
          files.filter(file -> file.getFileName().toString().matches("\\d{4}-.*\\.md")).toList();
    }
    assertThat(records).isNotEmpty();
    for (Path record : records) {
      String name = record.getFileName().toString();
      Matcher heading = HEADING.matcher(Files.readAllLines(record).getFirst());
      assertThat(heading.matches())
          .as("%s: the first line is to be \"# NNNN: Title\"", name)
          .isTrue();
      assertThat(name).as("the number of its heading").startsWith(heading.group(1) + "-");
      String start = "| [" + heading.group(1) + "](" + name + ") | " + heading.group(2) + " | ";
      assertThat(rows)
          .as("docs/decisions/README.md is to have one row that begins with: %s", start)
          .filteredOn(row -> row.startsWith(start))
          .singleElement()
          .satisfies(row -> {
            String status = row.substring(start.length(), row.length() - 2);
            assertThat(LINK.matcher(status).replaceAll("$1")).matches(STATUS);
          });
    }
    assertThat(rows).as("rows of records that do not exist").hasSameSizeAs(records);
  }

  /** Each complaint bears a number and names tests of today, or a benchmark. */
  @Test
  void everyTestThatStandsForAComplaintExists() throws IOException {
    Map<String, String> tests =
        SourceFile.below(ROOT).stream()
            .filter(SourceFile::isJava)
            .collect(
                Collectors.toMap(
                    file -> file.name().replace(".java", ""), SourceFile::text, (a, b) -> a + b));
    List<String> rows =
        Files.readAllLines(ROOT.resolve("docs/guarantees.md")).stream()
            .filter(line -> line.matches("\\| \\d+ \\|.*"))
            .toList();
    assertThat(rows).isNotEmpty();
    Set<String> missing = new TreeSet<>();
    for (String row : rows) {
      String shownBy = row.substring(row.lastIndexOf('|', row.length() - 2));
      Matcher name = CODE.matcher(shownBy);
      int named = 0;
      while (name.find()) {
        named++;
        String text = tests.get(name.group(1));
        String method = name.group(2);
        if (text == null
            || (method != null && !text.contains("void " + method.substring(1) + "("))) {
          missing.add(name.group());
        }
      }
      assertThat(named).as("tests of the complaint: %s", row).isPositive();
    }
    assertThat(missing).as("docs/guarantees.md names tests that do not exist").isEmpty();
  }

  @Test
  void everyTypeThatTheArchitectureNamesExists() throws IOException {
    Set<String> types =
        SourceFile.below(ROOT).stream()
            .filter(SourceFile::isJava)
            .map(file -> file.name().replace(".java", ""))
            .collect(Collectors.toSet());
    Matcher name = CODE.matcher(Files.readString(ROOT.resolve("docs/architecture.md")));
    Set<String> missing = new TreeSet<>();
    while (name.find()) {
      if (!types.contains(name.group(1))) {
        missing.add(name.group(1));
      }
    }
    assertThat(missing)
        .as("docs/architecture.md names types that no file has: use the name of today")
        .isEmpty();
  }
}
