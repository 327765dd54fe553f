package io.orrery.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks for programs in directories of a search path. */
class SearchPathTest {
  @TempDir Path temp;

  @Test
  void theFirstExecutableFileOfANameIsFound() throws IOException {
    Path plain = Files.createDirectory(temp.resolve("plain"));
    Files.createFile(plain.resolve("tool"));
    Path folder = Files.createDirectories(temp.resolve("folder"));
    Files.createDirectory(folder.resolve("tool"));
    Path first = program("first");
    program("second");

    SearchPath path = new SearchPath("%s/plain:%1$s/folder:%1$s/first:%1$s/second".formatted(temp));

    assertThat(path.find("tool")).contains(first);
    assertThat(path.find("other")).isEmpty();
  }

  @Test
  void relativeAndImpossibleDirectoriesArePassedOver() throws IOException {
    Path tool = program("bin");

    assertThat(new SearchPath(":.:/\0:" + temp + "/bin").find("tool")).contains(tool);
    Path relative = Path.of("").toAbsolutePath().relativize(temp.resolve("bin"));
    assertThat(new SearchPath(relative.toString()).find("tool")).isEmpty();
  }

  @Test
  void anEnvironmentWithoutAPathHasTheUsualOne() {
    assertThat(SearchPath.of(Map.of("PATH", "/opt/bin"))).isEqualTo(new SearchPath("/opt/bin"));
    assertThat(SearchPath.of(Map.of()).find("sh")).isPresent();
  }

  private Path program(String directory) throws IOException {
    Path file = Files.createDirectories(temp.resolve(directory)).resolve("tool");
    Files.createFile(file);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }
}
