package io.orrery.core.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Packs and unpacks code, and refuses streams that would write elsewhere. */
class CodeArchiveTest {
  private static final CodeLimits LIMITS = new CodeLimits(10, 1_000);

  @TempDir Path temp;

  private Path directory(String name) throws IOException {
    return Files.createDirectories(temp.resolve(name));
  }

  private static ByteArrayInputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  @Test
  void whatIsPackedComesOutAgainUnderTheSameDigest() throws IOException {
    Path code = directory("code");
    Files.createDirectories(code.resolve("deep/er"));
    Files.writeString(code.resolve("deep/er/a.py"), "print(1)");
    Files.writeString(code.resolve("run.sh"), "#!/bin/sh");
    assertThat(code.resolve("run.sh").toFile().setExecutable(true)).isTrue();
    Files.createSymbolicLink(code.resolve("link"), Path.of("run.sh"));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    String digest = CodeArchive.write(CodeTree.of(code), packed);
    Path out = directory("out");

    assertThat(CodeArchive.unpack(stream(packed.toByteArray()), out, LIMITS)).isEqualTo(digest);

    assertThat(CodeArchive.digest(CodeTree.of(out))).isEqualTo(digest);
    assertThat(out.resolve("deep/er/a.py")).hasContent("print(1)");
    assertThat(Files.isExecutable(out.resolve("run.sh"))).isTrue();
    assertThat(Files.readSymbolicLink(out.resolve("link"))).isEqualTo(Path.of("run.sh"));
  }

  private static byte[] tar(Consumer<TarArchiveOutputStream> content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, "UTF-8")) {
      content.accept(tar);
    }
    return bytes.toByteArray();
  }

  private static void file(TarArchiveOutputStream tar, String name, int bytes) {
    try {
      TarArchiveEntry entry = new TarArchiveEntry(name, true);
      entry.setSize(bytes);
      tar.putArchiveEntry(entry);
      tar.write("x".repeat(bytes).getBytes(StandardCharsets.UTF_8));
      tar.closeArchiveEntry();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void link(TarArchiveOutputStream tar, String name, String target) {
    try {
      TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
      entry.setLinkName(target);
      tar.putArchiveEntry(entry);
      tar.closeArchiveEntry();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void refuses(byte[] tar, String why) throws IOException {
    Path out = directory("inside");

    assertThatThrownBy(() -> CodeArchive.unpack(stream(tar), out, LIMITS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why);

    assertThat(temp.resolve("outside")).doesNotExist();
    assertThat(temp.resolve("there/evil")).doesNotExist();
  }

  @Test
  void anEntryThatWouldLieOutsideIsRefused() throws IOException {
    refuses(tar(tar -> file(tar, "../outside", 1)), "lies outside");
  }

  @Test
  void anAbsoluteEntryIsRefused() throws IOException {
    refuses(tar(tar -> file(tar, temp.resolve("outside").toString(), 1)), "lies outside");
  }

  @Test
  void anEntryBehindALinkIsRefused() throws IOException {
    directory("there");

    refuses(
        tar(tar -> {
          link(tar, "way", temp.resolve("there").toString());
          file(tar, "way/evil", 1);
        }),
        "behind a link");
  }

  @Test
  void tooManyEntriesAndTooManyBytesAreRefused() throws IOException {
    refuses(tar(tar -> file(tar, "large", 1_001)), "more than");
    refuses(
        tar(tar -> {
          for (int i = 0; i < 11; i++) {
            file(tar, "f" + i, 1);
          }
        }),
        "more than");
  }

  @Test
  @Timeout(30)
  void socketsAndFifosStayBehindAndAreNamed() throws Exception {
    Path code = directory("code");
    Files.writeString(code.resolve("a.py"), "print(1)");
    String digest = CodeArchive.digest(CodeTree.of(code));
    fifo(code.resolve("pipe"));
    fifo(code.resolve(".nniignore"));
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(code.resolve("sock")));
    }
    CodeTree tree = CodeTree.of(code);

    assertThat(CodeArchive.digest(tree)).isEqualTo(digest);
    assertThat(tree.leftOut())
        .isEqualTo(
            "Left out of %s, as only files, directories and links are sent: .nniignore (a FIFO),"
                    .formatted(code)
                + " pipe (a FIFO), sock (a socket).");
    assertThat(CodeTree.of(directory("other")).leftOut()).isNull();
  }

  /** A program may write in the directory while it is packed. */
  @Test
  @Timeout(30)
  void whatTakesThePlaceOfAFileMeanwhileIsNeitherFollowedNorWaitedFor() throws Exception {
    Files.writeString(directory("secrets").resolve("b"), "secret");
    for (String kind : new String[] {"link", "fifo", "above"}) {
      Path code = directory(kind);
      Path file = Files.writeString(directory(kind + "/a").resolve("b"), "plain!");
      CodeTree tree = CodeTree.of(code);
      Files.delete(file);
      switch (kind) {
        case "link" -> Files.createSymbolicLink(file, temp.resolve("secrets/b"));
        case "fifo" -> fifo(file);
        default -> {
          Files.delete(code.resolve("a"));
          Files.createSymbolicLink(code.resolve("a"), temp.resolve("secrets"));
        }
      }

      assertThatThrownBy(() -> CodeArchive.digest(tree))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void aFileOfSeveralNamesIsPacked() throws IOException {
    Path code = directory("code");
    Files.createLink(
        code.resolve("b"), Files.writeString(directory("elsewhere").resolve("a"), "x"));
    Files.createSymbolicLink(temp.resolve("named"), code);

    assertThat(CodeArchive.digest(CodeTree.of(temp.resolve("named")))).hasSize(64);
  }

  private static void fifo(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
  }

  @Test
  void aDeviceIsRefused() throws IOException {
    refuses(
        tar(tar -> {
          try {
            tar.putArchiveEntry(new TarArchiveEntry("tty", TarConstants.LF_CHR));
            tar.closeArchiveEntry();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        }),
        "is no file");
  }
}
