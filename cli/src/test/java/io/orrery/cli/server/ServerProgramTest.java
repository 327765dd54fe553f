package io.orrery.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The command that starts this program once more. */
class ServerProgramTest {
  @Test
  void aClassPathNamesTheSameFilesInEachDirectory() {
    Path here = Path.of("").toAbsolutePath();

    assertThat(ServerProgram.absolute("lib/a.jar" + File.pathSeparator + "/opt/b.jar"))
        .isEqualTo(here.resolve("lib/a.jar") + File.pathSeparator + "/opt/b.jar");
  }
}
