package io.orrery.cli.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a file that a user named is treated as cp would treat it (F5). */
@Timeout(60)
class OutputFileTest {
  @TempDir Path folder;

  @Test
  void aFileThatIsThereKeepsItsModeAndANewOneHasTheUsualOne() throws Exception {
    Path file = Files.writeString(folder.resolve("old"), "before");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    write(file);
    assertThat(file).hasContent("result");
    assertThat(mode(file)).isEqualTo("rw-rw-r--");

    Path usual = Files.writeString(folder.resolve("usual"), "");
    write(folder.resolve("new"));
    assertThat(mode(folder.resolve("new"))).isEqualTo(mode(usual));
  }

  @Test
  void linksOfBothKindsAreWrittenThrough() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "before");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    write(link);
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("result");

    Path second = Files.createLink(folder.resolve("second"), file);
    Files.writeString(file, "before");
    write(second);
    assertThat(file).hasContent("result");

    Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("none"));
    write(dangling);
    assertThat(folder.resolve("none")).hasContent("result");
  }

  @Test
  void aDirectoryIsRefusedAndStays() throws Exception {
    Path directory = Files.createDirectories(folder.resolve("directory"));

    assertThatThrownBy(() -> write(directory)).hasMessageContaining("is a directory");
    assertThat(directory).isDirectory();
  }

  @Test
  void devicesAndFifosAreWrittenInto() throws Exception {
    write(Path.of("/dev/null"));
    assertThat(Files.getAttribute(Path.of("/dev/null"), "unix:rdev")).isNotEqualTo(0L);
    assertThatThrownBy(() -> write(Path.of("/dev/full"))).hasMessageContaining("No space left");
    assertThat(Path.of("/dev/full")).exists();

    Path fifo = folder.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    CompletableFuture<String> reader =
        CompletableFuture.supplyAsync(() -> {
          try {
            return Files.readString(fifo);
          } catch (IOException e) {
            return e.toString();
          }
        });
    write(fifo);
    assertThat(reader.get(30, TimeUnit.SECONDS)).isEqualTo("result");
  }

  @Test
  void aResultThatBreaksOffLeavesWhatWasThere() throws Exception {
    Path file = Files.writeString(folder.resolve("old"), "before");

    assertThatThrownBy(() ->
            OutputFile.write(
                file,
                out -> {
                  out.write(1);
                  throw new IOException("it broke off");
                }))
        .hasMessage("it broke off");
    assertThat(file).hasContent("before");
    assertThat(folder).isDirectoryContaining(each -> each.endsWith("old"));
    assertThat(folder.toFile().list()).hasSize(1);
  }

  private static void write(Path file) throws IOException {
    OutputFile.write(file, out -> out.write("result".getBytes(StandardCharsets.UTF_8)));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
