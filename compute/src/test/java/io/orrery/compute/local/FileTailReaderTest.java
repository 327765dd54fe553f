package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTailReaderTest {
  @TempDir Path folder;

  @Test
  void aFileThatGrowsAsFastAsItIsReadHasAnEndAllTheSame() throws Exception {
    Path file = Files.write(folder.resolve("stdout"), new byte[1_000]);
    List<Integer> taken = new ArrayList<>();
    FileTailReader tail =
        new FileTailReader(
            folder,
            file,
            (bytes, length, atEnd, into) -> {
              assertThat(taken).as("reads on and on").hasSizeLessThan(10);
              taken.add(length);
              grow(file, 2 * length);
              return length;
            });

    assertThat(tail.next(false)).isEmpty();
    assertThat(taken).containsExactly(1_000);

    assertThat(tail.next(false)).isEmpty();
    assertThat(taken).as("what came meanwhile comes the next time").containsExactly(1_000, 2_000);
  }

  /** F2. */
  @Test
  void aLinkInThePlaceOfTheFileIsNotRead() throws Exception {
    Path secret = Files.writeString(folder.resolve("server.json"), "orrery: final 1\n");
    Path trial = Files.createDirectories(folder.resolve("trial"));
    Path stdout = Files.createSymbolicLink(trial.resolve("stdout"), secret);
    Path metrics = Files.createLink(trial.resolve("metrics"), secret);
    for (Path file : List.of(stdout, metrics)) {
      FileTailReader tail =
          new FileTailReader(
              trial,
              file,
              (bytes, length, atEnd, into) -> {
                throw new AssertionError("was read: " + file);
              });

      assertThat(tail.next(true)).isEmpty();
    }
  }

  private static void grow(Path file, int bytes) {
    try {
      Files.write(file, new byte[bytes], StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
