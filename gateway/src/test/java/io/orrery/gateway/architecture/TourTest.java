package io.orrery.gateway.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the newcomer's tour true. */
class TourTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");

  @Test
  void everyModuleHasARowInTheArchitecture() throws IOException {
    String architecture = Files.readString(ROOT.resolve("docs/architecture.md"));
    Matcher module = MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")));
    while (module.find()) {
      assertThat(architecture).contains("| `" + module.group(1) + "` |");
    }
  }

  @Test
  void everyPackageSaysWhatItIsFor() throws IOException {
    List<Path> folders;
    try (Stream<Path> files = Files.walk(ROOT, 12)) {
      folders =
          files
              .filter(file -> file.toString().contains("/src/main/java/"))
              .filter(file -> file.toString().endsWith(".java"))
              .map(Path::getParent)
              .distinct()
              .toList();
    }
    assertThat(folders).isNotEmpty();
    assertThat(folders)
        .allSatisfy(folder -> assertThat(folder.resolve("package-info.java")).exists());
  }

  @Test
  void everyLinkOfTheDocumentationLeadsSomewhere() throws IOException {
    List<Path> pages;
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      pages =
          Stream.concat(
                  docs,
                  Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
                      .map(ROOT::resolve))
              .filter(page -> page.toString().endsWith(".md"))
              .toList();
    }
    for (Path page : pages) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        assertThat(page.resolveSibling(link.group(1))).as("a link of %s", page).exists();
      }
    }
  }
}
