package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class StoreReleaseTest {
  private static final Pattern HEADING = Pattern.compile("(?m)^## (\\d+\\.\\d+)\\.\\d+");

  /** Each minor release counts once, however many follow it with its first two numbers. */
  @Test
  void theReleaseOfThisProgramIsTheFirstOfTheChangelog() throws Exception {
    List<String> minors =
        HEADING
            .matcher(Files.readString(Path.of("../CHANGELOG.md")))
            .results()
            .map(heading -> heading.group(1))
            .distinct()
            .toList();

    assertThat(StoreRelease.CURRENT).isEqualTo(new StoreRelease(minors.size(), minors.getFirst()));
  }
}
