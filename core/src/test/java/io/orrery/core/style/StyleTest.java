package io.orrery.core.style;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The style rules of CONTRIBUTING.md, checked over all sources and documents of the repository. */
class StyleTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** As many as one wants to read at once. */
  private static final int SHOWN = 40;

  @Test
  void theSourcesKeepTheRulesOfTheStylePage() throws IOException {
    List<SourceFile> files = SourceFile.below(ROOT);
    assertThat(files).as("source files below %s", ROOT).hasSizeGreaterThan(1000);
    List<Finding> findings = new ArrayList<>();
    files.forEach(file -> findings.addAll(TextRules.check(file)));
    findings.addAll(
        JavaRules.check(files.stream().filter(SourceFile::isJava).toList(), Wording.SHARED_NAMES));
    findings.sort(Comparator.comparing(Finding::path).thenComparing(Finding::line));

    if (!findings.isEmpty()) {
      fail("Style:\n%s", shown(findings.stream().map(Finding::toString)));
    }
  }

  @Test
  void fewNamesAreSharedByTwoTypes() {
    assertThat(Wording.SHARED_NAMES).hasSizeLessThanOrEqualTo(14);
  }

  private static String shown(Stream<String> places) {
    List<String> all = places.toList();
    String end = all.size() > SHOWN ? "\n... and " + (all.size() - SHOWN) + " more" : "";
    return all.stream().limit(SHOWN).collect(Collectors.joining("\n")) + end;
  }
}
