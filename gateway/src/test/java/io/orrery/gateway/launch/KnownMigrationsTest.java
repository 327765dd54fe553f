package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KnownMigrationsTest {
  /** A file for one engine stands in the place of the one without its name. */
  private static String plain(Path file) {
    return file.getFileName().toString().replaceAll("\\.(sqlite|postgresql)\\.sql$", ".sql");
  }

  @Test
  void eachFileOfTheSourcesIsKnown() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("..").toRealPath(), 12)) {
      List<String> written =
          files
              .filter(file -> file.toString().contains("/src/main/resources/"))
              .filter(file -> file.getFileName().toString().matches("\\d{4}-.*\\.sql"))
              .map(file -> file.getParent().getFileName() + "/" + plain(file))
              .distinct()
              .toList();
      List<String> known =
          KnownMigrations.ALL.stream()
              .flatMap(each ->
                  each.files().stream()
                      .map(file ->
                          each.owner().getPackageName().replaceAll(".*\\.", "") + "/" + file))
              .toList();
      assertThat(known).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(written);
    }
  }
}
