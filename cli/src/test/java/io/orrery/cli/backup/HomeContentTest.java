package io.orrery.cli.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeContentTest {
  @TempDir Path home;

  /** A server that was killed while it wrote a key leaves such a file. */
  @Test
  void draftsOfSmallFilesAreLeftOut() throws IOException {
    Files.createDirectories(home.resolve("code"));
    Files.createTempFile(home, "secrets.key-", ".new");
    Files.createTempFile(home, "secret-", ".new");
    for (String name : new String[] {"secret", "what.new", "code/data-12.new"}) {
      Files.writeString(home.resolve(name), "x");
    }

    assertThat(new HomeContent(home).otherFiles())
        .containsExactly("code/data-12.new", "secret", "what.new");
  }
}
