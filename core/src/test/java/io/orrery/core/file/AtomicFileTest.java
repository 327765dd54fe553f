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

class AtomicFileTest {
  @TempDir Path folder;

  @Test
  void replacesWhatWasThereAndLeavesNothingBeside() throws IOException {
    Path file = folder.resolve("secret");
    AtomicFile.write(file, bytes("first, and longer"));
    AtomicFile.write(file, bytes("second"));
    assertThat(file).hasContent("second");
    AtomicFile.replace(file, bytes("third, without a wait"));
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
    AtomicFile.write(file, bytes("whole"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void keepsTheOldContentWhenTheNewOneCannotBeWritten() throws IOException {
    // The name of a draft is longer, and longer than file systems allow: it cannot be made.
    Path file = Files.writeString(folder.resolve("s".repeat(250)), "old");
    assertThatThrownBy(() -> AtomicFile.write(file, bytes("new"))).isInstanceOf(IOException.class);
    assertThat(file).hasContent("old");
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
              AtomicFile.write(file, content);
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
    AtomicFile.sweep(folder);
    assertThat(draft).doesNotExist();
    assertThat(kept).allSatisfy(path -> assertThat(path).exists());
  }

  @Test
  void needsTheDirectory() {
    assertThatThrownBy(() -> AtomicFile.write(folder.resolve("missing/file"), bytes("x")))
        .isInstanceOf(NoSuchFileException.class);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
