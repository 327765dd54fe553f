package io.orrery.core.style;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The style rules of CONTRIBUTING.md, checked over all sources and documents of the repository.
 * {@code ratchet.txt} lists the exceptions; it is lowered by {@link #COMMAND} and never raised.
 */
class StyleTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path RATCHET = ROOT.resolve("core/src/test/resources/style/ratchet.txt");
  private static final String COMMAND =
      "mvn -pl core test -Dtest=StyleTest -Dchecks=off -Dorrery.style.write=true";
  private static final String HEAD =
      """
      # Exceptions from the style rules of CONTRIBUTING.md: file, rule, number. They may only fall.
      # %s
      # lowers them to what is found, and follows files that were moved.
      """
          .formatted(COMMAND);

  /** As many as one wants to read at once. */
  private static final int SHOWN = 40;

  @Test
  void theSourcesKeepTheRulesOfTheStylePage() throws IOException {
    List<SourceFile> files = SourceFile.below(ROOT);
    assertThat(files).as("source files below %s", ROOT).hasSizeGreaterThan(1000);
    List<Finding> findings = new ArrayList<>();
    files.forEach(file -> findings.addAll(TextRules.check(file)));
    findings.addAll(JavaRules.check(files.stream().filter(SourceFile::isJava).toList()));
    findings.sort(Comparator.comparing(Finding::path).thenComparing(Finding::line));

    Ratchet ratchet = Ratchet.read(RATCHET);
    if (Boolean.getBoolean("orrery.style.write")) {
      ratchet = ratchet.lowered(findings, path -> Files.exists(ROOT.resolve(path)));
      ratchet.write(RATCHET, HEAD);
    }
    List<Finding> excess = ratchet.excess(findings);
    if (!excess.isEmpty()) {
      fail(
          "Style: these files break a rule more often than ratchet.txt allows. Change one of the"
              + " places below, or as many as are new:\n%s",
          shown(excess.stream().map(Finding::toString)));
    }
    List<String> slack = ratchet.slack(findings);
    if (!slack.isEmpty()) {
      fail(
          "Style: these files are better than ratchet.txt says. Lower it with\n  %s\nand commit"
              + " it:\n%s",
          COMMAND, shown(slack.stream()));
    }
  }

  private static String shown(Stream<String> places) {
    List<String> all = places.toList();
    String end = all.size() > SHOWN ? "\n... and " + (all.size() - SHOWN) + " more" : "";
    return all.stream().limit(SHOWN).collect(Collectors.joining("\n")) + end;
  }
}
