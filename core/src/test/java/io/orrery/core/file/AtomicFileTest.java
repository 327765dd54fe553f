package io.orrery.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    Path file = folder.resolve("secret");
    AtomicFile.write(file, bytes("old"));
    // A directory in the draft's place that is not empty: nothing can be written there.
    Files.createDirectories(folder.resolve("secret.new/taken"));
    assertThatThrownBy(() -> AtomicFile.write(file, bytes("new"))).isInstanceOf(IOException.class);
    assertThat(file).hasContent("old");
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
