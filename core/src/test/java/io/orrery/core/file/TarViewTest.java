package io.orrery.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarViewTest {
  @TempDir Path directory;

  private static byte[] whole(TarView view) throws IOException {
    return view.read(0, Math.toIntExact(view.size()));
  }

  private static Map<String, byte[]> unpacked(byte[] stream) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    TarArchiveInputStream tar =
        new TarArchiveInputStream(new ByteArrayInputStream(stream), "UTF-8");
    for (TarArchiveEntry entry; (entry = tar.getNextEntry()) != null; ) {
      files.put(entry.getName(), tar.readAllBytes());
    }
    return files;
  }

  private Map<String, byte[]> tree(SplittableRandom random) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < 20; i++) {
      String name = "d".repeat(random.nextInt(1, 120)) + "/" + (i % 3 == 0 ? "größe" : "f") + i;
      byte[] bytes = new byte[random.nextInt(4) * 512 + random.nextInt(3) - 1 & 0xfff];
      random.nextBytes(bytes);
      Path file = directory.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
      files.put(name, bytes);
    }
    return files;
  }

  /** Whatever pieces it is read in, it is the same stream, and other programs read it. */
  @RepeatedTest(20)
  void piecesOfAnySizeAreTheStreamOfTheDirectory(RepetitionInfo repetition) throws Exception {
    SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
    Map<String, byte[]> files = tree(random);

    TarView view = TarView.of(directory);
    ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    while (pieces.size() < view.size()) {
      byte[] piece = TarView.of(directory).read(pieces.size(), random.nextInt(1, 2_000));
      assertThat(piece).isNotEmpty();
      pieces.writeBytes(piece);
    }

    assertThat(pieces.toByteArray()).isEqualTo(whole(view));
    Map<String, byte[]> found = unpacked(pieces.toByteArray());
    found.keySet().removeIf(name -> name.endsWith("/"));
    assertThat(found.keySet()).isEqualTo(files.keySet());
    files.forEach((name, bytes) -> assertThat(found.get(name)).isEqualTo(bytes));
    assertThat(view.read(view.size(), 10)).isEmpty();
    assertThat(view.read(Long.MAX_VALUE, 10)).isEmpty();
  }

  @Test
  void programsKeepTheirRightAndLinksAreLeftOut() throws Exception {
    Path program = Files.writeString(directory.resolve("run"), "#!/bin/sh");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Files.writeString(directory.resolve("text"), "a");
    Files.createDirectory(directory.resolve("none"));
    Files.createSymbolicLink(directory.resolve("link"), Path.of("/etc/passwd"));

    TarArchiveInputStream tar =
        new TarArchiveInputStream(new ByteArrayInputStream(whole(TarView.of(directory))), "UTF-8");
    Map<String, Integer> modes = new TreeMap<>();
    for (TarArchiveEntry entry; (entry = tar.getNextEntry()) != null; ) {
      modes.put(entry.getName(), entry.getMode() & 0777);
    }

    assertThat(modes).isEqualTo(Map.of("none/", 0755, "run", 0755, "text", 0644));
  }

  @Test
  void aFileThatBecameShorterIsAFailureAndNoWrongContent() throws Exception {
    Path file = Files.write(directory.resolve("f"), new byte[2_000]);
    TarView view = TarView.of(directory);
    Files.write(file, new byte[10]);

    assertThatThrownBy(() -> whole(view)).hasMessageContaining("f").hasMessageContaining("changed");
  }
}
