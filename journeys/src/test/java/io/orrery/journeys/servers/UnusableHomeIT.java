package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a home that cannot be used is a sentence and exit code 1, never a stack trace or
 * silence (F4).
 */
@Timeout(300)
class UnusableHomeIT {
  @TempDir Path temp;

  @Test
  void aFileInThePlaceOfTheHomeIsNamed() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "");

    assertThat(start(file)).contains(file + " is there already and no directory");
    assertThat(start(file.resolve("home"))).contains("Not a directory");
    assertThat(start(file, "--detach")).contains("Not a directory");
  }

  @Test
  void aFullOrReadOnlyDiskIsSaidSo() throws Exception {
    Path disk = Files.createDirectories(temp.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", disk.toString()) == 0,
        "needs the right to mount");
    try {
      long size = Files.getFileStore(disk).getTotalSpace();
      assertThat(start(fill(disk, size, 0).resolve("home"), "--detach"))
          .containsAnyOf("is full", "No space left on device");
      for (long left : new long[] {100 << 10, 4 << 20}) {
        assertThat(start(fill(disk, size, left).resolve("home"))).contains("is full");
      }
      Files.delete(disk.resolve("fill"));
      assertThat(run("mount", "-o", "remount,ro", disk.toString())).isZero();
      assertThat(start(disk.resolve("other"))).contains("Read-only file system");
    } finally {
      run("umount", disk.toString());
    }
  }

  /** Leaves so many bytes of a disk. */
  private static Path fill(Path disk, long size, long left) throws IOException {
    Path fill = disk.resolve("fill");
    Files.deleteIfExists(fill);
    try (RandomAccessFile file = new RandomAccessFile(fill.toFile(), "rw")) {
      file.write(new byte[(int) (size - left)]);
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left");
    }
    return disk;
  }

  /** The output of a start; checks that it was a sentence and that the start failed. */
  private static String start(Path home, String... flags) throws Exception {
    List<String> command = new ArrayList<>(ServerProcess.command("up", "--home", home.toString()));
    command.addAll(List.of("--port", "0", "--router-port", "off"));
    command.addAll(List.of(flags));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isEqualTo(1);
    assertThat(said).startsWith("orrery: ").doesNotContain("\tat ").doesNotContain("Exception");
    return said;
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
  }
}
