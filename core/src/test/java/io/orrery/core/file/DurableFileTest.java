package io.orrery.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFileTest {
  @TempDir Path folder;

  @Test
  void replacesWhatWasThereAndLeavesNothingBeside() throws IOException {
    Path file = folder.resolve("secret");
    DurableFile.write(file, bytes("first, and longer"));
    DurableFile.write(file, bytes("second"));
    assertThat(file).hasContent("second");
    DurableFile.replace(file, bytes("third, without a wait"));
    assertThat(file).hasContent("third, without a wait");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (var all = Files.list(folder)) {
      assertThat(all).containsExactly(file);
    }
  }

  @Test
  void onlyTheOwnerMayReadItEvenAfterACrashThatLeftAnOpenDraft() throws IOException {
    Path file = folder.resolve("secret");
    Path draft = Files.writeString(folder.resolve("secret.new"), "half");
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-rw-rw-"));
    DurableFile.write(file, bytes("whole"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void keepsTheOldContentWhenTheNewOneCannotBeWritten() throws IOException {
    // The name of a draft is longer, and longer than file systems allow: it cannot be made.
    Path file = Files.writeString(folder.resolve("s".repeat(250)), "old");
    assertThatThrownBy(() -> DurableFile.write(file, bytes("new"))).isInstanceOf(IOException.class);
    assertThat(file).hasContent("old");
  }

  @Test
  void createsOnceAndTheFirstContentStays() throws IOException {
    Path file = folder.resolve("secret");
    assertThat(DurableFile.create(file, bytes("first"))).isTrue();
    assertThat(DurableFile.create(file, bytes("second"))).isFalse();
    assertThat(file).hasContent("first");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (var all = Files.list(folder)) {
      assertThat(all).containsExactly(file);
    }
  }

  @Test
  void aKilledWriterLeavesAWholeContent() throws Exception {
    Path file = folder.resolve("state");
    Process writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .start();
    try (var told = writer.inputReader()) {
      assertThat(told.readLine()).isEqualTo("writes");
      writer.destroyForcibly().waitFor();
      assertThat(Files.readString(file)).matches("(\\d)\\1{65535}");
      DurableFile.sweep(folder);
      try (var all = Files.list(folder)) {
        assertThat(all).containsExactly(file);
      }
    } finally {
      writer.destroyForcibly();
    }
  }

  /** A program that writes one file again and again. */
  static final class Writer {
    private Writer() {}

    static void main(String... file) throws IOException {
      for (int i = 0; ; i++) {
        DurableFile.write(Path.of(file[0]), bytes(Integer.toString(i % 10).repeat(65_536)));
        if (i == 20) {
          System.out.println("writes");
        }
      }
    }
  }

  @Test
  void recordsAreReadBackAndTheirDirectoryIsMadeOnDemand() throws IOException {
    Path file = folder.resolve("missing/too/record.json");
    assertThat(JsonFile.read(file, Integer.class)).isNull();
    JsonFile.write(file, 7);
    assertThat(JsonFile.create(file, 8)).isFalse();
    assertThat(JsonFile.read(file, Integer.class)).isEqualTo(7);
    Path another = folder.resolve("another/record.json");
    assertThat(JsonFile.create(another, 9)).isTrue();
    assertThat(JsonFile.read(another, Integer.class)).isEqualTo(9);
  }

  @Test
  void writersAtOnceLeaveOneWholeContentAndNothingBeside() throws Exception {
    Path file = folder.resolve("secret");
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> writes = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        byte[] content = bytes(Integer.toString(i % 10).repeat(100));
        writes.add(
            threads.submit(() -> {
              DurableFile.write(file, content);
              return null;
            }));
      }
      for (Future<?> write : writes) {
        write.get();
      }
    }

    assertThat(Files.readString(file)).matches("(\\d)\\1{99}");
    try (var all = Files.list(folder)) {
      assertThat(all).containsExactly(file);
    }
  }

  @Test
  void whatAKilledProcessHasLeftIsDeletedAndNothingElse() throws Exception {
    Path draft = Files.createTempFile(folder, "server.json-", ".new");
    List<Path> kept =
        List.of(
            Files.writeString(folder.resolve("server.json"), "1"),
            Files.writeString(folder.resolve("server.new"), "2"),
            Files.writeString(folder.resolve("notes-a.new"), "3"),
            Files.createDirectory(folder.resolve("runs-1.new")));
    DurableFile.sweep(folder);
    assertThat(draft).doesNotExist();
    assertThat(kept).allSatisfy(path -> assertThat(path).exists());
  }

  @Test
  void needsTheDirectory() {
    assertThatThrownBy(() -> DurableFile.write(folder.resolve("missing/file"), bytes("x")))
        .isInstanceOf(NoSuchFileException.class);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
