package io.orrery.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that what a trial puts into its directory leads no reader out of it (F2). */
@Timeout(30)
class ConfinedFileTest {
  @TempDir Path home;

  private Path trial;
  private Path secret;

  @BeforeEach
  void aTrialBesideASecret() throws Exception {
    trial = Files.createDirectories(home.resolve("trial"));
    secret = Files.writeString(home.resolve("server.json"), "the admin token");
  }

  @Test
  void aPlainFileIsReadAlsoInADirectoryBelow() throws Exception {
    Files.writeString(trial.resolve("stdout"), "one");
    Files.createDirectories(trial.resolve("a/b"));
    Files.writeString(trial.resolve("a/b/é"), "two");

    assertThat(read("stdout")).isEqualTo("one");
    assertThat(read("a/b/é")).isEqualTo("two");
    assertThatThrownBy(() -> read("none")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> read("a")).hasMessageContaining("a directory");
  }

  @Test
  void linksAreNotFollowedWhereverTheyStand() throws Exception {
    Files.createSymbolicLink(trial.resolve("trial.log"), secret);
    Files.createSymbolicLink(trial.resolve("up"), home);
    Files.createSymbolicLink(home.resolve("other"), trial);
    Files.writeString(trial.resolve("stdout"), "one");

    assertThatThrownBy(() -> read("trial.log")).hasMessageContaining("symbolic link");
    assertThatThrownBy(() -> read("up/server.json")).hasMessageContaining("symbolic link");
    assertThatThrownBy(() -> ConfinedFile.open(home.resolve("other"), home.resolve("other/stdout")))
        .isInstanceOf(ConfinedFile.Unfit.class);
    assertThatThrownBy(() -> read("../server.json")).isInstanceOf(ConfinedFile.Unfit.class);
  }

  @Test
  void aSecondNameOfAnotherFileIsNotRead() throws Exception {
    Files.createLink(trial.resolve("stderr"), secret);

    assertThatThrownBy(() -> read("stderr")).hasMessageContaining("hard link");
  }

  @Test
  void aFifoIsNotWaitedFor() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", trial.resolve("stdout").toString()).start().waitFor())
        .isZero();

    assertThatThrownBy(() -> read("stdout")).hasMessageContaining("FIFO");
  }

  @Test
  void noDescriptorStaysOpen() throws Exception {
    Files.writeString(trial.resolve("stdout"), "one");
    Files.createSymbolicLink(trial.resolve("trial.log"), secret);
    read("stdout");
    int before = descriptors();
    for (int i = 0; i < 50; i++) {
      read("stdout");
      assertThatThrownBy(() -> read("trial.log")).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> read("a/b")).isInstanceOf(IOException.class);
    }

    assertThat(descriptors()).isLessThan(before + 50);
  }

  private static int descriptors() {
    return new java.io.File("/proc/self/fd").list().length;
  }

  private String read(String name) throws IOException {
    try (FileChannel channel = ConfinedFile.open(trial, trial.resolve(name))) {
      ByteBuffer bytes = ByteBuffer.allocate(100);
      int length = channel.read(bytes);
      return new String(Arrays.copyOf(bytes.array(), length), StandardCharsets.UTF_8);
    }
  }
}
